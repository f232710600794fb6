import type { AudioExtension } from '../../../shared/domain/media/audio-plan.ts';
import type { TimeSpan } from '../../../shared/domain/transcript/transcript.ts';
import type { Result } from '../../../shared/result/result.ts';

/** Parts of a recording that become a file. Paths are absolute. */
export interface AudioCut {
  readonly from: string;
  readonly to: string;
  readonly format: AudioExtension;
  /** As in `AudioEncoding`; absent: what speech needs, in the source's channels. */
  readonly bitRate?: number | null | undefined;
  readonly isMono?: boolean | undefined;
  /** Ordered and disjoint; one that extends beyond the recording ends with it. */
  readonly spans: readonly TimeSpan[];
  /** Of the recording, about. */
  readonly durationMs: number;
}

export interface AudioWatch {
  readonly signal: AbortSignal;
  /** 0 to 1. */
  readonly onShare: (share: number) => void;
}

/**
 * Writes parts of a recording as one file, completely or not at all. E-010 when the recording can't be read, E-211
 * `not_convertible` when its audio can't be decoded, E-214 when the file can't be written; `code: 'cancelled'` after an
 * abort.
 */
export type AudioCutter = (
  cut: AudioCut,
  watch: AudioWatch,
) => Promise<Result<{ readonly sizeBytes: number; readonly durationMs: number }>>;
