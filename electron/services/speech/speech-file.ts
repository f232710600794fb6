import type { AudioExtension } from '../../../shared/domain/media/audio-plan.ts';
import type { SpeechTake } from '../../../shared/domain/speech/speech-document.ts';
import type { Result } from '../../../shared/result/result.ts';

export interface StoredTake extends SpeechTake {
  /** Null: it was found at the service. */
  readonly idempotencyKey: string | null;
  readonly generationId: string | null;
  readonly requestId: string | null;
  readonly sizeBytes: number | null;
  readonly fileName: string | null;
}

export interface DocumentLine {
  readonly id: string;
  readonly title: string;
  readonly updatedAtMs: number;
}

export type SpeechNote =
  | 'speech-voices'
  | 'speech-pronunciations'
  | 'speech-voice-marks'
  | 'voice-clone-draft'
  | 'voice-clone-recording'
  | 'voice-removals';

export interface SpokenPart {
  readonly path: string;
  readonly text: string;
  readonly pauseMs: number;
  readonly startMs?: number | undefined;
  readonly tempo?: number | undefined;
  readonly chapter?: string | undefined;
}

export interface JoinOptions {
  readonly format: AudioExtension;
  readonly targetLufs: number | null;
}

export interface SpeechJoin extends JoinOptions {
  readonly as: 'one' | 'files' | 'zip' | 'chapters';
}

export interface SavedSpeech {
  readonly path: string;
  readonly subtitlesPath: string | null;
  readonly quietestLufs: number | null;
}

/** Completely or not at all; a folder and subtitles get a number where their name is taken. */
export type SaveSpeech = (
  path: string,
  parts: readonly SpokenPart[],
  options: SpeechJoin & { readonly withSubtitles: boolean },
) => Promise<Result<SavedSpeech>>;
