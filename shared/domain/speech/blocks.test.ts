import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  foreignBlocks,
  requestIdentity,
  requestOf,
  textOfBlocks,
  updateBlocks,
  withLanguage,
  type SpeechBlock,
} from './blocks.ts';

function blockMaker() {
  let count = 0;
  const newId = () => `b${(count += 1)}`;
  return (blocks: readonly SpeechBlock[], text: string) =>
    updateBlocks(blocks, text, { language: 'en', limit: 200, newId });
}
const made = (blocks: readonly SpeechBlock[]) =>
  blocks.map((block) => ({ ...block, takeId: `take of ${block.text}`, speed: 1.25, comment: 'ask' }));

describe('blocks of a changed text', () => {
  it('an edited sentence keeps its settings and loses its audio; its neighbours stay as they are', () => {
    const update = blockMaker();
    const before = made(update([], 'One is here. Two is here. Three is here.'));
    const after = update(before, 'One is here. Two was here. Three is here.');
    expect(after[0]).toBe(before[0]);
    expect(after[2]).toBe(before[2]);
    expect(after[1]).toMatchObject({
      id: before[1]?.id,
      speed: 1.25,
      comment: 'ask',
      takeId: null,
      text: 'Two was here.',
    });
  });

  it('a sentence inserted between others is the only new one', () => {
    const update = blockMaker();
    const before = made(update([], 'One is here. Two is here.'));
    const after = update(before, 'One is here. New is here. Two is here.');
    expect(after.filter(({ takeId }) => takeId === null).map(({ text }) => text)).toEqual(['New is here.']);
  });

  it('whatever is typed: the text is kept, ids are unique, and no block has the audio of another text', () => {
    const sentence = fc.constantFrom('One is here.', 'Two is here.', 'Three is here!', 'Four?', 'Five is here.');
    const text = fc.array(fc.tuple(sentence, fc.constantFrom(' ', '\n\n')), { maxLength: 12 });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (texts) => {
        const update = blockMaker();
        let blocks: readonly SpeechBlock[] = [];
        for (const parts of texts) {
          const written = parts.flat().join('').trim();
          const before = made(blocks);
          blocks = update(before, written);
          expect(textOfBlocks(blocks)).toBe(written);
          expect(new Set(blocks.map(({ id }) => id)).size).toBe(blocks.length);
          for (const { takeId, text: own } of blocks) if (takeId !== null) expect(takeId).toBe(`take of ${own}`);
          if (JSON.stringify(textOfBlocks(before)) === JSON.stringify(written)) expect(blocks).toEqual(before);
        }
      }),
    );
  });

  it('a block’s own voice and speed are part of what is generated', () => {
    const [block] = blockMaker()([], 'Hello there.');
    if (block === undefined) throw new Error('no block');
    const defaults = { language: 'en', voiceId: 'voice_a', otherVoices: {}, speed: 1 } as const;
    const own = requestIdentity(requestOf({ ...block, voiceId: 'voice_b' }, defaults));
    expect(own).not.toBe(requestIdentity(requestOf(block, defaults)));
    expect(requestIdentity(requestOf({ ...block, speed: 1 }, defaults))).toBe(
      requestIdentity(requestOf(block, defaults)),
    );
  });

  it('sentences in other languages are recognized by their words, also if the whole text is in one of them', () => {
    const update = blockMaker();
    const mixed = update([], 'Please keep your ticket. Книга стоит 12 долл. Мы готовы. 2024.');
    expect(foreignBlocks(mixed, 'en')).toEqual([{ language: 'ru', ids: [mixed[1]?.id, mixed[2]?.id], isWhole: false }]);
    const whole = update([], 'Книга стоит 12 долл. Мы готовы.');
    expect(foreignBlocks(whole, 'en')).toEqual([{ language: 'ru', ids: whole.map(({ id }) => id), isWhole: true }]);
    expect(foreignBlocks(withLanguage(whole, new Set(whole.map(({ id }) => id)), 'ru'), 'en')).toEqual([]);
    expect(foreignBlocks(whole, 'ru')).toEqual([]);
  });

  it('a language with a voice of its own uses it for its sentences while they are in that language', () => {
    const newId = () => crypto.randomUUID();
    const options = { language: 'en', limit: 200, newId, otherVoices: { ru: 'voice_vera' } } as const;
    const before = updateBlocks([], 'Please keep your ticket. Мы уже готовы.', options);
    expect(before.map(({ language }) => language)).toEqual([null, 'ru']);
    const after = updateBlocks(before, 'Please keep your ticket. We are ready to go.', options);
    expect(after.map(({ language }) => language)).toEqual([null, null]);
    const [, russian] = before;
    if (russian === undefined) throw new Error('no block');
    const defaults = { ...options, voiceId: 'voice_a', speed: 1 };
    expect(requestOf(russian, defaults)).toMatchObject({ language: 'ru', voiceId: 'voice_vera' });
  });
});
