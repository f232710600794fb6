import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { golden } from '../../tests/support/golden-transcript.ts';
import { readTranscription, readTranscriptionPage } from './read-transcription.ts';

const isLong = process.env['OVOZ_LONG'] !== undefined;

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
