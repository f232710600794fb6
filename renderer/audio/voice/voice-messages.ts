import type { RecordingCheck } from '../../../shared/domain/voices/check-recording.ts';

/** A stretch of a recording, milliseconds. */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
}
export interface VoiceRange {
  readonly leastMs: number;
  readonly mostMs: number;
}

export type VoiceQuestion =
  | { readonly kind: 'open'; readonly url: string }
  | { readonly kind: 'check'; readonly number: number; readonly stretch: Stretch; readonly range: VoiceRange }
  | { readonly kind: 'cut'; readonly number: number; readonly stretch: Stretch };

export type VoiceAnswer =
  /** `bars`: twenty peaks a second, 0 to 1. `isCut`: the file is longer, and only its beginning was read. */
  | { readonly kind: 'opened'; readonly durationMs: number; readonly bars: Float32Array; readonly isCut: boolean }
  | { readonly kind: 'failed' }
  | { readonly kind: 'checked'; readonly number: number; readonly check: RecordingCheck }
  | {
      readonly kind: 'cut';
      readonly number: number;
      readonly pcm: Int16Array<ArrayBuffer>;
      readonly sampleRate: number;
    };
