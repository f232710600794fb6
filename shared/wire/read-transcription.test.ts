import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseGuardedJson } from '../domain/failures/guarded-json.ts';
import type { ReceivedTranscript } from '../domain/transcript/received.ts';
import { readTranscription, readTranscriptionPage } from './read-transcription.ts';

const isLong = process.env['OVOZ_LONG'] !== undefined;

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

type Fields = Record<string, unknown>;
const clock = (ms: number): string => `00:00:0${Math.floor(ms / 1000)}.${String(ms % 1000).padStart(3, '0')}`;

/** Ways to write a span, by the name of the shape. */
const spans: Record<string, (startMs: number, endMs: number) => Fields> = {
  start_ms: (start_ms, end_ms) => ({ start_ms, end_ms }),
  startMs: (startMs, endMs) => ({ startMs, endMs }),
  seconds: (start, end) => ({ start: start / 1000, end: end / 1000 }),
  'seconds as text': (start, end) => ({ start: String(start / 1000), end: `${end / 1000}s` }),
  'bare milliseconds': (start, end) => ({ start, end }),
  start_time: (start, end) => ({ start_time: start / 1000, end_time: end / 1000 }),
  'start_time in ms': (start, end) => ({ start_time: start, end_time: end }),
  clocks: (start, end) => ({ start: clock(start), end: clock(end) }),
  'offset and duration': (start, end) => ({ offset: start, duration: end - start }),
  timestamp: (start, end) => ({ timestamp: [start / 1000, end / 1000] }),
};
const texts: Record<string, (text: string) => Fields> = {
  text: (text) => ({ text }),
  transcript: (transcript) => ({ transcript }),
  transcription: (transcription) => ({ transcription }),
  'result.text': (text) => ({ result: { text } }),
};
const speakers: Record<string, (name: string) => Fields> = {
  speaker: (speaker) => ({ speaker }),
  speaker_label: (speaker_label) => ({ speaker_label }),
  speaker_id: (speaker_id) => ({ speaker_id }),
  'speaker.name': (name) => ({ speaker: { name, confidence: 1 } }),
};
const durations: Record<string, Fields> = {
  duration_ms: { duration_ms: 4200 },
  'duration in seconds': { duration: 4.2 },
  'duration in ms': { duration: 4200 },
};
const wrappers: Record<string, (fields: Fields) => unknown> = {
  top: (fields) => fields,
  data: (fields) => ({ data: fields, request_id: 'req_1' }),
  'data.transcription': (fields) => ({ data: { transcription: fields }, message: 'ok' }),
  transcription: (fields) => ({ transcription: fields }),
  item: (fields) => ({ item: fields }),
  'data.result.item': (fields) => ({ data: { result: { item: fields } } }),
};
const ids: Record<string, Fields> = {
  id: { id: 'tr_1' },
  transcription_id: { transcription_id: 'tr_1' },
  transcriptionId: { transcriptionId: 'tr_1' },
  uuid: { uuid: 'tr_1' },
  'id beside job_id': { job_id: 'other', id: 'tr_1' },
};
const segmentLists = ['segments', 'utterances', 'chunks', 'diarization'];

interface Shape {
  readonly span?: string;
  readonly text?: string;
  readonly speaker?: string;
  readonly duration?: string;
  readonly wrapper?: string;
  readonly id?: string;
  readonly list?: string;
  readonly wordName?: string;
  readonly wordsBeside?: boolean;
  readonly extra?: Fields;
}

function write(shape: Shape): unknown {
  const span = spans[shape.span ?? 'start_ms'] ?? (() => ({}));
  const speaker = speakers[shape.speaker ?? 'speaker'] ?? (() => ({}));
  const wordName = shape.wordName ?? 'text';
  const word = (at: { text: string; startMs?: number; endMs?: number }): Fields => ({
    [wordName]: at.text,
    ...span(at.startMs ?? 0, at.endMs ?? 0),
    ...shape.extra,
  });
  const segments = golden.segments.map((segment) => ({
    text: segment.text,
    ...span(segment.startMs ?? 0, segment.endMs ?? 0),
    ...speaker(segment.speaker ?? ''),
    ...(shape.wordsBeside ? {} : { words: segment.words.map(word) }),
    ...shape.extra,
  }));
  const fields: Fields = {
    ...ids[shape.id ?? 'id'],
    status: 'completed',
    language: 'uz',
    ...durations[shape.duration ?? 'duration_ms'],
    ...(texts[shape.text ?? 'text'] ?? (() => ({})))(golden.text),
    [shape.list ?? 'segments']: segments,
    ...(shape.wordsBeside ? { words: golden.segments.flatMap((segment) => segment.words.map(word)) } : {}),
    ...shape.extra,
  };
  return (wrappers[shape.wrapper ?? 'top'] ?? ((inner) => inner))(fields);
}

const shapes: [string, Shape][] = [
  ...Object.keys(spans).map((span): [string, Shape] => [`times as ${span}`, { span }]),
  ...Object.keys(spans).map((span): [string, Shape] => [`words beside, ${span}`, { span, wordsBeside: true }]),
  ...Object.keys(texts).map((text): [string, Shape] => [`text as ${text}`, { text }]),
  ...Object.keys(speakers).map((speaker): [string, Shape] => [`speaker as ${speaker}`, { speaker }]),
  ...Object.keys(durations).flatMap((duration) =>
    Object.keys(spans).map((span): [string, Shape] => [`${duration}, ${span}`, { duration, span }]),
  ),
  ...Object.keys(wrappers).map((wrapper): [string, Shape] => [`under ${wrapper}`, { wrapper }]),
  ...Object.keys(wrappers).map((wrapper): [string, Shape] => [
    `${wrapper}, result.text`,
    { wrapper, text: 'result.text' },
  ]),
  ...Object.keys(ids).map((id): [string, Shape] => [`id as ${id}`, { id }]),
  ...segmentLists.map((list): [string, Shape] => [`segments as ${list}`, { list }]),
  ['words as word', { wordName: 'word' }],
  ['words as punctuated_word', { wordName: 'punctuated_word' }],
  ['unknown fields everywhere', { extra: { confidence: 0.5, x: { y: [1] }, tags: [], note: null } }],
];

describe('every usual shape gives the same transcript', () => {
  test.each(shapes)('%s', (_name, shape) => {
    const read = readTranscription(write(shape));
    expect(read).toMatchObject({ remoteId: 'tr_1', status: 'completed', rawStatus: null, errorCode: null });
    expect(read.transcript).toEqual(golden);
  });
});

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

test('turns of speakers that stand beside the segments are laid over them', () => {
  const segments = golden.segments.map(({ text, startMs, endMs }) => ({ text, start_ms: startMs, end_ms: endMs }));
  const diarization = [
    { speaker: 'A', start_ms: 0, end_ms: 1800 },
    { speaker: 'B', start_ms: 1800, end_ms: 4200 },
  ];
  const read = readTranscription({ id: 'x', segments, diarization });
  expect(read.transcript?.segments.map(({ speaker }) => speaker)).toEqual(['A', 'B']);
});

test('nested alternatives are read', () => {
  const alternatives = [{ transcript: 'Salom, dunyo!', words: [{ word: 'Salom,', start: 0.1, end: 0.5 }] }];
  expect(readTranscription({ results: { channels: [{ alternatives }] } }).transcript?.text).toBe('Salom, dunyo!');
  expect(readTranscription({ results: [{ alternatives }, { alternatives }] }).transcript?.segments).toHaveLength(2);
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

test('times that can not be are missing', () => {
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

test('fractions mean seconds, however little is said in them', () => {
  const quiet = { text: 'Ha', start: 0.5, end: 30.25 };
  expect(readTranscription({ segments: [quiet] }).transcript?.segments[0]).toMatchObject({
    startMs: 500,
    endMs: 30_250,
  });
  expect(readTranscription({ text: 'Ha', duration: 30.5 }).transcript?.durationMs).toBe(30_500);
});

test('bare times are read in their true unit for any plausible speech', () => {
  const speech = fc
    .array(
      fc.record({
        pauseMs: fc.integer({ min: 0, max: 20_000 }),
        characters: fc.integer({ min: 4, max: 200 }),
        pace: fc.integer({ min: 7, max: 24 }),
      }),
      {
        minLength: 1,
        maxLength: 30,
      },
    )
    .map((parts) => {
      let clockMs = 0;
      return parts.map(({ pauseMs, characters, pace }) => {
        const startMs = clockMs + pauseMs;
        clockMs = startMs + Math.ceil((characters * 1000) / pace);
        return { text: 'a'.repeat(characters), startMs, endMs: clockMs };
      });
    });
  fc.assert(
    fc.property(
      speech,
      fc.constantFrom('ms', 'seconds', 'whole seconds'),
      fc.boolean(),
      fc.boolean(),
      (parts, unit, hasDuration, isKnown) => {
        const factor = unit === 'ms' ? 1 : 1000;
        const times = (ms: number, round: (value: number) => number): number =>
          unit === 'whole seconds' ? round(ms / 1000) : ms / factor;
        const segments = parts.map(({ text, startMs, endMs }) => ({
          text,
          start: times(startMs, Math.floor),
          end: times(endMs, Math.ceil),
        }));
        const lengthMs = (parts.at(-1)?.endMs ?? 0) + 500;
        const duration = hasDuration ? { duration: times(lengthMs, Math.ceil) } : {};
        const read = readTranscription({ segments, ...duration }, isKnown ? lengthMs : undefined).transcript;
        for (const [at, { startMs, endMs }] of parts.entries()) {
          const found = read?.segments[at];
          expect(Math.abs((found?.startMs ?? -1) - startMs)).toBeLessThanOrEqual(1000);
          expect(Math.abs((found?.endMs ?? -1) - endMs)).toBeLessThanOrEqual(1000);
        }
        if (hasDuration) expect(Math.abs((read?.durationMs ?? -1) - lengthMs)).toBeLessThanOrEqual(1000);
      },
    ),
    { numRuns: isLong ? 20_000 : 1000 },
  );
});

describe('lists', () => {
  const items = [
    {
      id: 'a',
      title: 'One',
      status: 'completed',
      created_at: '2026-11-20T00:00:00Z',
      duration_ms: 1200,
      language: 'uz',
    },
    { transcription_id: 'b', state: 'queued' },
    { title: 'no id' },
  ];
  test.each([
    ['data', { data: items, next_cursor: 'c1' }],
    ['items', { items, nextCursor: 'c1' }],
    ['transcriptions', { transcriptions: items, pagination: { next_cursor: 'c1' } }],
    ['data.transcriptions', { data: { transcriptions: items, next_cursor: 'c1' }, request_id: 'r' }],
    ['results', { results: items, next: 'c1' }],
  ])('under %s', (_name, body) => {
    expect(readTranscriptionPage(body)).toEqual({
      items: [
        {
          remoteId: 'a',
          title: 'One',
          status: 'completed',
          createdAt: '2026-11-20T00:00:00Z',
          durationMs: 1200,
          language: 'uz',
        },
        { remoteId: 'b', title: null, status: 'queued', createdAt: null, durationMs: null, language: null },
      ],
      nextCursor: 'c1',
    });
  });

  test('a bare list, an empty list and no list are told apart', () => {
    expect(readTranscriptionPage(items)?.items).toHaveLength(2);
    expect(readTranscriptionPage({ data: [], next_cursor: null })).toEqual({ items: [], nextCursor: null });
    expect(readTranscriptionPage({ message: 'hello' })).toBeNull();
    expect(readTranscriptionPage('<html>')).toBeNull();
  });
});

test('P-02: a shape changed in any place never throws, and times stay whole and ordered', () => {
  const seeds = shapes.map(([, shape]) => write(shape));
  const mutation = fc.record({
    seed: fc.constantFrom(...seeds),
    path: fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 8 }),
    how: fc.constantFrom('drop', 'rename', 'null', 'retype', 'nest', 'list', 'truncate'),
    value: fc.oneof(fc.anything(), fc.constantFrom(Number.NaN, Infinity, -1, 1e308, '\ud800', '__proto__')),
  });
  fc.assert(
    fc.property(fc.array(mutation, { minLength: 1, maxLength: 4 }), (mutations) => {
      let body: unknown = structuredClone(mutations[0]?.seed);
      for (const { path, how, value } of mutations) body = mutate(body, path, how, value);
      const read = readTranscription(body);
      readTranscriptionPage(body);
      for (const { startMs, endMs } of read.transcript?.segments ?? []) {
        for (const time of [startMs, endMs]) {
          if (time !== undefined) expect(Number.isSafeInteger(time) && time >= 0).toBe(true);
        }
        if (startMs !== undefined && endMs !== undefined) expect(endMs).toBeGreaterThanOrEqual(startMs);
      }
    }),
    { numRuns: isLong ? 50_000 : 5000 },
  );
  expect(({} as Fields)['polluted']).toBeUndefined();
});

function mutate(body: unknown, path: readonly number[], how: string, value: unknown): unknown {
  if (typeof body !== 'object' || body === null) return value;
  const copy: Fields | unknown[] = Array.isArray(body) ? [...body] : { ...body };
  const keys = Object.keys(copy);
  const key = keys[(path[0] ?? 0) % Math.max(1, keys.length)];
  if (key === undefined) return value;
  const target = copy as Fields;
  if (path.length > 1 && typeof target[key] === 'object' && target[key] !== null) {
    target[key] = mutate(target[key], path.slice(1), how, value);
    return copy;
  }
  if (how === 'drop') delete target[key];
  else if (how === 'rename') {
    target[`${key}_x`] = target[key];
    delete target[key];
  } else if (how === 'null') target[key] = null;
  else if (how === 'nest') target[key] = { data: target[key], [String(key)]: value };
  else if (how === 'list') target[key] = [target[key], value];
  else if (how === 'truncate') target[key] = String(target[key]).slice(0, 3);
  else target[key] = value;
  return copy;
}

test('any JSON text can be read', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 8 }), (text) => {
      const json = parseGuardedJson(text);
      if (json.isJson) readTranscription(json.value);
    }),
    { numRuns: isLong ? 20_000 : 1000 },
  );
});
