import fc from 'fast-check';
import { expect, it } from 'vitest';
import { applyChange } from './change.ts';
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
  const saying = (text: string): Transcript => ({
    language: 'ru',
    durationMs: 900,
    speakers: [{ id: 'a', name: null }],
    segments: [said('1', 'a', 0, text)],
  });
  const respelt = (text: string) => {
    const change = replaceWritten(saying(text), { segmentId: '1', offset: 3 }, 'превет', 'привет');
    const applied = change.ok ? applyChange(saying(text), change.value) : change;
    return applied.ok ? applied.value.transcript.segments[0]?.text : applied.error;
  };
  expect([respelt('ну превет всем'), respelt('ну превет всем вам')]).toEqual(['ну привет всем', 'ну привет всем вам']);
  expect([respelt('ну вот превет'), respelt('ну')]).toEqual(['nothing-to-change', 'nothing-to-change']);
});

it('a selection across segments is replaced letter by letter; the rest joins if it has the same speaker', () => {
  const three: Transcript = {
    language: 'uz',
    durationMs: 9000,
    speakers: [
      { id: 'a', name: null },
      { id: 'b', name: null },
    ],
    segments: [
      said('1', 'a', 0, 'bir ikki uch'),
      said('2', 'b', 1000, 'toʻrt besh olti'),
      said('3', 'a', 2000, 'yetti sakkiz toʻqqiz'),
    ],
  };
  const without = (from: readonly [string, number], to: readonly [string, number], inserted = '') => {
    const change = replaceStretch(
      three,
      { segmentId: from[0], offset: from[1] },
      { segmentId: to[0], offset: to[1] },
      inserted,
    );
    const applied = change.ok ? applyChange(three, change.value) : change;
    if (!applied.ok) throw new Error(applied.error);
    return applied.value.transcript.segments;
  };
  expect(without(['1', 4], ['3', 6]).map(({ text }) => text)).toEqual(['bir sakkiz toʻqqiz']);
  expect(without(['1', 4], ['3', 6])[0]?.words[1]).toEqual(three.segments[2]?.words[1]);
  expect(without(['1', 4], ['2', 6], 'X').map(({ text }) => text)).toEqual([
    'bir X',
    'besh olti',
    'yetti sakkiz toʻqqiz',
  ]);
  const stop = { ...three, segments: [three.segments[0]!, said('3', 'a', 2000, 'yetti, sakkiz.')] };
  const joined = (offset: number, inserted = '') => {
    const change = replaceStretch(stop, { segmentId: '1', offset: 4 }, { segmentId: '3', offset }, inserted);
    const applied = change.ok ? applyChange(stop, change.value) : change;
    return applied.ok ? applied.value.transcript.segments.map(({ text }) => text) : applied.error;
  };
  expect([joined(5), joined(13), joined(5, 'nol'), joined(0, '«')]).toEqual([
    ['bir , sakkiz.'],
    ['bir .'],
    ['bir nol, sakkiz.'],
    ['bir «yetti, sakkiz.'],
  ]);
  expect(without(['1', 0], ['2', 16]).map(({ text }) => text)).toEqual(['yetti sakkiz toʻqqiz']);
});

it('what is left of two segments is joined as it is written, with a space only where whole segments meet', () => {
  const two: Transcript = {
    language: 'en',
    durationMs: 9000,
    speakers: [{ id: 'a', name: null }],
    segments: [said('1', 'a', 0, 'we go to town'), said('2', 'a', 1000, 'some silence then')],
  };
  const left = (from: number, to: number, inserted = '') => {
    const change = replaceStretch(two, { segmentId: '1', offset: from }, { segmentId: '2', offset: to }, inserted);
    const applied = change.ok ? applyChange(two, change.value) : change;
    if (!applied.ok) throw new Error(applied.error);
    return applied.value.transcript.segments.map(({ text }) => text);
  };
  expect([left(8, 8, 'X'), left(7, 8), left(6, 8, ' X '), left(13, 8), left(13, 0)]).toEqual([
    ['we go toXence then'],
    ['we go tence then'],
    ['we go X ence then'],
    ['we go to townence then'],
    ['we go to town some silence then'],
  ]);
});

it('words that are cut or pasted leave one space between words and none before punctuation', () => {
  /** The text with the part between two bars replaced; the caret comes back as a bar. */
  const after = (marked: string, inserted = '') => {
    const [before = '', part = '', rest = ''] = marked.split('|');
    const text = before + part + rest;
    const fitted = fitSpaces(text, { from: before.length, to: before.length + part.length, inserted });
    return `${text.slice(0, fitted.from)}${fitted.inserted}|${text.slice(fitted.to)}`;
  };
  expect([
    after('bir |ikki| uch'),
    after('bir |ikki |uch'),
    after('bir| ikki |uch'),
    after('bir |ikki|, uch'),
    after('|bir| ikki'),
    after('bir |ikki|'),
    after('bir («|ikki| uch»)'),
    after('bir |ikki|\nuch'),
  ]).toEqual(['bir |uch', 'bir |uch', 'bir |uch', 'bir|, uch', '|ikki', 'bir|', 'bir («|uch»)', 'bir\n|uch']);
  // Inside a word nothing is added or taken.
  expect([after('so|ʻz|lar ikki'), after('ikki |so|ʻz'), after('soʻ||lar', 'z')]).toEqual([
    'so|lar ikki',
    'ikki |ʻz',
    'soʻz|lar',
  ]);
  expect([after("o||'zbek", 'x'), after('1||,5', '2'), after('12:||30', '4')]).toEqual([
    "ox|'zbek",
    '12|,5',
    '12:4|30',
  ]);
  expect([
    after('bir|| uch', 'ikki'),
    after('bir ||uch', 'ikki'),
    after('bir || uch', ' ikki '),
    after('bir||, uch', 'ikki'),
    after('bir ||', ', ikki'),
    after('bir,||', 'ikki'),
    after('so||lar', 'ʻz '),
    after('so||lar', ' ʻz'),
    after('||bir', 'nol'),
    after('«||bir»', 'nol'),
    after('|bir |ikki', 'uch'),
    after('||', ' bir '),
    after('sariq-||', 'koʻk'),
  ]).toEqual([
    'bir ikki |uch',
    'bir ikki |uch',
    'bir ikki |uch',
    'bir ikki|, uch',
    'bir, ikki|',
    'bir, ikki|',
    'soʻz |lar',
    'so ʻz|lar',
    'nol |bir',
    '«nol |bir»',
    'uch |ikki',
    'bir|',
    'sariq-koʻk|',
  ]);
});

it.each([
  ['so it was', 6, 6, 'nice\n', 'so it nice was'],
  ['so it was', 6, 6, 'nice\r\n\r\n', 'so it nice was'],
  ['soit was', 2, 2, 'nice\n', 'sonice it was'],
  ['soit was', 2, 2, '\nnice ', 'so nice it was'],
  ['soit was', 2, 2, 'nice', 'soniceit was'],
  ['so it was', 2, 3, 'nice day', 'so nice day it was'],
  ['so it was', 2, 6, 'nice', 'so nice was'],
  ['it was', 0, 0, 'nice\t', 'nice it was'],
  ['it was', 6, 6, '\u2028nice', 'it was nice'],
])(
  'in %j from %i to %i, %j is pasted with the blanks it has and those between words',
  (text, from, to, pasted, now) => {
    const fitted = fitSpaces(text, { from, to, inserted: cleanPastedText(pasted) });
    expect(text.slice(0, fitted.from) + fitted.inserted + text.slice(fitted.to)).toBe(now);
  },
);

it.each([
  ['boshlaganman.|', 'boshlaganman. [00:12]'],
  ['|Salom', '[00:12] Salom'],
  ['Salom |usta', 'Salom [00:12] usta'],
  ['Salom| usta', 'Salom [00:12] usta'],
  ['mo|viy rang', '[00:12] moviy rang'],
  ['movi|y, rang', 'moviy, [00:12] rang'],
  ['bu mo|viy', 'bu [00:12] moviy'],
  ['bu oʻ|z', 'bu oʻz [00:12]'],
  ['bir\nik|ki', 'bir\n[00:12] ikki'],
  ['“mov|iy” rang', '“moviy” [00:12] rang'],
  ['(|ha)', '[00:12] (ha)'],
  ['ha |(yoʻq)', 'ha [00:12] (yoʻq)'],
  ['', '[00:12]'],
])('a word that is inserted at the caret in %s stands by itself: %s', (marked, expected) => {
  const offset = Math.max(0, marked.indexOf('|'));
  const text = marked.replace('|', '');
  const { from, to, inserted } = insertWord(text, offset, '[00:12]');
  expect(text.slice(0, from) + inserted + text.slice(to)).toBe(expected);
});

it('a word that is inserted changes no other word, wherever the caret is', () => {
  const wordsOf = (text: string) => text.match(/[ab]+/gu) ?? [];
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'b', ' ', '.', ',', '“', '”', '[', '(', '\n') }),
      fc.nat(30),
      (text, at) => {
        const { from, to, inserted } = insertWord(text, Math.min(at, text.length), '[00:12]');
        const written = text.slice(0, from) + inserted + text.slice(to);
        expect(wordsOf(written)).toEqual(wordsOf(text));
        expect(written.replaceAll(/\s/gu, '').replace('[00:12]', '')).toBe(text.replaceAll(/\s/gu, ''));
      },
    ),
  );
});
