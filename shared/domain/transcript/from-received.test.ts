import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findViolations } from './find-violations.ts';
import { toTranscript } from './from-received.ts';
import type { ReceivedSegment, ReceivedTranscript } from './received.ts';
import type { Transcript } from './transcript.ts';

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
  const transcript = toTranscript(
    received([
      segment('Salom, dunyo!', { startMs: 100, endMs: 900, speaker: 'SPEAKER_01', words }),
      segment('Ha.', { startMs: 1000, endMs: 1300, speaker: 'SPEAKER_00' }),
    ]),
    { language: 'uz', durationMs: 2000 },
  );
  expect(findViolations(transcript)).toEqual([]);
  expect(transcript).toMatchObject({
    durationMs: 2000,
    speakers: [
      { id: 'p1', name: null },
      { id: 'p2', name: null },
    ],
    segments: [
      {
        id: 's1',
        speakerId: 'p1',
        words: [
          { text: 'Salom,', startMs: 100, endMs: 400 },
          { text: 'dunyo!', startMs: 450, endMs: 900 },
        ],
      },
      {
        id: 's2',
        speakerId: 'p2',
        words: [{ text: 'Ha.', startMs: 1000, endMs: 1300, isEstimated: true }],
      },
    ],
  });
});

test('words without times are spread by length between timed ones, and marked', () => {
  const transcript = toTranscript(
    received([
      segment('bir ikki uch', { startMs: 0, endMs: 1000, words: [{ text: 'uch', startMs: 700, endMs: 1000 }] }),
    ]),
    { language: 'uz' },
  );
  expect(transcript.segments[0]?.words).toEqual([
    { text: 'bir', startMs: 0, endMs: 300, isEstimated: true },
    { text: 'ikki', startMs: 300, endMs: 700, isEstimated: true },
    { text: 'uch', startMs: 700, endMs: 1000 },
  ]);
});

test('segments without times fill the gap between their neighbours by length of text', () => {
  const transcript = toTranscript(
    received([
      segment('a', { startMs: 0, endMs: 1000 }),
      segment('bbb'),
      segment('bbb'),
      segment('c', { startMs: 3000, endMs: 4000 }),
    ]),
    { language: 'en', durationMs: 5000 },
  );
  expect(times(transcript)).toEqual([
    [0, 1000],
    [1000, 2000],
    [2000, 3000],
    [3000, 4000],
  ]);
});

test('a segment without an end takes its usual time where the one behind it in the file is earlier in time', () => {
  const transcript = toTranscript(
    received([
      segment('bir', { startMs: 1000, endMs: 3000 }),
      segment('ikki uch toʻrt', { startMs: 99_000, endMs: 62_000 }),
      segment('olti', { startMs: 65_000, endMs: 67_000 }),
    ]),
    { language: 'uz' },
  );
  expect(findViolations(transcript)).toEqual([]);
  expect(times(transcript)).toEqual([
    [1000, 3000],
    [65_000, 67_000],
    [99_000, 100_000],
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

test('nothing spoken gives an empty transcript of the known length', () => {
  expect(toTranscript({ text: ' \n', segments: [] }, { language: 'ru', durationMs: 900 })).toEqual({
    language: 'ru',
    durationMs: 900,
    speakers: [],
    segments: [],
  });
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

test('any received transcript becomes one that keeps every rule of the model, always the same', () => {
  fc.assert(
    fc.property(fc.array(anySegment, { maxLength: 12 }), spoken, time, time, (segments, text, durationMs, measured) => {
      const input = known({
        text,
        durationMs,
        segments: segments.map((item) => known({ ...item, words: item.words.map(known) })),
      }) as ReceivedTranscript;
      const facts = { language: 'uz', durationMs: measured ?? null } as const;
      const transcript = toTranscript(input, facts);
      expect(findViolations(transcript)).toEqual([]);
      expect(toTranscript(input, facts)).toEqual(transcript);
    }),
    { numRuns: isLong ? 50_000 : 2000 },
  );
});

test('a violation of every rule is detected', () => {
  const whole = toTranscript(
    received([
      segment('a b', { startMs: 0, endMs: 10, speaker: 'A' }),
      segment('c', { startMs: 20, endMs: 30, speaker: 'A' }),
    ]),
    { language: 'en', durationMs: 30 },
  );
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

test('lines that begin in the same second share its time in their order, whoever speaks', () => {
  const lines = [
    segment('salom', { startMs: 5000, speaker: 'A' }),
    segment('salom', { startMs: 5000, speaker: 'A' }),
    segment('ha', { startMs: 5000, speaker: 'B' }),
    segment('xayr', { startMs: 6000, speaker: 'B' }),
  ];
  const { segments } = toTranscript(received(lines), { language: 'uz' });
  expect(segments.map(({ text }) => text)).toEqual(['salom', 'salom', 'ha', 'xayr']);
  expect(segments[2]?.endMs).toBe(6000);
});
