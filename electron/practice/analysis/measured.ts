import type { Span } from '../../recogniser/find-speech.ts';
import type { UndecodableCode } from '../../../shared/domain/audio/pcm-block.ts';

export interface Measured {
  readonly container: string;
  readonly codec: string;
  readonly durationMs: number;
  readonly sampleRate: number;
  readonly channelCount: number;
  /** Largest absolute sample; 1 is full scale. */
  readonly peak: number;
  /** Root mean square over all samples and channels. */
  readonly rms: number;
  /** Where possible speech was heard, in order, without overlaps. */
  readonly speech: readonly Span[];
}

export type AnalysisOutcome =
  | { readonly kind: 'measured'; readonly sound: Measured }
  /** There is more audio than `stopAfterMs`; nothing else is known yet. */
  | { readonly kind: 'longer' }
  | { readonly kind: 'undecodable'; readonly code: UndecodableCode; readonly detail: string };
