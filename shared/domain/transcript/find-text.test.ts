import { expect, it } from 'vitest';
import { applyChange } from './change.ts';
import { replaceTexts } from './edit-segments.ts';
import { findMatches, replaceMatches, type TextQuery } from './find-text.ts';
import { toTranscript } from './from-received.ts';
import { query } from '../../../tests/support/text-query.ts';

const transcript = toTranscript(
  {
    text: '',
    segments: [
      { text: "Royan boʻyogʻi. O'zbek royan.", speaker: 'a', words: [] },
      { text: 'Бўёқ ва роян ўзбек.', speaker: 'b', words: [] },
      { text: 'Royanni (2024) yigʻamiz, 👋 royan.', speaker: 'a', words: [] },
    ],
  },
  { language: 'uz', durationMs: 9000 },
);

const found = (one: TextQuery) => {
  const result = findMatches(transcript, one, () => 0);
  if (!result.ok) return result.error;
  return result.value.map(({ segmentId, from, to }) =>
    transcript.segments.find(({ id }) => id === segmentId)?.text.slice(from, to),
  );
};

it('finds words in every alphabet and with every apostrophe, unless case matters', () => {
  expect(found(query('royan'))).toEqual(['Royan', 'royan', 'роян', 'Royan', 'royan']);
  expect(found(query('oʻzbek'))).toEqual(["O'zbek", 'ўзбек']);
  expect(found(query('o‘zbek', { matchesCase: true }))).toEqual([]);
  expect(found(query('O‘zbek', { matchesCase: true }))).toEqual(["O'zbek"]);
});

it('treats oʻ and o as different letters, unless nothing is found that way', () => {
  expect(found(query('o'))).toEqual(['o', 'o', 'o', 'о', 'o', 'o']);
  expect(found(query("o'"))).toEqual(['oʻ', "O'", 'ў', 'ў']);
  expect(found(query('g'))).toEqual([]);
  expect(found(query('ozbek'))).toEqual(["O'zbek", 'ўзбек']);
});

it('finds whole words, one speaker, and patterns; an invalid pattern says so', () => {
  expect(found(query('royan', { isWholeWord: true }))).toEqual(['Royan', 'royan', 'роян', 'royan']);
  expect(found(query('royan', { speakerId: transcript.speakers[1]?.id ?? '' }))).toEqual(['роян']);
  expect(found(query(String.raw`\d+`, { isPattern: true }))).toEqual(['2024']);
  expect(found(query('(', { isPattern: true }))).toBe('bad-pattern');
});

it('replaces all of them as one change, and leaves the times of every other word', () => {
  const one = query('royan');
  const matches = findMatches(transcript, one, () => 0);
  const change = matches.ok
    ? replaceTexts(transcript, replaceMatches(transcript, matches.value, one, 'roʻyan'))
    : matches;
  const applied = change.ok ? applyChange(transcript, change.value) : change;
  if (!applied.ok) throw new Error(applied.error);
  const { segments } = applied.value.transcript;
  expect(segments.map(({ text }) => text)).toEqual([
    "Roʻyan boʻyogʻi. O'zbek roʻyan.",
    'Бўёқ ва roʻyan ўзбек.',
    'Roʻyanni (2024) yigʻamiz, 👋 roʻyan.',
  ]);
  expect(segments[0]?.words[1]).toEqual(transcript.segments[0]?.words[1]);
  const pattern = query(String.raw`\((\d+)\)`, { isPattern: true });
  const year = findMatches(transcript, pattern, () => 0);
  expect(year.ok && [...replaceMatches(transcript, year.value, pattern, '$1-yil').values()]).toEqual([
    'Royanni 2024-yil yigʻamiz, 👋 royan.',
  ]);
});

function replacedIn(said: string, asked: TextQuery, replacement: string): readonly string[] {
  const one = { ...transcript, segments: [{ ...transcript.segments[0]!, text: said, words: [] }] };
  const matches = findMatches(one, asked, () => 0);
  if (!matches.ok) throw new Error(matches.error);
  return [...replaceMatches(one, matches.value, asked, replacement).values()];
}

it('stops a pattern that never ends', () => {
  let now = 0;
  const slow = findMatches(transcript, query('(a+)+$', { isPattern: true }), () => (now += 800));
  expect(slow).toEqual({ ok: false, error: 'too-slow' });
});

it.each<[said: string, wanted: string, replacement: string, result: string, options?: Partial<TextQuery>]>([
  ['Sirni, sirni, SIRNI', 'sirni', 'gʻisht', 'Gʻisht, gʻisht, Gʻisht'],
  ['Сирни сирни', 'сирни', 'ғишт', 'Ғишт ғишт'],
  ['Sirni sirni', 'Sirni', 'gʻisht', 'gʻisht gʻisht'],
  ['Sirni sirni', 'sirni', 'gʻisht', 'Sirni gʻisht', { matchesCase: true }],
  ['Sirni sirni', '(sirni)', '$1ng', 'Sirning sirning', { isPattern: true }],
  ['Sirni sirni', 's[a-z]+', 'gʻisht', 'gʻisht gʻisht', { isPattern: true }],
  ['Sirni', 'sirni', '“gʻisht', '“gʻisht'],
  ['20 kg', '20 kg', 'yigirma', 'yigirma'],
  ['Sirni sirni', 'sirni', '', ' '],
])(
  'of %s, %s becomes %s as in %s: a capital at the beginning stays one',
  (said, wanted, replacement, result, options) => {
    expect(replacedIn(said, query(wanted, options), replacement)).toEqual([result]);
  },
);

it.each([
  ['10 dollars, 20 euros', String.raw`\d+(?= dollars)`, '30', '30 dollars, 20 euros'],
  ['a1 b2 b3', String.raw`(?<=(b))\d`, '-$1', 'a1 b-b b-b'],
])('in %s, the pattern %s replaces what it finds by what stands around it', (said, wanted, replacement, result) => {
  expect(replacedIn(said, query(wanted, { isPattern: true }), replacement)).toEqual([result]);
});
