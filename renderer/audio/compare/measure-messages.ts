import type { PeakChunk } from '../peaks/peak-builder.ts';
import type { CompareMeasures } from './compare-measures.ts';

export type TrackName = 'original' | 'isolated';

/** What the page asks of a measuring worker, once: the same-origin addresses of the two. */
export type MeasureRequest = Readonly<Record<TrackName, string>>;

/** What the worker tells: any number of `peaks`, then `done` or `failed`. */
export type MeasureReport =
  | { readonly kind: 'peaks'; readonly track: TrackName; readonly chunk: PeakChunk }
  | { readonly kind: 'done'; readonly measures: CompareMeasures }
  | { readonly kind: 'failed'; readonly reason: string };
