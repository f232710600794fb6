import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SseParser, type SentEvent } from './sse.ts';
import { cpuTimeMs } from '../../../tests/support/measure-thread.ts';

const isLong = process.env['OVOZ_LONG'] !== undefined;

function read(...chunks: readonly Uint8Array[]): SentEvent[] {
  const events: SentEvent[] = [];
  const parser = new SseParser((event) => events.push(event));
  for (const chunk of chunks) parser.write(chunk);
  return events;
}
const text = (value: string): Uint8Array => new TextEncoder().encode(value);

test('lines end in any usual way, data lines are joined, comments and unknown fields are left out', () => {
  expect(read(text('data: a\n\n: note\r\ndata:b\r\ndata: c\r\n\r\nevent: error\rid: 7\rdata: d\r\r'))).toEqual([
    { event: 'message', data: 'a' },
    { event: 'message', data: 'b\nc' },
    { event: 'error', data: 'd' },
  ]);
});

test('an event that is cut off, or has no data, is never emitted', () => {
  expect(read(text('data: a\n\ndata: b'))).toEqual([{ event: 'message', data: 'a' }]);
  expect(read(text('event: x\n\n\n\n'))).toEqual([]);
  expect(read(text('data\n\n'))).toEqual([{ event: 'message', data: '' }]);
});

test('P-03: however the bytes are cut, within letters too, the events are the same', () => {
  const whole = text('data: Salom, dunyo! Привет 🎙️\r\n\r\nevent: e\ndata: 1\ndata: 2\n\n: c\n\ndata: [DONE]\n\n');
  const expected = read(whole);
  expect(expected).toHaveLength(3);
  fc.assert(
    fc.property(fc.array(fc.nat(whole.length), { maxLength: 12 }), (cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), whole.length];
      const chunks = places.slice(1).map((end, at) => whole.subarray(places[at], end));
      expect(read(...chunks)).toEqual(expected);
    }),
    { numRuns: isLong ? 10_000 : 500 },
  );
});

/** The pieces streams are made of, and the ones that break them. */
const pieces = fc.oneof(
  fc
    .constantFrom(
      'data:',
      'data: ',
      'event: e',
      'id: 7',
      ': note',
      '\n',
      '\r',
      '\r\n',
      '\n\n',
      '[DONE]',
      '\ufeff',
      '\0',
    )
    .map(text),
  fc.constantFrom('{"choices":[{"delta":{"content":"ў"}}]}', '{"error":{"code":"x"}}', '🎙️', 'data').map(text),
  fc.uint8Array({ maxLength: 12 }),
);

test('P-03: any bytes are accepted without a throw, in time, and mean the same however they are cut', () => {
  let slowestMs = 0;
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 24 }), fc.array(fc.nat(300), { maxLength: 6 }), (parts, cuts) => {
      const whole = Buffer.concat(parts);
      const places = [0, ...cuts.map((cut) => Math.min(cut, whole.length)).toSorted((a, b) => a - b), whole.length];
      const startedAtMs = cpuTimeMs();
      const atOnce = read(whole);
      slowestMs = Math.max(slowestMs, cpuTimeMs() - startedAtMs);
      expect(read(...places.slice(1).map((end, at) => whole.subarray(places[at], end)))).toEqual(atOnce);
    }),
    { numRuns: isLong ? 150_000 : 2000 },
  );
  // Among this many runs, one may hit a garbage collection.
  expect(slowestMs).toBeLessThan(isLong ? 500 : 200);
}, 300_000);
