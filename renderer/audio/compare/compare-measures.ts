import { gainBetween, type Loudness } from '../../../shared/domain/audio/loudness.ts';

/** What was found out about a recording and what the service made of it. */
export interface CompareMeasures {
  readonly original: Loudness;
  readonly isolated: Loudness;
  /** By how much the isolated audio lies behind the original. */
  readonly offsetMs: number;
  /** Likeness of the two at that place, 0 to 1. */
  readonly correlation: number;
  /** The isolated audio divided by this is as loud as the voice in the original. */
  readonly voiceGain: number;
}

/** What is heard: one of the two, both mixed by `share` of the isolated one (0 to 1), or what the service took out. */
export type Listening =
  | { readonly tag: 'original' | 'isolated' | 'removed' }
  | { readonly tag: 'blend'; readonly share: number };

/** Factors of the two recordings in what is heard. What was removed is the original minus the isolated voice in it. */
export interface MixGains {
  readonly original: number;
  readonly isolated: number;
}

/** Less likeness than this at the best place, and the voice in the two can't be set against each other. */
export const leastCorrelation = 0.3;

/**
 * Factors for what is heard. With `isMatched` the louder of the two is turned down to the other one, never the quieter
 * one up: nothing is cut off. Mixes are at the level of the isolated voice.
 */
export function mixGains(listening: Listening, measures: CompareMeasures | null, isMatched: boolean): MixGains {
  const voice = measures === null ? 1 : measures.voiceGain;
  switch (listening.tag) {
    case 'original':
      return { original: isMatched ? matchGain('original', measures) : 1, isolated: 0 };
    case 'isolated':
      return { original: 0, isolated: isMatched ? matchGain('isolated', measures) : 1 };
    case 'removed':
      return { original: 1, isolated: -1 / voice };
    case 'blend':
      return { original: (1 - listening.share) * voice, isolated: listening.share };
  }
}

/** By which factor a recording is turned down to be as loud as the other one; 1 where that is not known. */
export function matchGain(track: 'original' | 'isolated', measures: CompareMeasures | null): number {
  const [own, other] =
    track === 'original' ? [measures?.original, measures?.isolated] : [measures?.isolated, measures?.original];
  if (own?.integratedLufs == null || other?.integratedLufs == null) return 1;
  return Math.min(1, gainBetween(own.integratedLufs, other.integratedLufs));
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
