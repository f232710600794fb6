import { cloneRules } from './clone-rules.ts';
import { findPitches } from './find-pitches.ts';

/** What can be said about a recording of a voice before it is sent. Hints: only the service decides. */
export interface RecordingCheck {
  readonly durationMs: number;
  readonly length: 'short' | 'good' | 'long';
  /** `silent`: no speech was found, so nothing else is known. */
  readonly level: 'silent' | 'quiet' | 'good' | 'loud';
  readonly clipping: 'none' | 'some' | 'much';
  readonly noise: 'low' | 'some' | 'much';
  /** `several`: the voice alternates between two pitches as two people would. */
  readonly speakers: 'one' | 'several' | 'unknown';
  /** Decibels below full scale of the speech, and of the pauses. */
  readonly speechDb: number;
  readonly noiseDb: number;
}

const frameMs = 20;
/** Speech is at least this much louder than the quietest tenth of the recording. */
const speechOverNoiseDb = 9;
const silentDb = -55;
const fullScale = 0.985;

const decibels = (power: number): number => 10 * Math.log10(power + 1e-12);
const meanOf = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

/** Measures mono samples, -1 to 1. `range` is the length that the step accepts, milliseconds. */
export function checkRecording(
  samples: Float32Array,
  sampleRate: number,
  range: { readonly leastMs: number; readonly mostMs: number } = cloneRules.reference,
): RecordingCheck {
  const durationMs = Math.round((samples.length * 1000) / sampleRate);
  const frames = loudnessOf(samples, Math.round((sampleRate * frameMs) / 1000));
  const sorted = frames.toSorted((one, other) => one - other);
  const floor = sorted[Math.floor(sorted.length * 0.1)] ?? -100;
  const loudest = sorted[Math.floor(sorted.length * 0.97)] ?? -100;
  // When somebody speaks without a pause, the quietest tenth is speech too.
  const threshold = Math.max(silentDb, Math.min(floor + speechOverNoiseDb, loudest - 15));
  const spoken = frames.filter((db) => db >= threshold);
  const isSilent = loudest < silentDb || spoken.length * frameMs < 500;
  const speechDb = isSilent ? -100 : decibels(meanOf(spoken.map((db) => 10 ** (db / 10))));
  const clipped = clippedShare(samples);
  const distance = speechDb - floor;
  return {
    durationMs,
    length: durationMs < range.leastMs ? 'short' : durationMs > range.mostMs ? 'long' : 'good',
    level: isSilent ? 'silent' : speechDb < -36 ? 'quiet' : speechDb > -9 ? 'loud' : 'good',
    clipping: clipped > 0.002 ? 'much' : clipped > 0.0001 ? 'some' : 'none',
    noise: isSilent || distance >= 25 ? 'low' : distance >= 15 ? 'some' : 'much',
    speakers: isSilent ? 'unknown' : countSpeakers(findPitches(samples, sampleRate, threshold)),
    speechDb,
    noiseDb: floor,
  };
}

/** Whether the service can accept it at all; the rest is advice. */
export const isUsable = ({ length, level }: RecordingCheck): boolean => length === 'good' && level !== 'silent';

function loudnessOf(samples: Float32Array, frame: number): number[] {
  const found: number[] = [];
  for (let start = 0; start + frame <= samples.length; start += frame) {
    let power = 0;
    for (let at = start; at < start + frame; at += 1) power += (samples[at] ?? 0) ** 2;
    found.push(decibels(power / frame));
  }
  return found;
}

/** The share of samples in runs at full scale: three in a row are no coincidence. */
function clippedShare(samples: Float32Array): number {
  let clipped = 0;
  let run = 0;
  for (const sample of samples) {
    if (Math.abs(sample) >= fullScale) {
      run += 1;
      clipped += run === 3 ? 3 : run > 3 ? 1 : 0;
    } else run = 0;
  }
  return samples.length === 0 ? 0 : clipped / samples.length;
}

const windowFrames = 12;
/** Two people of the same pitch can't be distinguished; half an octave is more than one voice moves in a sentence. */
const apartOctaves = 0.45;
const leastShare = 0.2;

/** Two pitches, each held for whole stretches, are two people. `pitches` in octaves, null where nothing was voiced. */
function countSpeakers(pitches: readonly (number | null)[]): RecordingCheck['speakers'] {
  const heights: number[] = [];
  for (let start = 0; start < pitches.length; start += windowFrames) {
    const voiced = pitches.slice(start, start + windowFrames).filter((pitch) => pitch !== null);
    if (voiced.length >= windowFrames / 3)
      heights.push(voiced.toSorted((one, other) => one - other)[Math.floor(voiced.length / 2)] ?? 0);
  }
  if (heights.length < 6) return 'unknown';
  let [low, high] = [Math.min(...heights), Math.max(...heights)];
  for (let round = 0; round < 10; round += 1) {
    const middle = (low + high) / 2;
    const below = heights.filter((height) => height <= middle);
    const above = heights.filter((height) => height > middle);
    if (below.length === 0 || above.length === 0) return 'one';
    [low, high] = [meanOf(below), meanOf(above)];
  }
  const share = heights.filter((height) => height > (low + high) / 2).length / heights.length;
  return high - low >= apartOctaves && share >= leastShare && share <= 1 - leastShare ? 'several' : 'one';
}
