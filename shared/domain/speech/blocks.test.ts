import fc from 'fast-check';
import { mergeReading } from './merge-reading.ts';
import { describe, expect, it } from 'vitest';
import {
  foreignBlocks,
  requestIdentity,
  requestOf,
  textOfBlocks,
  updateBlocks,
  withLanguage,
  withTake,
  type SpeechBlock,
} from './blocks.ts';
import { pauseAfter } from './speech-document.ts';

function blockMaker() {
  let count = 0;
  const newId = () => `b${(count += 1)}`;
  return (blocks: readonly SpeechBlock[], text: string) =>
    updateBlocks(blocks, text, { language: 'en', limit: 200, newId });
}
const inLanguage = (language: 'uz' | 'ru' | 'en') => ({ language, otherVoices: {} });
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
    // A number belongs to the sentences around it.
    expect(foreignBlocks(mixed, inLanguage('en'))).toEqual([
      { language: 'ru', ids: mixed.slice(1).map(({ id }) => id), isWhole: false },
    ]);
    const whole = update([], 'Книга стоит 12 долл. Мы готовы.');
    expect(foreignBlocks(whole, inLanguage('en'))).toEqual([
      { language: 'ru', ids: whole.map(({ id }) => id), isWhole: true },
    ]);
    expect(foreignBlocks(withLanguage(whole, new Set(whole.map(({ id }) => id)), 'ru'), inLanguage('en'))).toEqual([]);
    expect(foreignBlocks(whole, inLanguage('ru'))).toEqual([]);
  });

  it.each([
    ['en', 'This museum opens at nine. Тел. +998 90 123-45-67, г. Ташкент. Навои, д. 5.', [null, 'ru', 'ru']],
    ['en', 'This is a museum. Ташкент.', [null, 'ru']],
    ['en', 'Bu yerda ipak saqlanadi. XXI asr, 12-bet, 50 %. Bugun havo ochiq.', ['uz', 'uz', 'uz']],
    ['uz', 'Bu yerda ipak saqlanadi. Ташкент, Навои.', [null, 'ru']],
    ['uz', 'Бу ерда китоб бор. Тошкент, Бухоро.', [null, null]],
    ['uz', 'Тошкент.', [null]],
    ['ru', 'Мы уже готовы. Alisher Navoiy.', [null, null]],
    ['en', 'Alisher Navoiy. 2024.', [null, null]],
  ] as const)(
    'in a text in %s, “%s”: what a name or number leaves open is shown by letters and neighbours',
    (own, text, expected) => {
      const blocks = updateBlocks([], text, { language: own, limit: 200, newId: () => crypto.randomUUID() });
      const found = foreignBlocks(blocks, inLanguage(own));
      expect(blocks.map(({ id }) => found.find(({ ids }) => ids.includes(id))?.language ?? null)).toEqual(expected);
    },
  );

  it('a name that is written between sentences of another language gets their voice', () => {
    const options = {
      language: 'en',
      limit: 200,
      newId: () => crypto.randomUUID(),
      otherVoices: { ru: 'voice_vera' },
    } as const;
    const before = updateBlocks([], 'Please keep your ticket. Мы уже готовы.', options);
    const after = updateBlocks(before, 'Please keep your ticket. Мы уже готовы. Ташкент, Навои.', options);
    expect(after.map(({ language }) => language)).toEqual([null, 'ru', 'ru']);
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

it('a break tag is a pause of its length between sentences, and is neither read nor sent', () => {
  const at = (text: string) => updateBlocks([], text, { language: 'ru', limit: 5000, newId: () => 'id' });
  const shown = (text: string) => at(text).map(({ text: words, breakMs }) => [words, breakMs]);
  expect(shown('Первое. <break time="1s"/> Второе. <break time=\'250ms\'></break>Третье.')).toEqual([
    ['Первое.', 1000],
    ['Второе.', 250],
    ['Третье.', undefined],
  ]);
  expect(shown('Привет<break time="0.5s"/>, друг<break/>.\n<break time="9s" />\nДальше')).toEqual([
    ['Привет', 500],
    [', друг', 5000],
    ['Дальше', undefined],
  ]);
  const document = { sentencePauseMs: 150, paragraphPauseMs: 600 };
  const pauses = (text: string) => at(text).map((block) => pauseAfter(block, document));
  expect(pauses('Раз. <break time="2s"/>Два. Три.')).toEqual([2000, 150, 600]);
  // The pause goes with its tag, and the sentence keeps its audio.
  const before = at('Раз. <break time="2s"/>Два.').map((block) => withTake(block, 'take'));
  const after = updateBlocks(before, 'Раз. Два.', { language: 'ru', limit: 5000, newId: () => 'id' });
  expect(after.map(({ breakMs, takeId }) => [breakMs, takeId])).toEqual([
    [undefined, 'take'],
    [undefined, 'take'],
  ]);
});

it('a reading of one’s own stays with its sentence while other words of it change, and goes with the words it is of', () => {
  const [block] = updateBlocks([], 'Выручка за 3-й кв. выросла.', { language: 'ru', limit: 5000, newId: () => 'id' });
  if (block === undefined) throw new Error('no block');
  const own = { ...block, readAs: 'Выручка за третий квартал выросла.' };
  const readAfter = (text: string) =>
    updateBlocks([own], text, { language: 'ru', limit: 5000, newId: () => 'id' })[0]?.readAs;
  expect(readAfter('Прибыль за 3-й кв. выросла.')).toBe('Прибыль за третий квартал выросла.');
  expect(readAfter('Выручка за 3-й кв. резко выросла')).toBe('Выручка за третий квартал резко выросла');
  expect(readAfter('Вся выручка за 3-й кв. выросла.')).toBe('Вся выручка за третий квартал выросла.');
  expect(readAfter('Выручка за 3-й кв. снова выросла.')).toBe('Выручка за третий квартал снова выросла.');
  expect(readAfter('Выручка за 4-й кв. выросла.')).toBeNull();
  expect(readAfter('Совсем другое предложение.')).toBeNull();
  expect(mergeReading('Встреча в 2024', 'Встреча в две тысячи двадцать четвёртом', 'Встреча в 2024 снова')).toBe(
    'Встреча в две тысячи двадцать четвёртом снова',
  );
});
