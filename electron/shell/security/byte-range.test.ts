import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseByteRange, type ByteRange } from './media-answer.ts';

const whole: ByteRange = { kind: 'whole' };
const none: ByteRange = { kind: 'unsatisfiable' };
const part = (start: number, end: number): ByteRange => ({ kind: 'part', start, end });

it.each<[string | null, ByteRange]>([
  [null, whole],
  ['bytes=0-', part(0, 99)],
  ['bytes=0-0', part(0, 0)],
  ['bytes=10-19', part(10, 19)],
  ['bytes=10-1000', part(10, 99)],
  ['bytes=99-', part(99, 99)],
  ['bytes=-1', part(99, 99)],
  ['bytes=-1000', part(0, 99)],
  ['Bytes = 5 - 6', part(5, 6)],
  ['bytes=100-', none],
  ['bytes=100-200', none],
  ['bytes=-0', none],
  ['bytes=20-10', whole],
  ['bytes=-', whole],
  ['bytes=0-1,5-6', whole],
  ['items=0-1', whole],
  ['bytes=a-b', whole],
  ['bytes=0x1-2', whole],
  ['bytes=99999999999999999999-', whole],
])('of a file of 100 bytes, %s', (header, expected) => {
  expect(parseByteRange(header, 100)).toEqual(expected);
});

it('any header and size give a range that lies inside the file', () => {
  const header = fc.oneof(fc.string(), fc.stringMatching(/^bytes=\d{0,6}-\d{0,6}$/));
  fc.assert(
    fc.property(header, fc.nat(1_000_000), (text, size) => {
      const range = parseByteRange(text, size);
      if (range.kind !== 'part') return;
      expect(range.start).toBeGreaterThanOrEqual(0);
      expect(range.end).toBeGreaterThanOrEqual(range.start);
      expect(range.end).toBeLessThan(size);
    }),
    { numRuns: 2000 },
  );
});
