import fc from 'fast-check';
import { describe, expect, test, it } from 'vitest';
import { forAllIn } from '../../../tests/support/for-all.ts';
import { findViolations } from './find-violations.ts';
import { toTranscript } from './from-received.ts';
import { joinReceived, type ReceivedSegment, type ReceivedTranscript } from './received.ts';
import type { Transcript } from './transcript.ts';
import { toLean, toWhole } from './lean-transcript.ts';

const isLong = process.env['OVOZ_LONG'] !== undefined;
const segment = (text: string, more: Partial<ReceivedSegment> = {}): ReceivedSegment => ({ text, words: [], ...more });
const received = (
  segments: readonly ReceivedSegment[],
  more: Partial<ReceivedTranscript> = {},
): ReceivedTranscript => ({
  text: '',
  segments,
  ...more,
});
const times = (transcript: Transcript): (readonly [number, number])[] =>
  transcript.segments.map(({ startMs, endMs }) => [startMs, endMs]);

test('times, words, speakers and ids of a complete answer are kept', () => {
  const words = [
    { text: 'Salom', startMs: 100, endMs: 400 },
    { text: 'dunyo', startMs: 450, endMs: 900 },
  ];
  const first = segment('Salom, dunyo!', { startMs: 100, endMs: 900, speaker: 'SPEAKER_01', words });
  const second = segment('Ha.', { startMs: 1000, endMs: 1300, speaker: 'SPEAKER_00' });
  const transcript = toTranscript(received([first, second]), { language: 'uz', durationMs: 2000 });
  expect(findViolations(transcript)).toEqual([]);
  expect(transcript.durationMs).toBe(2000);
  expect(transcript.speakers.map(({ id, name }) => [id, name])).toEqual([
    ['p1', null],
    ['p2', null],
  ]);
  expect(transcript.segments.map(({ id, speakerId }) => [id, speakerId])).toEqual([
    ['s1', 'p1'],
    ['s2', 'p2'],
  ]);
  expect(transcript.segments.flatMap((one) => one.words)).toEqual([
    { ...words[0], text: 'Salom,' },
    { ...words[1], text: 'dunyo!' },
    { text: 'Ha.', startMs: 1000, endMs: 1300, isEstimated: true },
  ]);
});

test('segments without times fill the gap between their neighbours by length of text', () => {
  const [first, last] = [segment('a', { startMs: 0, endMs: 1000 }), segment('c', { startMs: 3000, endMs: 4000 })];
  const segments = [first, segment('bbb'), segment('bbb'), last];
  expect(times(toTranscript(received(segments), { language: 'en', durationMs: 5000 })).slice(1, 3)).toEqual([
    [1000, 2000],
    [2000, 3000],
  ]);
});

test('a bare text is cut into pieces of a few sentences over the whole recording', () => {
  const text = `${'Bu gap. '.repeat(100)}\nIkkinchi xatboshi.`;
  const transcript = toTranscript({ text, segments: [] }, { language: 'uz', durationMs: 60_000 });
  expect(findViolations(transcript)).toEqual([]);
  expect(transcript.segments.length).toBeGreaterThan(2);
  expect(transcript.segments.every((piece) => piece.text.length <= 600)).toBe(true);
  expect(transcript.segments.at(-1)).toMatchObject({ text: 'Ikkinchi xatboshi.', endMs: 60_000 });
  expect(transcript.segments.flatMap(({ words }) => words).every((word) => word.isEstimated === true)).toBe(true);
});

test('a phrase that was cut is one again: a space between its parts, each after the one before, and all are paid for', () => {
  const part = (text: string): ReceivedTranscript => ({
    text: ` ${text} `,
    durationMs: 1000,
    segments: [segment(text, { startMs: 100, endMs: 900, words: [{ text, startMs: 100 }] })],
    paidIds: [text],
  });
  const joined = joinReceived(['Bir', 'ikki,', 'uch.'].map(part));
  expect(joined).toMatchObject({ text: 'Bir ikki, uch.', durationMs: 3000, paidIds: ['Bir', 'ikki,', 'uch.'] });
  expect(joined?.segments.map(({ startMs, endMs, words }) => [startMs, endMs, words[0]?.startMs])).toEqual([
    [100, 900, 100],
    [1100, 1900, 1100],
    [2100, 2900, 2100],
  ]);
});

test('overlaps are cut within one speaker and kept between two', () => {
  const transcript = toTranscript(
    received([
      segment('one', { startMs: 0, endMs: 1000, speaker: 'A' }),
      segment('two', { startMs: 600, endMs: 1500, speaker: 'B' }),
      segment('three', { startMs: 800, endMs: 2000, speaker: 'A' }),
    ]),
    { language: 'en' },
  );
  expect(times(transcript)).toEqual([
    [0, 800],
    [600, 1500],
    [800, 2000],
  ]);
});

const time = fc.option(fc.oneof(fc.integer({ min: 0, max: 100_000 }), fc.constantFrom(Number.NaN, Infinity, -3, 0.5)), {
  nil: undefined,
});
const spoken = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('Salom, dunyo.', 'a b c', '\u0000', 'x'.repeat(700)),
);
const word = fc.record({ text: spoken, startMs: time, endMs: time });
const anySegment = fc.record({
  text: spoken,
  startMs: time,
  endMs: time,
  speaker: fc.option(fc.constantFrom('A', 'B', ''), { nil: undefined }),
  words: fc.array(word, { maxLength: 6 }),
});
const known = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T;
const anyReceived = fc.record({ text: spoken, durationMs: time, segments: fc.array(anySegment, { maxLength: 12 }) });

test('any received transcript becomes one that keeps every rule of the model, always the same', () => {
  forAllIn(isLong ? 50_000 : 2000, anyReceived, time, (given, measured) => {
    const segments = given.segments.map((item) => known({ ...item, words: item.words.map(known) }));
    const input = known({ ...given, segments }) as ReceivedTranscript;
    const facts = { language: 'uz', durationMs: measured ?? null } as const;
    const transcript = toTranscript(input, facts);
    expect(findViolations(transcript)).toEqual([]);
    expect(toTranscript(input, facts)).toEqual(transcript);
  });
});

test('a violation of every rule is detected', () => {
  const said = [
    segment('a b', { startMs: 0, endMs: 10, speaker: 'A' }),
    segment('c', { startMs: 20, endMs: 30, speaker: 'A' }),
  ];
  const whole = toTranscript(received(said), { language: 'en', durationMs: 30 });
  const [first, second] = whole.segments;
  if (first === undefined || second === undefined) throw new Error('two segments were given');
  const rules = (change: Partial<Transcript>): string[] =>
    findViolations({ ...whole, ...change }).map(({ rule }) => rule);
  expect(rules({ segments: [first, { ...second, id: 's1' }] })).toContain('id-not-unique');
  expect(rules({ durationMs: 0.5 })).toContain('time-not-whole');
  expect(rules({ segments: [{ ...first, endMs: -1 }] })).toContain('ends-before-start');
  expect(rules({ segments: [second, first] })).toContain('out-of-order');
  expect(rules({ segments: [{ ...first, endMs: 25 }, second] })).toContain('overlap-of-one-speaker');
  expect(rules({ durationMs: 29 })).toContain('beyond-duration');
  expect(rules({ segments: [{ ...first, startMs: 3 }] })).toContain('word-outside-segment');
  expect(rules({ segments: [{ ...first, words: first.words.toReversed() }] })).toContain('words-out-of-order');
  expect(rules({ segments: [{ ...first, text: 'other' }] })).toContain('text-differs-from-words');
  expect(rules({ speakers: [] })).toContain('unknown-speaker');
});

describe('lean transcript', () => {
  const received = {
    text: '',
    segments: [
      { text: 'Bir ikki, uch toʻrt.', startMs: 0, endMs: 2000, words: [] },
      { text: 'besh olti', startMs: 2000, endMs: 3000, words: [{ text: 'olti', startMs: 2600, endMs: 2900 }] },
      { text: 'yetti', startMs: 3000, endMs: 3000, words: [] },
    ],
  };
  const whole = toTranscript(received, { language: 'uz' });

  it('words with computed times are left out and restored unchanged', () => {
    const lean = toLean(whole);
    expect(lean.segments.map(({ words }) => words?.length)).toEqual([undefined, 2, undefined]);
    expect(toWhole(JSON.parse(JSON.stringify(lean)))).toEqual(whole);
  });

  it('words that would not be restored exactly are stored', () => {
    const [first, ...others] = whole.segments;
    if (first === undefined) throw new Error('no segment');
    const moved = first.words.map((word) => ({ ...word, startMs: word.startMs + 1 }));
    const marked = first.words.map((word) => ({ ...word, mark: 'cut' as const }));
    for (const words of [moved, marked, first.words.slice(1)]) {
      const changed = { ...whole, segments: [{ ...first, words }, ...others] };
      expect(toLean(changed).segments[0]?.words).toEqual(words);
      expect(toWhole(toLean(changed))).toEqual(changed);
    }
  });
});
