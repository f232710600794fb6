import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAll } from '../../../tests/support/for-all.ts';
import { areSeamless, excerptOf, lengthToSend, splitRecording } from './recording-parts.ts';

const mebibyte = 1024 * 1024;

describe('parts of a recording', () => {
  it('cover all of it without a gap, and each is below the limit', () => {
    forAll(
      fc.integer({ min: 0, max: 3_600_000 }),
      fc.integer({ min: 60_000, max: 20 * 3_600_000 }),
      fc.integer({ min: 301, max: 4000 }),
      (startMs, lengthMs, mebibytes) => {
        const whole = { startMs, endMs: startMs + lengthMs };
        const parts = splitRecording(whole, mebibytes * mebibyte, 300 * mebibyte);
        expect(parts[0]?.startMs).toBe(whole.startMs);
        expect(parts.at(-1)?.endMs).toBe(whole.endMs);
        expect(areSeamless(parts)).toBe(true);
        for (const part of parts) {
          const share = (part.endMs - part.startMs) / lengthMs;
          // The overlap of a second may be a large share of a short recording, which is never that large.
          if (lengthMs > 600_000) expect(share * mebibytes).toBeLessThan(300);
        }
      },
    );
  });
});

describe('an excerpt', () => {
  it('is 30 seconds from the first third, and nothing for a recording that costs no more as a whole', () => {
    expect(excerptOf(930_000)).toEqual({ startMs: 300_000, endMs: 330_000 });
    expect(excerptOf(60_000)).toBeNull();
    expect(excerptOf(null)).toBeNull();
  });
});

it('an excerpt or a part is as long as what is sent of it, in prices and limits', () => {
  const isolate = { kind: 'isolate', restoresSpeech: false, durationMs: 10_800_000 } as const;
  expect(lengthToSend(isolate)).toBe(10_800_000);
  expect(lengthToSend({ ...isolate, isExcerpt: true })).toBe(30_000);
  expect(lengthToSend({ ...isolate, part: { startMs: 5_000, endMs: 65_000 }, isExcerpt: true })).toBe(60_000);
  expect(lengthToSend({ ...isolate, isExcerpt: true, durationMs: null })).toBeNull();
});
