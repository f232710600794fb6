import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAllIn } from '../../tests/support/for-all.ts';
import { findSpeech, speechRules } from './find-speech.ts';
import { frameMs } from './loudness-track.ts';

type Part = readonly [number, number | 'speech'];

/** A loudness track built from parts: `[milliseconds, level]`; speech is a level that rises and falls. */
function track(...parts: readonly Part[]): {
  loudness: Float32Array;
  durationMs: number;
} {
  const values = parts.flatMap(([ms, level]) =>
    Array.from({ length: ms / frameMs }, (_, at) =>
      level === 'speech' ? -24 + 8 * Math.sin(at / 6) : level + (at % 3) * 0.3,
    ),
  );
  return { loudness: Float32Array.from(values), durationMs: values.length * frameMs };
}

const found = (...parts: readonly Part[]): readonly { startMs: number; endMs: number }[] => {
  const { loudness, durationMs } = track(...parts);
  return findSpeech(loudness, durationMs);
};

const level = fc.oneof(fc.float({ min: -120, max: 0, noNaN: true }), fc.constant(-120));

describe('finding speech', () => {
  it('finds two sentences at their times, and no more where there is a pause inside one', () => {
    const spoken = [
      [900, 'speech'],
      [200, -62],
      [900, 'speech'],
    ] as const;
    const [first, second, ...more] = found([1000, -62], ...spoken, [1500, -62], [1000, 'speech'], [1000, -62]);
    expect(more).toEqual([]);
    expect(Math.abs((first?.startMs ?? 0) - 1000)).toBeLessThanOrEqual(100);
    expect(Math.abs((first?.endMs ?? 0) - 3000)).toBeLessThanOrEqual(100);
    expect(Math.abs((second?.startMs ?? 0) - 4500)).toBeLessThanOrEqual(100);
    expect(Math.abs((second?.endMs ?? 0) - 5500)).toBeLessThanOrEqual(100);
  });

  it('does not take a quiet room, a steady hum or a click for speech', () => {
    expect(found([5000, -62])).toEqual([]);
    expect(found([1000, -62], [3000, -30], [1000, -62])).toEqual([]);
    expect(found([1000, -62], [20, 'speech'], [2000, -62])).toEqual([]);
  });

  it('cuts long speech without losing any of it', () => {
    const spans = found([1000, -62], [60_000, 'speech'], [1000, -62]);
    expect(spans.length).toBeGreaterThan(3);
    for (const [at, span] of spans.entries()) {
      expect(span.endMs - span.startMs).toBeLessThanOrEqual(speechRules.mostSpanMs + 2 * speechRules.marginMs);
      if (at > 0) expect(span.startMs - (spans[at - 1]?.endMs ?? 0)).toBeLessThanOrEqual(2 * speechRules.marginMs);
    }
  });

  it('returns spans in order, apart, not empty and within the audio, whatever the audio is', () => {
    forAllIn(200, fc.array(fc.tuple(fc.integer({ min: 1, max: 120 }), level), { maxLength: 40 }), (parts) => {
      const loudness = Float32Array.from(
        parts.flatMap(([frames, value]) => Array.from({ length: frames }, () => value)),
      );
      const durationMs = Math.max(0, loudness.length * frameMs - 3);
      let free = 0;
      for (const { startMs, endMs } of findSpeech(loudness, durationMs)) {
        expect(startMs).toBeGreaterThanOrEqual(free);
        expect(endMs).toBeGreaterThan(startMs);
        expect(endMs).toBeLessThanOrEqual(durationMs);
        free = endMs;
      }
    });
  });
});
