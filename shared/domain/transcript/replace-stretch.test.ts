import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAll } from '../../../tests/support/for-all.ts';
import { edited } from '../../../tests/support/edited.ts';
import { cleanPastedText, fitSpaces, insertWord, replaceStretch, replaceWritten } from './replace-stretch.ts';
import type { Transcript } from './transcript.ts';

const said = (id: string, speakerId: string, startMs: number, text: string) => ({
  id,
  speakerId,
  startMs,
  endMs: startMs + 900,
  text,
  words: text
    .split(' ')
    .map((word, at) => ({ text: word, startMs: startMs + at * 300, endMs: startMs + at * 300 + 300 })),
});

it('a word is replaced in the text of now, and left alone when it stands elsewhere by then', () => {
  const respelt = (text: string) => {
    const segments = [said('1', 'a', 0, text)];
    const saying: Transcript = { language: 'ru', durationMs: 900, speakers: [{ id: 'a', name: null }], segments };
    const change = replaceWritten(saying, { segmentId: '1', offset: 3 }, 'превет', 'привет');
    return change.ok ? edited(saying, change).segments[0]?.text : change.error;
  };
  expect([respelt('ну превет всем'), respelt('ну превет всем вам')]).toEqual(['ну привет всем', 'ну привет всем вам']);
  expect([respelt('ну вот превет'), respelt('ну')]).toEqual(['nothing-to-change', 'nothing-to-change']);
});

describe('a selection across segments', () => {
  const speakers = ['a', 'b'].map((id) => ({ id, name: null }));
  type Place = readonly [segmentId: string, offset: number];
  const textsAfter = (segments: Transcript['segments'], from: Place, to: Place, inserted = '') => {
    const transcript: Transcript = { language: 'uz', durationMs: 9000, speakers, segments };
    const [start, end] = [from, to].map(([segmentId, offset]) => ({ segmentId, offset }));
    return edited(transcript, replaceStretch(transcript, start!, end!, inserted)).segments.map(({ text }) => text);
  };

  it('is replaced letter by letter; the rest joins if it has the same speaker', () => {
    const three = [
      said('1', 'a', 0, 'bir ikki uch'),
      said('2', 'b', 1000, 'toʻrt besh olti'),
      said('3', 'a', 2000, 'yetti sakkiz toʻqqiz'),
    ];
    expect(textsAfter(three, ['1', 4], ['3', 6])).toEqual(['bir sakkiz toʻqqiz']);
    expect(textsAfter(three, ['1', 4], ['2', 6], 'X')).toEqual(['bir X', 'besh olti', 'yetti sakkiz toʻqqiz']);
    expect(textsAfter(three, ['1', 0], ['2', 16])).toEqual(['yetti sakkiz toʻqqiz']);
  });
});

it.each([
  ['bir |ikki| uch', '', 'bir |uch'],
  ['bir |ikki|, uch', '', 'bir|, uch'],
  ['soʻ||lar', 'z', 'soʻz|lar'],
  ['12:||30', '4', '12:4|30'],
  ['bir|| uch', 'ikki', 'bir ikki |uch'],
  ['so||lar', ' ʻz', 'so ʻz|lar'],
  ['«||bir»', 'nol', '«nol |bir»'],
])(
  'in %j the part between the bars becomes %j, with one space between words and none before punctuation: %j',
  (marked, pasted, expected) => {
    const [before = '', part = '', rest = ''] = marked.split('|');
    const text = before + part + rest;
    const range = { from: before.length, to: before.length + part.length, inserted: cleanPastedText(pasted) };
    const { from, to, inserted } = fitSpaces(text, range);
    expect(`${text.slice(0, from)}${inserted}|${text.slice(to)}`).toBe(expected);
  },
);

it.each([
  ['Salom |usta', 'Salom [00:12] usta'],
  ['mo|viy rang', '[00:12] moviy rang'],
  ['movi|y, rang', 'moviy, [00:12] rang'],
  ['|', '[00:12]'],
])('a word that is inserted at the caret in %s stands by itself: %s', (marked, expected) => {
  const text = marked.replace('|', '');
  const { from, to, inserted } = insertWord(text, marked.indexOf('|'), '[00:12]');
  expect(text.slice(0, from) + inserted + text.slice(to)).toBe(expected);
});

it('a word that is inserted changes no other word, wherever the caret is', () => {
  const wordsOf = (text: string) => text.match(/[ab]+/gu) ?? [];
  forAll(
    fc.string({ unit: fc.constantFrom('a', 'b', ' ', '.', ',', '“', '”', '[', '(', '\n') }),
    fc.nat(30),
    (text, at) => {
      const { from, to, inserted } = insertWord(text, Math.min(at, text.length), '[00:12]');
      const written = text.slice(0, from) + inserted + text.slice(to);
      expect(wordsOf(written)).toEqual(wordsOf(text));
      expect(written.replaceAll(/\s/gu, '').replace('[00:12]', '')).toBe(text.replaceAll(/\s/gu, ''));
    },
  );
});
