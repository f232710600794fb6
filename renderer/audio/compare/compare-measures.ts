import { gainBetween, type Loudness } from '../../../shared/domain/audio/loudness.ts';

/** A recording, the service's result, and the result with the other choice about restoring speech. */
export const trackNames = ['original', 'isolated', 'variant'] as const;
export type TrackName = (typeof trackNames)[number];

/** Measurements of a result and its alignment with the original. */
export interface ResultMeasures {
  readonly loudness: Loudness;
  /** Its delay against the original. */
  readonly offsetMs: number;
  /** Similarity of the two at that offset, 0 to 1. */
  readonly correlation: number;
  /** Dividing the result by this makes it as loud as the voice in the original. */
  readonly voiceGain: number;
}

export interface CompareMeasures {
  readonly original: Loudness;
  readonly isolated: ResultMeasures;
  readonly variant: ResultMeasures | null;
}

/**
 * What is played: one of the tracks, two mixed by `share` of the isolated one (0 to 1), or what the service removed.
 */
export type Listening = { readonly tag: TrackName | 'removed' } | { readonly tag: 'blend'; readonly share: number };

/** Gains of the tracks, in the order of `trackNames`. */
export type MixGains = readonly [original: number, isolated: number, variant: number];

/** Below this similarity at the best offset, the voice in the two can't be compared. */
export const leastCorrelation = 0.3;

export const loudnessOf = (track: TrackName, measures: CompareMeasures | null): Loudness | null =>
  measures === null ? null : track === 'original' ? measures.original : (measures[track]?.loudness ?? null);

/**
 * The gains of what is played. With `isMatched` the louder tracks are attenuated to the quietest one; nothing is
 * amplified, so nothing clips. Mixes have the level of the isolated voice; what was removed is the original minus that
 * voice.
 */
export function mixGains(listening: Listening, measures: CompareMeasures | null, isMatched: boolean): MixGains {
  const voice = measures === null ? 1 : measures.isolated.voiceGain;
  const alone = (track: TrackName) => (isMatched ? matchGain(track, measures) : 1);
  switch (listening.tag) {
    case 'original':
      return [alone('original'), 0, 0];
    case 'isolated':
      return [0, alone('isolated'), 0];
    case 'variant':
      return [0, 0, alone('variant')];
    case 'removed':
      return [1, -1 / voice, 0];
    case 'blend':
      return [(1 - listening.share) * voice, listening.share, 0];
  }
}

/** What a saved mix may reach, between its samples too, in dBTP: what EBU R 128 leaves to encoders. */
export const highestPeakDb = -1;

/** How high a mix comes at most, as a factor of full scale: where the peaks of both stand at the same place. */
const highestOf = (gains: MixGains, measures: CompareMeasures): number =>
  trackNames.reduce((sum, track, index) => {
    const peak = loudnessOf(track, measures)?.truePeakDb ?? null;
    return peak === null ? sum : sum + Math.abs(gains[index] ?? 0) * 10 ** (peak / 20);
  }, 0);

/** By which factor a mix is lowered when it is saved, so that it stays below `highestPeakDb`. */
export function peakGain(gains: MixGains, measures: CompareMeasures | null): number {
  const highest = measures === null ? 0 : highestOf(gains, measures);
  return highest === 0 ? 1 : Math.min(1, 10 ** (highestPeakDb / 20) / highest);
}

/** The attenuation that makes a track as loud as the quietest one; 1 where that is not known. */
export function matchGain(track: TrackName, measures: CompareMeasures | null): number {
  const own = loudnessOf(track, measures)?.integratedLufs ?? null;
  const all = trackNames.flatMap((name) => loudnessOf(name, measures)?.integratedLufs ?? []);
  return own === null || all.length < 2 ? 1 : Math.min(1, gainBetween(own, Math.min(...all)));
}

/** How much of `second` is in `first`, by least squares, as the factor from `first` to `second`; 0.1 to 10. */
export function levelRatio(first: Float32Array, second: Float32Array): number {
  let product = 0;
  let energy = 0;
  for (let at = 0; at < Math.min(first.length, second.length); at += 1) {
    product += (first[at] ?? 0) * (second[at] ?? 0);
    energy += (second[at] ?? 0) ** 2;
  }
  return product <= 0 || energy === 0 ? 1 : Math.max(0.1, Math.min(10, energy / product));
}
