import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../tests/support/for-all.ts';
import { createLoudestWindow, windowSeconds } from './windows.ts';

const rate = 8;

/** A recording of `seconds` levels, in blocks of `blockFrames`; the second channel is silent. */
function blocksOf(levels: readonly number[], blockFrames: number): Float32Array[][] {
  const left = Float32Array.from({ length: levels.length * rate }, (_, at) => levels[Math.floor(at / rate)] ?? 0);
  const blocks: Float32Array[][] = [];
  for (let at = 0; at < left.length; at += blockFrames) {
    const part = left.slice(at, at + blockFrames);
    blocks.push([part, new Float32Array(part.length)]);
  }
  return blocks;
}

const recordings = fc.record({
  levels: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 70 }),
  blockFrames: fc.integer({ min: 1, max: 100 }),
});

/** Energy of the window of levels at a second. */
const energyAt = (levels: readonly number[], from: number): number =>
  levels.slice(from, from + windowSeconds).reduce((sum, level) => sum + level * level, 0);

it('the loudest window is the first with the most energy, whatever blocks the recording comes in', () => {
  forAll(recordings, ({ levels, blockFrames }) => {
    const window = createLoudestWindow(rate);
    for (const block of blocksOf(levels, blockFrames)) {
      window.add(block);
      for (const plane of block) plane.fill(Number.NaN);
    }
    const places = Array.from({ length: Math.max(1, levels.length - windowSeconds + 1) }, (_, from) => from);
    const most = Math.max(...places.map((from) => energyAt(levels, from)));
    const first = places.find((from) => energyAt(levels, from) === most) ?? 0;
    const { fromSecond, samples } = window.read();
    expect(fromSecond).toBe(first);
    expect([...samples]).toEqual(
      levels.slice(first, first + windowSeconds).flatMap((level) => Array.from({ length: rate }, () => level / 2)),
    );
  });
});
