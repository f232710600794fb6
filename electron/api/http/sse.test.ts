import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SseParser, type SentEvent } from '../resources/ask.ts';

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

const whole = 'data: Salom, dunyo! Привет 🎙️\r\n\r\nevent: e\ndata: 1\ndata: 2\n\n: c\n\ndata: [DONE]\n\n';
/** The pieces streams are made of, and the ones that break them. */
const pieces = fc.oneof(
  fc.constantFrom(whole, ...'data:|data: |event: e|id: 7|: note|\n|\r|\r\n|\n\n|\ufeff|\0'.split('|')).map(text),
  fc.constantFrom('{"choices":[{"delta":{"content":"ў"}}]}', '{"error":{"code":"x"}}', '🎙️', 'data').map(text),
  fc.uint8Array({ maxLength: 12 }),
);

test('P-03: any bytes are accepted without a throw, and mean the same however they are cut, within letters too', () => {
  expect(read(text(whole))).toHaveLength(3);
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 24 }), fc.array(fc.nat(300), { maxLength: 12 }), (parts, cuts) => {
      const stream = Buffer.concat(parts);
      const places = [0, ...cuts.map((cut) => Math.min(cut, stream.length)).toSorted((a, b) => a - b), stream.length];
      expect(read(...places.slice(1).map((end, at) => stream.subarray(places[at], end)))).toEqual(read(stream));
    }),
    { numRuns: process.env['OVOZ_LONG'] === undefined ? 2000 : 150_000 },
  );
}, 300_000);
