import { TruePeak } from './true-peak.ts';

/** Loudness of a recording by EBU R128 (ITU-R BS.1770), in LUFS, and the level of its quiet parts, in dBFS. */
export interface Loudness {
  /** Integrated loudness; null for recordings that are silent or shorter than 0.4 s. */
  readonly integratedLufs: number | null;
  /** Level below which the quietest tenth of the recording lies; null when nothing was measured. */
  readonly noiseFloorDb: number | null;
  /** Highest level, between the samples too, in dBTP; null for digital silence. */
  readonly truePeakDb: number | null;
}

export interface LoudnessMeter {
  /** Takes the next samples, one array per channel, all of one length, from -1 to 1. */
  readonly add: (channels: readonly Float32Array[]) => void;
  readonly read: () => Loudness;
}

const stepsPerSecond = 10;
const stepsPerBlock = 4;
const absoluteGateLufs = -70;
const relativeGateLu = -10;
const toLufs = (energy: number) => -0.691 + 10 * Math.log10(energy);
const toEnergy = (lufs: number) => 10 ** ((lufs + 0.691) / 10);

interface Biquad {
  readonly b0: number;
  readonly b1: number;
  readonly b2: number;
  readonly a1: number;
  readonly a2: number;
}

/** The two filters of BS.1770 (a shelf for the head, a high pass), for any sample rate. */
function kWeighting(sampleRate: number): readonly [Biquad, Biquad] {
  const shelfK = Math.tan((Math.PI * 1681.974450955533) / sampleRate);
  const shelfQ = 0.7071752369554196;
  const high = 10 ** (3.999843853973347 / 20);
  const band = high ** 0.4996667741545416;
  const shelfA0 = 1 + shelfK / shelfQ + shelfK * shelfK;
  const shelf = {
    b0: (high + (band * shelfK) / shelfQ + shelfK * shelfK) / shelfA0,
    b1: (2 * (shelfK * shelfK - high)) / shelfA0,
    b2: (high - (band * shelfK) / shelfQ + shelfK * shelfK) / shelfA0,
    a1: (2 * (shelfK * shelfK - 1)) / shelfA0,
    a2: (1 - shelfK / shelfQ + shelfK * shelfK) / shelfA0,
  };
  const passK = Math.tan((Math.PI * 38.13547087602444) / sampleRate);
  const passQ = 0.5003270373238773;
  const passA0 = 1 + passK / passQ + passK * passK;
  const pass = {
    b0: 1,
    b1: -2,
    b2: 1,
    a1: (2 * (passK * passK - 1)) / passA0,
    a2: (1 - passK / passQ + passK * passK) / passA0,
  };
  return [shelf, pass];
}

class ChannelFilter {
  readonly #filters: readonly [Biquad, Biquad];
  /** In an array, because the engine makes an object for each number that is stored in a property. */
  readonly #state = new Float64Array(4);

  constructor(sampleRate: number) {
    this.#filters = kWeighting(sampleRate);
  }

  energy(samples: Float32Array, start: number, end: number): number {
    const [shelf, pass] = this.#filters;
    const state = this.#state;
    let s1 = state[0] ?? 0;
    let s2 = state[1] ?? 0;
    let p1 = state[2] ?? 0;
    let p2 = state[3] ?? 0;
    let sum = 0;
    for (let at = start; at < end; at += 1) {
      const input = samples[at] ?? 0;
      const shelved = shelf.b0 * input + s1;
      s1 = shelf.b1 * input - shelf.a1 * shelved + s2;
      s2 = shelf.b2 * input - shelf.a2 * shelved;
      const weighted = shelved + p1;
      p1 = -2 * shelved - pass.a1 * weighted + p2;
      p2 = shelved - pass.a2 * weighted;
      sum += weighted * weighted;
    }
    state[0] = s1;
    state[1] = s2;
    state[2] = p1;
    state[3] = p2;
    return sum;
  }
}

const none = new Float32Array();

function plainEnergy(samples: Float32Array, start: number, end: number): number {
  let sum = 0;
  for (let at = start; at < end; at += 1) {
    const value = samples[at] ?? 0;
    sum += value * value;
  }
  return sum;
}

/** Measures piece by piece in constant memory. Mono and stereo channels weigh the same (BS.1770). */
export function createLoudnessMeter(sampleRate: number, channelCount: number): LoudnessMeter {
  const filters = Array.from({ length: channelCount }, () => new ChannelFilter(sampleRate));
  const peaks = filters.map(() => new TruePeak());
  const stepLength = Math.round(sampleRate / stepsPerSecond);
  const weightedSteps: number[] = [];
  const plainSteps: number[] = [];
  const sums = new Float64Array(2);
  let filled = 0;

  function closeStep(): void {
    weightedSteps.push((sums[0] ?? 0) / stepLength);
    plainSteps.push((sums[1] ?? 0) / (stepLength * channelCount));
    sums.fill(0);
    filled = 0;
  }

  return {
    add(channels) {
      const length = channels[0]?.length ?? 0;
      for (const [index, peak] of peaks.entries()) peak.add(channels[index] ?? none);
      for (let at = 0; at < length;) {
        const end = Math.min(length, at + stepLength - filled);
        for (let index = 0; index < channelCount; index += 1) {
          const samples = channels[index] ?? none;
          sums[0] = (sums[0] ?? 0) + (filters[index]?.energy(samples, at, end) ?? 0);
          sums[1] = (sums[1] ?? 0) + plainEnergy(samples, at, end);
        }
        filled += end - at;
        at = end;
        if (filled === stepLength) closeStep();
      }
    },
    read: () => {
      const highest = Math.max(0, ...peaks.map((peak) => peak.read()));
      return {
        integratedLufs: integrate(weightedSteps),
        noiseFloorDb: quietestTenth(plainSteps),
        truePeakDb: highest === 0 ? null : 20 * Math.log10(highest),
      };
    },
  };
}

/** Gated mean over blocks of 400 ms that begin every 100 ms. */
function integrate(steps: readonly number[]): number | null {
  const blocks: number[] = [];
  for (let at = stepsPerBlock; at <= steps.length; at += 1) {
    blocks.push(mean(steps.slice(at - stepsPerBlock, at)));
  }
  const audible = blocks.filter((energy) => energy > toEnergy(absoluteGateLufs));
  if (audible.length === 0) return null;
  const gate = toEnergy(toLufs(mean(audible)) + relativeGateLu);
  return toLufs(mean(audible.filter((energy) => energy > gate)));
}

function quietestTenth(steps: readonly number[]): number | null {
  if (steps.length === 0) return null;
  const sorted = steps.toSorted((a, b) => a - b);
  const energy = sorted[Math.floor(sorted.length / 10)] ?? 0;
  return 10 * Math.log10(Math.max(energy, 1e-12));
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The factor that brings a recording from one loudness to another; at most 20 dB either way. */
export const gainBetween = (fromLufs: number, toTargetLufs: number): number =>
  10 ** (Math.max(-20, Math.min(20, toTargetLufs - fromLufs)) / 20);
