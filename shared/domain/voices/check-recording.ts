import { cloneRules } from './clone-rules.ts';

/** Enough to detect the pitch of a voice, and a sixth of the work of the full rate. */
const pitchRate = 8000;
const pitchFrameMs = 40;
const pitchRange = { leastHz: 70, mostHz: 400 };
const leastPeriodicity = 0.55;

/** The pitch of the voice every 40 ms, in octaves above 1 Hz; null where nothing is voiced. Mono samples, -1 to 1. */
function findPitches(samples: Float32Array, sampleRate: number, thresholdDb: number): readonly (number | null)[] {
  const low = thin(samples, sampleRate);
  const frame = (pitchRate * pitchFrameMs) / 1000;
  const found: (number | null)[] = [];
  for (let start = 0; start + frame * 2 <= low.length; start += frame)
    found.push(pitchAt(low, start, frame * 2, thresholdDb));
  return found;
}

function thin(samples: Float32Array, sampleRate: number): Float32Array {
  const step = sampleRate / pitchRate;
  return Float32Array.from({ length: Math.floor(samples.length / step) }, (_, at) => {
    const from = Math.floor(at * step);
    const to = Math.max(from + 1, Math.floor((at + 1) * step));
    let sum = 0;
    for (let one = from; one < to; one += 1) sum += samples[one] ?? 0;
    return sum / (to - from);
  });
}

function pitchAt(samples: Float32Array, start: number, length: number, thresholdDb: number): number | null {
  let power = 0;
  for (let at = start; at < start + length; at += 1) power += (samples[at] ?? 0) ** 2;
  if (10 * Math.log10(power / length + 1e-12) < thresholdDb) return null;
  let best = { lag: 0, likeness: leastPeriodicity };
  for (
    let lag = Math.floor(pitchRate / pitchRange.mostHz);
    lag <= Math.ceil(pitchRate / pitchRange.leastHz);
    lag += 1
  ) {
    let [both, one, other] = [0, 0, 0];
    for (let at = start; at + lag < start + length; at += 1) {
      const [now, later] = [samples[at] ?? 0, samples[at + lag] ?? 0];
      both += now * later;
      one += now * now;
      other += later * later;
    }
    const likeness = both / Math.sqrt(one * other || 1);
    // Two periods match as well as one, so a longer lag must be better by far.
    if (likeness > best.likeness * (best.lag === 0 ? 1 : 1.06)) best = { lag, likeness };
  }
  return best.lag === 0 ? null : Math.log2(pitchRate / best.lag);
}

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
