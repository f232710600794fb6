import { gainBetween, type Loudness } from '../../../shared/domain/audio/loudness.ts';

export const trackNames = ['original', 'isolated', 'variant'] as const;
export type TrackName = (typeof trackNames)[number];

export interface ResultMeasures {
  readonly loudness: Loudness;
  readonly offsetMs: number;
  readonly correlation: number;
  readonly voiceGain: number;
}

export interface CompareMeasures {
  readonly original: Loudness;
  readonly isolated: ResultMeasures;
  readonly variant: ResultMeasures | null;
}

/** `share`: of the isolated one in the blend, 0 to 1; `removed`: what the service took out. */
export type Listening = { readonly tag: TrackName | 'removed' } | { readonly tag: 'blend'; readonly share: number };

export type MixGains = readonly [original: number, isolated: number, variant: number];

/** Below this similarity at the best offset, the voice in the two can't be compared. */
export const leastCorrelation = 0.3;

export const loudnessOf = (track: TrackName, measures: CompareMeasures | null): Loudness | null =>
  measures === null ? null : track === 'original' ? measures.original : (measures[track]?.loudness ?? null);

/** `isMatched` attenuates to the quietest track; nothing is amplified, so nothing clips. */
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

/** dBTP: what EBU R 128 leaves to encoders, between samples too. */
export const highestPeakDb = -1;

/** As a factor of full scale, where the peaks of both stand at the same place. */
const highestOf = (gains: readonly number[], measures: CompareMeasures): number =>
  trackNames.reduce((sum, track, index) => {
    const peak = loudnessOf(track, measures)?.truePeakDb ?? null;
    return peak === null ? sum : sum + Math.abs(gains[index] ?? 0) * 10 ** (peak / 20);
  }, 0);

export function peakGain(gains: readonly number[], measures: CompareMeasures | null): number {
  const highest = measures === null ? 0 : highestOf(gains, measures);
  return highest === 0 ? 1 : Math.min(1, 10 ** (highestPeakDb / 20) / highest);
}

export function matchGain(track: TrackName, measures: CompareMeasures | null): number {
  const own = loudnessOf(track, measures)?.integratedLufs ?? null;
  const all = trackNames.flatMap((name) => loudnessOf(name, measures)?.integratedLufs ?? []);
  return own === null || all.length < 2 ? 1 : Math.min(1, gainBetween(own, Math.min(...all)));
}

/** Gains of the original and of one result, which is heard from `offsetMs` on. */
export interface Mix {
  readonly original: string;
  readonly isolated: string;
  readonly gains: readonly [original: number, isolated: number];
  readonly offsetMs: number;
}

export function mixOf(urls: TrackUrls, measures: CompareMeasures | null, listening: Listening): Mix {
  const [original, ...results] = mixGains(listening, measures, false);
  const cleaned = listening.tag === 'variant' ? 'variant' : 'isolated';
  return {
    original: urls.original,
    isolated: urls[cleaned] ?? urls.isolated,
    gains: [original, results[cleaned === 'variant' ? 1 : 0]],
    offsetMs: measures?.[cleaned]?.offsetMs ?? 0,
  };
}

/** By least squares, as the factor from `first` to `second`; 0.1 to 10. */
export function levelRatio(first: Float32Array, second: Float32Array): number {
  let product = 0;
  let energy = 0;
  for (let at = 0; at < Math.min(first.length, second.length); at += 1) {
    product += (first[at] ?? 0) * (second[at] ?? 0);
    energy += (second[at] ?? 0) ** 2;
  }
  return product <= 0 || energy === 0 ? 1 : Math.max(0.1, Math.min(10, energy / product));
}

export type LaneName = TrackName | 'removed';

export type TrackUrls = Readonly<Record<'original' | 'isolated', string>> & { readonly variant: string | null };
