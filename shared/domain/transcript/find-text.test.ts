import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAllIn } from '../../../tests/support/for-all.ts';
import type { SpeechLanguage } from '../languages.ts';
import { toUzbekCyrillic, toUzbekLatin } from '../text/transliterate-uzbek.ts';
import { findMatches, replaceMatches, type TextQuery } from './find-text.ts';
import { toTranscript } from './from-received.ts';
import type { Transcript } from './transcript.ts';

/** A search for these letters in any case. */
const query = (text: string, more: Partial<TextQuery> = {}): TextQuery => ({
  text,
  matchesCase: false,
  isWholeWord: false,
  isPattern: false,
  speakerId: null,
  ...more,
});
const transcriptOf = (texts: readonly (readonly [speaker: string, text: string])[], language: SpeechLanguage = 'uz') =>
  toTranscript(
    { text: '', segments: texts.map(([speaker, text]) => ({ text, speaker, words: [] })) },
    { language, durationMs: 9000 },
  );
const matchesIn = (transcript: Transcript, wanted: TextQuery) => {
  const result = findMatches(transcript, wanted, () => 0);
  if (!result.ok) throw new Error(result.error);
  return result.value;
};
const foundIn = (transcript: Transcript, wanted: TextQuery) =>
  matchesIn(transcript, wanted).map(({ segmentId, from, to }) =>
    transcript.segments.find(({ id }) => id === segmentId)?.text.slice(from, to),
  );
const found = (text: string, wanted: TextQuery, language: SpeechLanguage = 'uz') =>
  foundIn(transcriptOf([['a', text]], language), wanted);
const replaced = (text: string, wanted: TextQuery, replacement: string, language: SpeechLanguage = 'uz') => {
  const transcript = transcriptOf([['a', text]], language);
  return replaceMatches(transcript, matchesIn(transcript, wanted), wanted, replacement).get('s1');
};
const pattern = (text: string) => query(text, { isPattern: true });

const talk = transcriptOf([
  ['a', "Royan boʻyogʻi. O'zbek royan."],
  ['b', 'Бўёқ ва роян ўзбек.'],
  ['a', 'Royanni (2024) yigʻamiz, 👋 royan.'],
]);

it('finds words in every alphabet and with every apostrophe, unless case matters', () => {
  expect(foundIn(talk, query('royan'))).toEqual(['Royan', 'royan', 'роян', 'Royan', 'royan']);
  expect(foundIn(talk, query('oʻzbek'))).toEqual(["O'zbek", 'ўзбек']);
  expect(foundIn(talk, query('o‘zbek', { matchesCase: true }))).toEqual([]);
  expect(foundIn(talk, query('O‘zbek', { matchesCase: true }))).toEqual(["O'zbek"]);
});

it('finds whole words, one speaker, and patterns; one that is invalid or never ends says so', () => {
  expect(foundIn(talk, query('royan', { isWholeWord: true }))).toEqual(['Royan', 'royan', 'роян', 'royan']);
  expect(foundIn(talk, query('royan', { speakerId: talk.speakers[1]?.id ?? '' }))).toEqual(['роян']);
  expect(foundIn(talk, pattern(String.raw`\d+`))).toEqual(['2024']);
  expect(findMatches(talk, pattern('('), () => 0)).toEqual({ ok: false, error: 'bad-pattern' });
  let now = 0;
  expect(findMatches(talk, pattern('(a+)+$'), () => (now += 800))).toEqual({ ok: false, error: 'too-slow' });
});

it.each<[said: string, wanted: TextQuery, replacement: string, result: string]>([
  ['Sirni, sirni, SIRNI', query('sirni'), 'gʻisht', 'Gʻisht, gʻisht, Gʻisht'],
  ['Sirni sirni', pattern('(sirni)'), '$1ng', 'Sirning sirning'],
  ['10 dollars, 20 euros', pattern(String.raw`\d+(?= dollars)`), '30', '30 dollars, 20 euros'],
  ['a1 b2 b3', pattern(String.raw`(?<=(b))\d`), '-$1', 'a1 b-b b-b'],
  ['Keldi usta!', query('usta'), "san`at 'o'g'il'", "Keldi sanʼat 'oʻgʻil'!"],
  ["go'sht togri", pattern('(o)g(ri)'), "$1'g'$2", "go'sht toʻgʻri"],
  ['Келди уста', query('уста'), "o'g'il", "Келди o'g'il"],
])('in %s, %o becomes %s with its capital and the letters of Uzbek: %s', (said, wanted, replacement, result) => {
  expect(replaced(said, wanted, replacement)).toBe(result);
});

describe('what is found in Uzbek', () => {
  it.each([
    ['Eng katta yeng', 'yeng', ['yeng']],
    ['поезд', 'yezd', ['езд']],
    ['Исҳоқ, Is’hoq', 'ishoq', ['Исҳоқ', 'Is’hoq']],
  ])('in %s, %s is a part of a word in either alphabet, and never a part of a letter', (text, wanted, parts) => {
    expect(found(text, query(wanted))).toEqual(parts);
  });

  const syllable = fc.constantFrom(
    ...'a o u e ya yu yo ye sha cho choʻ gʻi oʻ toʻ ye tse tsi bo ben yet er qa sho xu boy may sʼho maʼ jur'.split(' '),
    ...'sentabr yer yangi yoʻl yetti obyekt konsert aprel poyezd budjet ekin sanʼat meʼyor Yevropa'.split(' '),
  );
  const latin = fc.array(syllable, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
  const word = fc
    .tuple(latin, fc.boolean(), fc.constantFrom('small', 'Title', 'LOUD'))
    .filter(([text]) => text.length > 2)
    .map(([text, isCyrillic, letters]) => {
      const written = isCyrillic ? toUzbekCyrillic(text) : text;
      if (letters === 'LOUD') return written.toUpperCase();
      return letters === 'Title' ? written.slice(0, 1).toUpperCase() + written.slice(1) : written;
    });
  const around = fc.constantFrom('', 'Men ', '“', 'bir, ', 'Ва ', '5 ');

  it('is exactly any word, as it is written and in the other alphabet', () => {
    forAllIn(2000, word, around, around, fc.boolean(), (written, before, after, isWholeWord) => {
      const text = `${before}${written} ${after}`.trim();
      for (const typed of [written, toUzbekLatin(written), toUzbekCyrillic(written)]) {
        const wanted = query(typed, { isWholeWord });
        expect([typed, found(text, wanted)]).toEqual([typed, [written]]);
        expect(replaced(text, wanted, '#')).toBe(text.replace(written, '#'));
      }
    });
  });
});

it.each<[written: string, typed: string, options: Partial<TextQuery>, isFound: boolean]>([
  ['ёлка', 'елка', {}, true],
  ['ёлка'.normalize('NFD'), 'елка', { isWholeWord: true }, true],
  ['ёлка', 'елка', { matchesCase: true }, false],
])('in Russian, %s is found as %s with %o: %s', (written, typed, options, isFound) => {
  expect(found(`У нас ${written} есть`, query(typed, options), 'ru')).toEqual(isFound ? [written] : []);
});

it('a replaced word keeps its capital, unless the capital was looked for', () => {
  expect(replaced('Royan keldi', query('royan'), 'adras')).toBe('Adras keldi');
  expect(replaced('Royan keldi', query('Royan'), 'adras')).toBe('adras keldi');
});
