import { Resampler } from '../../../shared/domain/media/resample.ts';

/** What can be measured of a voice without recognising words. */
export interface VoiceProfile {
  /** Mean loudness of each band against the mean of all bands, in decibels. */
  readonly colourDb: readonly number[];
  /** Median pitch of the voice; null: nothing voiced was heard. */
  readonly pitchHz: number | null;
}

const rate = 16_000;
const frameLength = 512;
const hop = 256;
const bandCount = 24;
const lowestHz = 120;
const highestHz = 7000;
/** Frames this far below the loudest contain pauses and room noise, not the voice. */
const speechRangeDb = 30;
const pitchRange = { least: 65, most: 400 };
/** How similar one period and the next must be. */
const leastPeriodicity = 0.6;

const window = Float64Array.from(
  { length: frameLength },
  (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / frameLength),
);
const toMel = (hz: number): number => 2595 * Math.log10(1 + hz / 700);
const toHz = (mel: number): number => 700 * (10 ** (mel / 2595) - 1);

/** For each band, its first and last spectral line. */
const bands = Array.from({ length: bandCount }, (_, at) => {
  const edge = (part: number): number =>
    toHz(toMel(lowestHz) + ((toMel(highestHz) - toMel(lowestHz)) * part) / bandCount);
  const line = (hz: number): number => Math.round((hz * frameLength) / rate);
  return { first: line(edge(at)), last: Math.max(line(edge(at)), line(edge(at + 1)) - 1) };
});

/** Power spectrum of one frame, by an in-place radix-2 transform. */
function powersOf(samples: Float32Array, start: number): Float64Array {
  const real = Float64Array.from(window, (weight, at) => weight * (samples[start + at] ?? 0));
  const imaginary = new Float64Array(frameLength);
  for (let at = 1, mirrored = 0; at < frameLength; at += 1) {
    let bit = frameLength >> 1;
    for (; (mirrored & bit) !== 0; bit >>= 1) mirrored ^= bit;
    mirrored ^= bit;
    if (at < mirrored) [real[at], real[mirrored]] = [real[mirrored] ?? 0, real[at] ?? 0];
  }
  for (let size = 2; size <= frameLength; size *= 2) {
    for (let step = 0; step < size / 2; step += 1) {
      const angle = (-2 * Math.PI * step) / size;
      const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
      for (let low = step; low < frameLength; low += size) {
        const high = low + size / 2;
        const [highReal, highImaginary] = [real[high] ?? 0, imaginary[high] ?? 0];
        const turnedReal = highReal * cosine - highImaginary * sine;
        const turnedImaginary = highReal * sine + highImaginary * cosine;
        const [lowReal, lowImaginary] = [real[low] ?? 0, imaginary[low] ?? 0];
        real[low] = lowReal + turnedReal;
        imaginary[low] = lowImaginary + turnedImaginary;
        real[high] = lowReal - turnedReal;
        imaginary[high] = lowImaginary - turnedImaginary;
      }
    }
  }
  return Float64Array.from({ length: frameLength / 2 }, (_, at) => (real[at] ?? 0) ** 2 + (imaginary[at] ?? 0) ** 2);
}

/** Pitch in one stretch, by its similarity to itself one period later; null: unvoiced. */
function pitchOf(samples: Float32Array, start: number): number | null {
  const length = frameLength * 2;
  let energy = 0;
  for (let at = 0; at < length; at += 1) energy += (samples[start + at] ?? 0) ** 2;
  if (energy === 0) return null;
  let best = { lag: 0, likeness: leastPeriodicity };
  for (let lag = Math.floor(rate / pitchRange.most); lag <= Math.ceil(rate / pitchRange.least); lag += 1) {
    let both = 0;
    let later = 0;
    let earlier = 0;
    // Every other sample is enough to recognise a period.
    for (let at = 0; at + lag < length; at += 2) {
      const [one, other] = [samples[start + at] ?? 0, samples[start + at + lag] ?? 0];
      both += one * other;
      earlier += one * one;
      later += other * other;
    }
    const likeness = both / Math.sqrt(earlier * later || 1);
    // Two periods match as well as one, so a longer lag must be better by far.
    if (likeness > best.likeness * (best.lag === 0 ? 1 : 1.05)) best = { lag, likeness };
  }
  return best.lag === 0 ? null : rate / best.lag;
}

const median = (values: readonly number[]): number | null =>
  values.length === 0 ? null : (values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? null);

/** Measures a voice block by block; holds at most one minute of audio, the length of the longest recording. */
export class VoiceMeter {
  readonly #resampler: Resampler;
  readonly #parts: Float32Array[] = [];

  constructor(sampleRate: number) {
    this.#resampler = new Resampler(sampleRate, rate);
  }

  add(channels: readonly Float32Array[]): void {
    const length = channels[0]?.length ?? 0;
    const mono = Float32Array.from(
      { length },
      (_, at) => channels.reduce((sum, channel) => sum + (channel[at] ?? 0), 0) / channels.length,
    );
    this.#parts.push(this.#resampler.push(mono));
  }

  finish(): VoiceProfile {
    this.#parts.push(this.#resampler.flush());
    const samples = new Float32Array(this.#parts.reduce((sum, part) => sum + part.length, 0));
    let filled = 0;
    for (const part of this.#parts) {
      samples.set(part, filled);
      filled += part.length;
    }
    return profileOf(samples);
  }
}

function profileOf(samples: Float32Array): VoiceProfile {
  const frames: { readonly start: number; readonly bandsDb: readonly number[]; readonly totalDb: number }[] = [];
  for (let start = 0; start + frameLength <= samples.length; start += hop) {
    const powers = powersOf(samples, start);
    const sums = bands.map(({ first, last }) => {
      let sum = 0;
      for (let line = first; line <= last; line += 1) sum += powers[line] ?? 0;
      return sum / (last - first + 1);
    });
    const decibels = (power: number): number => 10 * Math.log10(power + 1e-10);
    frames.push({ start, bandsDb: sums.map(decibels), totalDb: decibels(sums.reduce((sum, one) => sum + one, 0)) });
  }
  const loudest = frames.reduce((most, { totalDb }) => Math.max(most, totalDb), -100);
  const spoken = frames.filter(({ totalDb }) => totalDb > loudest - speechRangeDb);
  const meanOf = (band: number): number =>
    spoken.reduce((sum, { bandsDb }) => sum + (bandsDb[band] ?? 0), 0) / Math.max(1, spoken.length);
  const means = bands.map((_, band) => meanOf(band));
  const level = means.reduce((sum, one) => sum + one, 0) / bandCount;
  // Every fourth frame is enough to find the pitch.
  const pitches = spoken
    .filter((_, at) => at % 4 === 0)
    .map(({ start }) => pitchOf(samples, start))
    .filter((pitch) => pitch !== null);
  return { colourDb: means.map((one) => one - level), pitchHz: median(pitches) };
}

/** Differences at which voices count as half alike: of the colour in decibels, of the pitch in octaves. */
const colourScaleDb = 6;
const pitchScaleOctaves = 0.4;

/**
 * How similar two voices are, from 0 to 1, by colour and pitch. It distinguishes a deep voice from a high one and a
 * muffled one from a bright one, but it does not recognise people, which takes a trained model.
 */
export function likenessOf(one: VoiceProfile, other: VoiceProfile): number {
  const squares = one.colourDb.map((value, band) => (value - (other.colourDb[band] ?? 0)) ** 2);
  const colour = Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / Math.max(1, squares.length));
  const octaves = one.pitchHz === null || other.pitchHz === null ? 1 : Math.abs(Math.log2(one.pitchHz / other.pitchHz));
  const half = (difference: number, scale: number): number => 2 ** -((difference / scale) ** 2);
  return half(colour, colourScaleDb) * half(octaves, pitchScaleOctaves);
}
