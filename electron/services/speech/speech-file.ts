import type { AudioExtension } from '../../../shared/domain/media/audio-plan.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { Result } from '../../../shared/result/result.ts';

/** The audio of a sentence on disk, as a part of a larger file. */
export interface SpokenPart {
  readonly path: string;
  readonly text: string;
  /** Silence after it, milliseconds. */
  readonly pauseMs: number;
  /** When it should be heard in the whole, milliseconds; later if what precedes it is longer. */
  readonly startMs?: number | undefined;
  /** How much faster than it was spoken it is heard; 1 unless given. */
  readonly tempo?: number | undefined;
  /** The name of its chapter; empty where there is none. */
  readonly chapter?: string | undefined;
}

export interface JoinOptions {
  readonly format: AudioExtension;
  /** Target loudness of the whole; null leaves it unchanged. */
  readonly targetLufs: number | null;
}

/** One file; a file for each part, in a folder or an archive; or an archive with a file for each chapter. */
export interface SpeechJoin extends JoinOptions {
  readonly as: 'one' | 'files' | 'zip' | 'chapters';
}

export interface SavedSpeech {
  readonly path: string;
  readonly subtitlesPath: string | null;
  /** The loudness of the quietest file that stayed below the target, because its peaks are too high for it. */
  readonly quietestLufs: number | null;
}

/**
 * Writes takes as one file, a folder or an archive, completely or not at all: a folder and subtitles get a number
 * where their name is taken. E-010 when a take can't be read; E-175, E-214.
 */
export type SaveSpeech = (
  path: string,
  parts: readonly SpokenPart[],
  /** `withSubtitles`: an SRT with one cue for each part, next to the file. */
  options: SpeechJoin & { readonly withSubtitles: boolean },
) => Promise<Result<SavedSpeech, Failure>>;
