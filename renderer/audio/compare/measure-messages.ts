import type { Loudness } from '../../../shared/domain/audio/loudness.ts';
import type { PeakChunk } from '../peaks/peak-builder.ts';
import type { CompareMeasures, TrackName } from './compare-measures.ts';
import type { Spectrogram } from './spectrogram.ts';

/** What can be drawn: the tracks, and what the service removed from the original. */
export type LaneName = TrackName | 'removed';

/** Same-origin addresses of the compared recordings. */
export type TrackUrls = Readonly<Record<'original' | 'isolated', string>> & { readonly variant: string | null };

/** Orders to a measuring worker: first `measure`, unless everything is `known`, and then the rest when it is shown. */
export type MeasureOrder =
  | { readonly kind: 'measure'; readonly urls: TrackUrls; readonly known: CompareMeasures | null }
  | { readonly kind: 'removed' }
  | { readonly kind: 'spectrograms'; readonly lanes: readonly LaneName[] };

/** Reports of the worker, in the order of the requests. */
export type MeasureReport =
  | { readonly kind: 'peaks'; readonly lane: LaneName; readonly chunk: PeakChunk }
  | { readonly kind: 'measured'; readonly measures: CompareMeasures }
  | { readonly kind: 'removed'; readonly loudness: Loudness }
  | { readonly kind: 'spectrogram'; readonly lane: LaneName; readonly spectrogram: Spectrogram }
  | { readonly kind: 'failed'; readonly reason: string };
