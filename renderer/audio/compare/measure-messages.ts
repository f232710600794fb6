import type { Loudness } from '../../../shared/domain/audio/loudness.ts';
import type { PeakChunk } from '../peaks/peak-builder.ts';
import type { CompareMeasures, TrackName } from './compare-measures.ts';
import type { Spectrogram } from './spectrogram.ts';

/** What can be drawn: the tracks, and what the service took out of the original. */
export type LaneName = TrackName | 'removed';

/** Same-origin addresses of what is compared. */
export type TrackUrls = Readonly<Record<'original' | 'isolated', string>> & { readonly variant: string | null };

/** What the page asks of a measuring worker: first to `measure`, unless all of that is `known`, and then for the rest when somebody looks at it. */
export type MeasureOrder =
  | { readonly kind: 'measure'; readonly urls: TrackUrls; readonly known: CompareMeasures | null }
  | { readonly kind: 'removed' }
  | { readonly kind: 'spectrograms'; readonly lanes: readonly LaneName[] };

/** What the worker tells, in the order of what it was asked. */
export type MeasureReport =
  | { readonly kind: 'peaks'; readonly lane: LaneName; readonly chunk: PeakChunk }
  | { readonly kind: 'measured'; readonly measures: CompareMeasures }
  | { readonly kind: 'removed'; readonly loudness: Loudness }
  | { readonly kind: 'spectrogram'; readonly lane: LaneName; readonly spectrogram: Spectrogram }
  | { readonly kind: 'failed'; readonly reason: string };
