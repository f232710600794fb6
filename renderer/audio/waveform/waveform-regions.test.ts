import fc from 'fast-check';
import { expect, test } from 'vitest';
import { forAll } from '../../../tests/support/for-all.ts';
import { indexRegions, regionsBetween, type WaveformRegion } from './waveform-regions.ts';

const regions = fc
  .array(fc.record({ startMs: fc.nat(50_000), length: fc.integer({ min: 1, max: 20_000 }), colour: fc.nat(8) }), {
    maxLength: 40,
  })
  .map((list) =>
    list
      .map(({ startMs, length, colour }): WaveformRegion => ({
        startMs,
        endMs: startMs + length,
        colour,
        label: '',
        initials: '',
      }))
      .toSorted((a, b) => a.startMs - b.startMs),
  );

test('no region that touches the view is left out, even a long one that began far before it', () => {
  forAll(regions, fc.nat(60_000), fc.integer({ min: 1, max: 30_000 }), (list, fromMs, length) => {
    const toMs = fromMs + length;
    const [first, last] = regionsBetween(indexRegions(list), fromMs, toMs);
    for (const [i, region] of list.entries()) {
      if (region.startMs < toMs && region.endMs > fromMs) expect(i >= first && i < last).toBe(true);
    }
  });
});
