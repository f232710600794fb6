import type { Loudness } from '../../../shared/domain/audio/loudness.ts';
import type { PeakChunk } from '../../../shared/domain/audio/peak-builder.ts';
import type { CompareMeasures, TrackName } from './compare-measures.ts';
import type { Spectrogram } from './spectrogram.ts';
import type { Window } from './windows.ts';

/** What can be drawn: the tracks, and what the service removed from the original. */
export type LaneName = TrackName | 'removed';

/** Same-origin addresses of the compared recordings. */
export type TrackUrls = Readonly<Record<'original' | 'isolated', string>> & { readonly variant: string | null };

/** A measured result of the service, with the seconds that are compared with the same ones of the original. */
export interface ReadResult {
  readonly loudness: Loudness;
  readonly window: Window;
  readonly sampleRate: number;
}

/** The single order to a measuring worker. The original comes last: by then it is known which seconds are compared. */
export type MeasureOrder =
  | { readonly kind: 'result'; readonly name: 'isolated' | 'variant'; readonly url: string }
  | {
      readonly kind: 'original';
      readonly url: string;
      readonly isolated: ReadResult;
      readonly variant: ReadResult | null;
    }
  | { readonly kind: 'removed'; readonly urls: TrackUrls; readonly measures: CompareMeasures }
  | {
      readonly kind: 'spectrogram';
      readonly lane: LaneName;
      readonly urls: TrackUrls;
      readonly measures: CompareMeasures;
    };

/** Any number of `peaks`, then the answer to the order. */
export type MeasureReport =
  | { readonly kind: 'peaks'; readonly lane: LaneName; readonly chunk: PeakChunk }
  | { readonly kind: 'read'; readonly result: ReadResult }
  | { readonly kind: 'measured'; readonly measures: CompareMeasures }
  | { readonly kind: 'removed'; readonly loudness: Loudness }
  | { readonly kind: 'spectrogram'; readonly lane: LaneName; readonly spectrogram: Spectrogram }
  | { readonly kind: 'failed'; readonly reason: string };
