import fc from 'fast-check';
import { describe, expect, test, it } from 'vitest';
import { forAllIn } from '../../tests/support/for-all.ts';
import type { ReceivedTranscript } from '../../shared/domain/transcript/received.ts';
import { readTranscription, readTranscriptionPage } from './read-transcription.ts';
import { findSpeakers, type RawWord } from './read-transcript.ts';

const isLong = process.env['OVOZ_LONG'] !== undefined;

/** Two speakers with a segment each: the result of reading every shape of an answer. */
const golden: ReceivedTranscript = {
  text: 'Salom, dunyo! Yaxshimisiz?',
  language: 'uz',
  durationMs: 4200,
  segments: [
    {
      text: 'Salom, dunyo!',
      startMs: 120,
      endMs: 1500,
      speaker: 'A',
      words: [
        { text: 'Salom,', startMs: 120, endMs: 700 },
        { text: 'dunyo!', startMs: 760, endMs: 1500 },
      ],
    },
    {
      text: 'Yaxshimisiz?',
      startMs: 2100,
      endMs: 4000,
      speaker: 'B',
      words: [{ text: 'Yaxshimisiz?', startMs: 2100, endMs: 4000 }],
    },
  ],
};

test('words alone become segments at a change of speaker', () => {
  const words = golden.segments.flatMap((segment) =>
    segment.words.map((word) => ({
      word: word.text,
      start: (word.startMs ?? 0) / 1000,
      end: (word.endMs ?? 0) / 1000,
      speaker: segment.speaker,
    })),
  );
  const read = readTranscription({ id: 'tr_1', text: golden.text, words });
  expect(read.transcript?.segments).toEqual(golden.segments);
});

test('speaker turns beside the segments are applied to them', () => {
  const segments = golden.segments.map(({ text, startMs, endMs }) => ({ text, start_ms: startMs, end_ms: endMs }));
  const diarization = [
    { speaker: 'A', start_ms: 0, end_ms: 1800 },
    { speaker: 'B', start_ms: 1800, end_ms: 4200 },
  ];
  const read = readTranscription({ id: 'x', segments, diarization });
  expect(read.transcript?.segments.map(({ speaker }) => speaker)).toEqual(['A', 'B']);
});

test.each([
  [{ id: 'a', status: 'queued' }, 'queued', null],
  [{ id: 'a', status: 'QUEUED', text: '' }, 'queued', null],
  [{ status: 'success', data: { id: 'a', state: 'in-progress' } }, 'processing', null],
  [{ id: 'a', status: { name: 'failed' }, error: { code: 'Bad_Audio', message: 'x' } }, 'failed', null],
  [{ id: 'a', status: 'thawing' }, 'unknown', 'thawing'],
  [{ id: 'a', status: 7 }, 'unknown', null],
  [{ id: 'a', text: 'hi' }, 'completed', null],
] as const)('the state of %j is %s', (body, status, rawStatus) => {
  expect(readTranscription(body)).toMatchObject({ remoteId: 'a', status, rawStatus });
});

test('nothing spoken is a transcript, nothing known is none', () => {
  expect(readTranscription({ id: 'a', status: 'completed', text: '' }).transcript).toEqual({ text: '', segments: [] });
  expect(readTranscription({ id: 'a', status: 'completed' }).transcript).toBeNull();
  expect(readTranscription({ id: 'a', status: 'queued', text: '' }).transcript).toBeNull();
  expect(readTranscription({ result: 'success', data: { id: 'a', status: 'queued' } }).transcript).toBeNull();
  expect(readTranscription({ id: 'a', error: { code: 'Bad_Audio' } }).errorCode).toBe('bad_audio');
});

test.each([['.'], ['..'], ['x'.repeat(513)], ['a\u0000b'], ['\ud800'], [''], [true], [null], [{}]])(
  'F-38: %j is no identifier',
  (id) => {
    expect(readTranscription({ id, text: 'x' }).remoteId).toBeNull();
  },
);

test('F-38: an identifier may be a number or hold any printable character', () => {
  expect(readTranscription({ id: 12 }).remoteId).toBe('12');
  expect(readTranscription({ id: '../../etc/passwd' }).remoteId).toBe('../../etc/passwd');
});

test('impossible times are missing', () => {
  const segments = [
    { text: 'a', start_ms: -5, end_ms: 10 },
    { text: 'b', start_ms: 30, end_ms: 20 },
    { text: 'c', start_ms: '1e999', end_ms: null },
  ];
  expect(readTranscription({ segments }).transcript?.segments).toEqual([
    { text: 'a', endMs: 10, words: [] },
    { text: 'b', startMs: 30, words: [] },
    { text: 'c', words: [] },
  ]);
});

test('bare times are read in their true unit for any plausible speech', () => {
  const part = fc.record({
    pauseMs: fc.integer({ min: 0, max: 20_000 }),
    characters: fc.integer({ min: 4, max: 200 }),
    pace: fc.integer({ min: 7, max: 24 }),
  });
  const speech = fc.array(part, { minLength: 1, maxLength: 30 }).map((parts) => {
    let clockMs = 0;
    return parts.map(({ pauseMs, characters, pace }) => {
      const startMs = clockMs + pauseMs;
      clockMs = startMs + Math.ceil((characters * 1000) / pace);
      return { text: 'a'.repeat(characters), startMs, endMs: clockMs };
    });
  });
  const units = fc.constantFrom('ms', 'seconds', 'whole seconds');
  forAllIn(isLong ? 20_000 : 1000, speech, units, fc.boolean(), (parts, unit, hasDuration) => {
    const inUnit = (ms: number, round: (value: number) => number): number =>
      unit === 'whole seconds' ? round(ms / 1000) : ms / (unit === 'ms' ? 1 : 1000);
    const segments = parts.map(({ text, startMs, endMs }) => ({
      text,
      start: inUnit(startMs, Math.floor),
      end: inUnit(endMs, Math.ceil),
    }));
    const lengthMs = (parts.at(-1)?.endMs ?? 0) + 500;
    const duration = hasDuration ? { duration: inUnit(lengthMs, Math.ceil) } : {};
    const read = readTranscription({ segments, ...duration }).transcript;
    for (const [at, { startMs, endMs }] of parts.entries()) {
      const found = read?.segments[at];
      expect(Math.abs((found?.startMs ?? -1) - startMs)).toBeLessThanOrEqual(1000);
      expect(Math.abs((found?.endMs ?? -1) - endMs)).toBeLessThanOrEqual(1000);
    }
    if (hasDuration) expect(Math.abs((read?.durationMs ?? -1) - lengthMs)).toBeLessThanOrEqual(1000);
  });
});

describe('lists', () => {
  const [title, createdAt] = ['One', '2026-11-20T00:00:00Z'];
  const items = [
    { id: 'a', title, status: 'completed', created_at: createdAt, duration_ms: 1200, language: 'uz' },
    { transcription_id: 'b', state: 'queued' },
    { title: 'no id' },
  ];
  test.each([
    ['items', { items, nextCursor: 'c1' }],
    ['data.transcriptions', { data: { transcriptions: items, next_cursor: 'c1' }, request_id: 'r' }],
    ['results', { results: items, next: 'c1' }],
  ])('under %s', (_name, body) => {
    expect(readTranscriptionPage(body)).toEqual({
      items: [
        { remoteId: 'a', title, status: 'completed', createdAt, durationMs: 1200, language: 'uz' },
        { remoteId: 'b', title: null, status: 'queued', createdAt: null, durationMs: null, language: null },
      ],
      nextCursor: 'c1',
    });
  });

  test('a bare list, an empty list and no list are distinguished', () => {
    expect(readTranscriptionPage(items)?.items).toHaveLength(2);
    expect(readTranscriptionPage({ data: [], next_cursor: null })).toEqual({ items: [], nextCursor: null });
    expect(readTranscriptionPage({ message: 'hello' })).toBeNull();
    expect(readTranscriptionPage('<html>')).toBeNull();
  });
});

type Fields = Record<string, unknown>;
type Ways<Values extends readonly unknown[]> = Readonly<Record<string, (...values: Values) => Fields>>;
const clock = (ms: number): string => `00:00:0${Math.floor(ms / 1000)}.${String(ms % 1000).padStart(3, '0')}`;

/** Ways to write a part of an answer, by the name of the shape. The first of each is the usual one. */
const ways = {
  span: {
    start_ms: (start_ms, end_ms) => ({ start_ms, end_ms }),
    seconds: (start, end) => ({ start: start / 1000, end: end / 1000 }),
    'bare milliseconds': (start, end) => ({ start, end }),
    start_time: (start, end) => ({ start_time: start / 1000, end_time: end / 1000 }),
    clocks: (start, end) => ({ start: clock(start), end: clock(end) }),
    'offset and duration': (start, end) => ({ offset: start, duration: end - start }),
    timestamp: (start, end) => ({ timestamp: [start / 1000, end / 1000] }),
  } as Ways<[number, number]>,
  text: {
    text: (text) => ({ text }),
    transcript: (transcript) => ({ transcript }),
    'result.text': (text) => ({ result: { text } }),
  } as Ways<[string]>,
  speaker: {
    speaker: (speaker) => ({ speaker }),
    speaker_label: (speaker_label) => ({ speaker_label }),
    'speaker.name': (name) => ({ speaker: { name, confidence: 1 } }),
  } as Ways<[string]>,
  duration: {
    duration_ms: () => ({ duration_ms: 4200 }),
    'duration in seconds': () => ({ duration: 4.2 }),
    'duration in ms': () => ({ duration: 4200 }),
  } as Ways<[]>,
  wrapper: {
    top: (fields) => fields,
    data: (fields) => ({ data: fields, request_id: 'req_1' }),
    'data.transcription': (fields) => ({ data: { transcription: fields }, message: 'ok' }),
    'data.result.item': (fields) => ({ data: { result: { item: fields } } }),
  } as Ways<[Fields]>,
  id: {
    id: () => ({ id: 'tr_1' }),
    transcription_id: () => ({ transcription_id: 'tr_1' }),
    'id beside job_id': () => ({ job_id: 'other', id: 'tr_1' }),
  } as Ways<[]>,
};

interface Shape extends Partial<Record<keyof typeof ways, string>> {
  readonly list?: string;
  readonly wordName?: string;
  readonly wordsBeside?: boolean;
  readonly extra?: Fields;
}

function write(shape: Shape): unknown {
  const { list = 'segments', wordName = 'text', wordsBeside = false, extra } = shape;
  const { span = 'start_ms', text = 'text', speaker = 'speaker', wrapper = 'top', id = 'id' } = shape;
  const timed = ({ startMs = 0, endMs = 0 }: { startMs?: number; endMs?: number }) => ways.span[span]?.(startMs, endMs);
  const word = (said: { text: string; startMs?: number; endMs?: number }): Fields => ({
    [wordName]: said.text,
    ...timed(said),
    ...extra,
  });
  const segments = golden.segments.map((segment) => ({
    text: segment.text,
    ...timed(segment),
    ...ways.speaker[speaker]?.(segment.speaker ?? ''),
    ...(!wordsBeside && { words: segment.words.map(word) }),
    ...extra,
  }));
  return ways.wrapper[wrapper]?.({
    ...ways.id[id]?.(),
    status: 'completed',
    language: 'uz',
    ...ways.duration[shape.duration ?? 'duration_ms']?.(),
    ...ways.text[text]?.(golden.text),
    [list]: segments,
    ...(wordsBeside && { words: golden.segments.flatMap((segment) => segment.words.map(word)) }),
    ...extra,
  });
}

const spans = Object.keys(ways.span);
const shapes: readonly Shape[] = [
  ...spans.map((span) => ({ span })),
  ...Object.keys(ways.text).map((text) => ({ text })),
  ...Object.keys(ways.speaker).map((speaker) => ({ speaker })),
  ...Object.keys(ways.wrapper).map((wrapper) => ({ wrapper })),
  ...Object.keys(ways.id).map((id) => ({ id })),
  ...spans.map((span) => ({ span, wordsBeside: true })),
  ...Object.keys(ways.duration).flatMap((duration) => spans.map((span) => ({ duration, span }))),
  ...Object.keys(ways.wrapper).map((wrapper) => ({ wrapper, text: 'result.text' })),
  ...['segments', 'utterances', 'chunks', 'diarization'].map((list) => ({ list })),
  ...['word', 'punctuated_word'].map((wordName) => ({ wordName })),
  { extra: { confidence: 0.5, x: { y: [1] }, tags: [], note: null } },
];

test.each(shapes)('every usual shape gives the same transcript: %o', (shape) => {
  const read = readTranscription(write(shape));
  expect(read).toMatchObject({ remoteId: 'tr_1', status: 'completed', rawStatus: null, errorCode: null });
  expect(read.transcript).toEqual(golden);
});

const turn = (startMs: number, endMs: number, speaker: string): RawWord => ({
  text: '',
  span: { start: { value: startMs, unit: 'ms' }, end: { value: endMs, unit: 'ms' } },
  speaker,
});

it('the speaker who overlaps a time the longest is found, as by checking every turn; of equals the first', () => {
  const spans = fc.array(fc.tuple(fc.nat(60), fc.nat(25)), { minLength: 1, maxLength: 30 });
  forAllIn(2000, spans, fc.nat(90), fc.nat(30), (given, from, length) => {
    const turns = given.map(([start, ms], at) => turn(start, start + ms, `S${at}`));
    const overlaps = given.map(([start, ms]) => Math.min(start + ms, from + length) - Math.max(start, from));
    const longest = Math.max(...overlaps);
    const best = longest > 0 ? `S${overlaps.indexOf(longest)}` : undefined;
    expect(findSpeakers(turns, 1)(from, from + length)).toBe(best);
  });
});
