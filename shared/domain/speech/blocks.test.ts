import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAll } from '../../../tests/support/for-all.ts';
import {
  foreignBlocks,
  requestIdentity,
  requestOf,
  textOfBlocks,
  updateBlocks,
  withLanguage,
  withTake,
  type SpeechBlock,
  mergeReading,
  detectLanguage,
} from './blocks.ts';
import { pauseAfter, findChapters, withCues } from './speech-document.ts';

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
    const kept = { id: before[1]?.id, speed: 1.25, comment: 'ask' };
    expect(after[1]).toMatchObject({ ...kept, takeId: null, text: 'Two was here.' });
  });

  it('two sentences that are joined are followed by the silence after the second, and so is it when they are divided', () => {
    const update = blockMaker();
    const pauses = (blocks: readonly SpeechBlock[]) => blocks.map(({ pauseMs }) => pauseMs);
    const [apart, together] = ['One is here. Two is here.', 'One is here. \u2060Two is here.'] as const;
    const joined = update(
      update([], apart).map((block, at) => ({ ...block, pauseMs: at === 0 ? 100 : 900 })),
      together,
    );
    expect([pauses(joined), pauses(update(joined, apart))]).toEqual([[900], [null, 900]]);
  });

  it('whatever is typed: the text is kept, ids are unique, and no block has the audio of another text', () => {
    const sentence = fc.constantFrom('One is here.', 'Two is here.', 'Three is here!', 'Four?', 'Five is here.');
    const text = fc.array(fc.tuple(sentence, fc.constantFrom(' ', '\n\n')), { maxLength: 12 });
    forAll(fc.array(text, { minLength: 1, maxLength: 5 }), (texts) => {
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
    });
  });

  it('Uzbek is sent with the apostrophes of its letters, however they were written', () => {
    const defaults = { language: 'uz', voiceId: 'voice_a', otherVoices: {}, speed: 1 } as const;
    const sent = (text: string, readAs: string | null = null) =>
      requestOf({ text, readAs, language: null, voiceId: null }, defaults).text;
    expect([sent("O'zbek tog’i, san'at."), sent('x', "to'g'ri")]).toEqual(['Oʻzbek togʻi, sanʼat.', 'toʻgʻri']);
    const english = { text: "It's", readAs: null, language: 'en', voiceId: null } as const;
    expect(requestOf(english, defaults).text).toBe("It's");
  });

  it('a block’s own voice is part of what is generated, and its speed is not', () => {
    const [block] = blockMaker()([], 'Hello there.');
    if (block === undefined) throw new Error('no block');
    const defaults = { language: 'en', voiceId: 'voice_a', otherVoices: {}, speed: 1 } as const;
    const own = requestIdentity(requestOf({ ...block, voiceId: 'voice_b' }, defaults));
    expect(own).not.toBe(requestIdentity(requestOf(block, defaults)));
    const faster = { ...block, speed: 2 };
    expect(requestIdentity(requestOf(faster, defaults))).toBe(requestIdentity(requestOf(block, defaults)));
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
  const merged = (text: string) =>
    mergeReading('Выручка за 3-й кв. выросла.', 'Выручка за третий квартал выросла.', text);
  expect(merged('Прибыль за 3-й кв. выросла.')).toBe('Прибыль за третий квартал выросла.');
  expect(merged('Выручка за 3-й кв. резко выросла')).toBe('Выручка за третий квартал резко выросла');
  expect(merged('Выручка за 4-й кв. выросла.')).toBeNull();
  expect(merged('Совсем другое предложение.')).toBeNull();
});

describe('the language of a sentence', () => {
  it.each([
    ['uz', 'Salom, doʻstlar.'],
    ['ru', 'Мы встретились у станции Alisher Navoiy.'],
    ['en', 'Hello. This is how this voice sounds.'],
  ] as const)('%s: %s', (language, text) => {
    expect(detectLanguage(text)).toBe(language);
  });

  it.each([
    '12 345,50',
    'Alisher Navoiy',
    'Москва, 2024',
    'Люди впереди: врачи, чемодан, роман.',
    'https://www.the-news.com/with/this',
  ])('is left open by “%s”', (text) => {
    expect(detectLanguage(text)).toBeNull();
  });
});

it('a short line without a full stop starts a chapter, and text before the first one is a chapter of its own', () => {
  let number = 0;
  const newId = () => String((number += 1));
  const text = 'Salom.\n\nBirinchi bob\n\nBir. Ikki.\n\nIkkinchi bob\nUch!';
  expect(findChapters(updateBlocks([], text, { language: 'uz', limit: 5000, newId }))).toMatchObject({
    titles: ['', 'Birinchi bob', 'Ikkinchi bob'],
    chapterOf: [0, 1, 1, 1, 2, 2],
  });
});

it('a sentence that is divided keeps its own pause behind its last part', () => {
  const update = blockMaker();
  const [only] = update([], 'One is here and two.');
  const parts = update([{ ...only!, pauseMs: 900 }], 'One is here\n\nand two.');
  expect(parts.map(({ pauseMs }) => pauseMs)).toEqual([null, 900]);
});

it('a sentence gets the least speed, in steps of 0.05, at which it ends in the time of its caption', () => {
  const speedOf = (lengthMs: number) => {
    const blocks = blockMaker()([], 'One is here.');
    const cue = { startMs: 0, endMs: 1000, text: 'One is here.' };
    return withCues(blocks, [cue], { speed: 1, lengthMs: () => lengthMs })[0]?.speed;
  };
  expect([speedOf(1000), speedOf(1010), speedOf(1050), speedOf(1051)]).toEqual([null, 1.05, 1.05, 1.1]);
});
