import type { Engine } from './decoding/decoded-audio.ts';
import type { PeakChunk } from './peaks/peak-builder.ts';

/** What the page asks of a peaks worker, once. `engine` is `auto` or the way out that is tried after a failure. */
export interface PeaksRequest {
  readonly url: string;
  readonly engine: Engine | 'auto';
}

/** What the worker tells, in this order: `engine`, any number of `peaks`, then `done` or `failed`. */
export type PeaksReport =
  | { readonly kind: 'engine'; readonly engine: Engine }
  | { readonly kind: 'peaks'; readonly chunk: PeakChunk }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly reason: string };
