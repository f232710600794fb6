import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { golden } from '../../tests/support/golden-transcript.ts';
import { parseGuardedJson } from '../domain/failures/guarded-json.ts';
import { readTranscription, readTranscriptionPage } from './read-transcription.ts';

const isLong = process.env['OVOZ_LONG'] !== undefined;

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

test('fractions mean seconds, even if little is spoken', () => {
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

  test('a creation time is read as a moment of the service, or not at all', () => {
    const made = (created_at: unknown) => readTranscriptionPage([{ id: 'a', created_at }])?.items[0]?.createdAt;
    expect(['2026-11-20 10:00:00', 'yesterday', 5].map(made)).toEqual(['2026-11-20T10:00:00Z', null, null]);
  });

  test('a bare list, an empty list and no list are distinguished', () => {
    expect(readTranscriptionPage(items)?.items).toHaveLength(2);
    expect(readTranscriptionPage({ data: [], next_cursor: null })).toEqual({ items: [], nextCursor: null });
    expect(readTranscriptionPage({ message: 'hello' })).toBeNull();
    expect(readTranscriptionPage('<html>')).toBeNull();
  });
});

test('any JSON text can be read', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 8 }), (text) => {
      const json = parseGuardedJson(text);
      if (json.isJson) readTranscription(json.value);
    }),
    { numRuns: isLong ? 20_000 : 1000 },
  );
});
