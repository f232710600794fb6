import { createLoudnessMeter, gainBetween } from './loudness.ts';
import { highestBetween } from './true-peak.ts';

/** What the changing gain may add between the samples. */
const headroomDb = 0.1;
/** By how much at most the highest peaks are lowered: 12 dB; more would be heard as distortion. */
const mostLowered = 4;
/** The gain is decided for each millisecond, and begins to fall this many of them before a peak. */
const blocksPerSecond = 1000;
const lookAhead = 5;
/** How much of the way back to the whole gain is made in a millisecond after a peak. */
const release = 1 / 60;
/** Between samples that are lower than this share of the highest, no peak needs to be lowered. */
const leastShare = 1 / 8;
const closeEnoughLu = 0.1;
/** More is missing than was measured, because a higher gain lowers more peaks. */
const overshoot = 1.4;
const mostTries = 6;

export interface LoudnessTarget {
  readonly lufs: number;
  readonly peakDb: number;
}

/** Brings one channel to a loudness in place, with lowered peaks; returns the one reached, null under 0.4 s. */
export async function reachLoudness(
  samples: Float32Array,
  sampleRate: number,
  target: LoudnessTarget,
  breathe: () => Promise<void>,
): Promise<number | null> {
  const measure = async (gainAt: (sample: number) => number): Promise<number | null> => {
    const meter = createLoudnessMeter(sampleRate, 1);
    for (let start = 0; start < samples.length; start += sampleRate) {
      meter.add([samples.slice(start, start + sampleRate).map((sample, at) => sample * gainAt(start + at))]);
      await breathe();
    }
    return meter.read().integratedLufs;
  };
  const cameWith = await measure(() => 1);
  if (cameWith === null) return null;
  const ceiling = 10 ** ((target.peakDb - headroomDb) / 20);
  const blockLength = Math.round(sampleRate / blocksPerSecond);
  const allowed = levelsOf(samples, blockLength).map((level) => ceiling / Math.max(level, 1e-9));
  const most = mostLowered * allowed.reduce((least, one) => Math.min(least, one), Infinity);
  let gain = Math.min(most, gainBetween(cameWith, target.lufs));
  let gainAt = limitedGain(allowed, blockLength, gain);
  let reached = await measure(gainAt);
  for (let tries = 1; tries < mostTries; tries += 1) {
    const missing = target.lufs - (reached ?? target.lufs);
    // What the lowered peaks took away is given back to everything.
    if (missing < closeEnoughLu || gain === most) break;
    gain = Math.min(most, gain * 10 ** ((overshoot * missing) / 20));
    gainAt = limitedGain(allowed, blockLength, gain);
    reached = await measure(gainAt);
  }
  for (const [at, sample] of samples.entries()) samples[at] = sample * gainAt(at);
  return reached;
}

function levelsOf(samples: Float32Array, blockLength: number): Float32Array {
  const levels = new Float32Array(Math.ceil(samples.length / blockLength));
  let peak = 0;
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
  for (let at = 0; at < samples.length; at += 1) {
    const block = Math.floor(at / blockLength);
    const own = Math.abs(samples[at] ?? 0);
    const between = own < peak * leastShare ? 0 : highestBetween(samples, at);
    levels[block] = Math.max(levels[block] ?? 0, own, between);
  }
  return levels;
}

function limitedGain(most: Float32Array, blockLength: number, gain: number): (sample: number) => number {
  const allowed = most.map((own) => Math.min(gain, own));
  let last = gain;
  const lowest = allowed.map((_own, block) => {
    // One more on either side, because a sample lies between two blocks.
    const near = allowed.subarray(Math.max(0, block - lookAhead - 1), block + lookAhead + 2);
    last = Math.min(last + (gain - last) * release, ...near);
    return last;
  });
  const smooth = lowest.map((_own, block) => {
    const near = lowest.subarray(Math.max(0, block - lookAhead), block + lookAhead + 1);
    return near.reduce((sum, value) => sum + value, 0) / near.length;
  });
  return (sample) => {
    const position = Math.max(0, sample / blockLength - 0.5);
    const block = Math.floor(position);
    const here = smooth[block] ?? gain;
    return here + ((smooth[block + 1] ?? here) - here) * (position - block);
  };
}
