import type { Failure } from '../../result/failure.ts';

/** A voice as the service offers it. */
export interface SpeechVoice {
  readonly id: string;
  readonly name: string;
  /** The service's codes, possibly including unsupported languages. */
  readonly languages: readonly string[];
  readonly gender: string | null;
  /** Cloned by this account. */
  readonly isOwn: boolean;
  readonly description: string | null;
  /** The service's name of its colour palette. */
  readonly palette: string | null;
}

export interface VoiceCatalogue {
  readonly voices: readonly SpeechVoice[];
  readonly languages: readonly string[];
  /** False: the service reports that it can't speak at the moment, like practice without a speech program. */
  readonly canSpeak: boolean;
  /** When the list was read, Unix milliseconds. */
  readonly readAtMs: number;
  /** Why it could not be read now; null for a current list. */
  readonly failure: Failure | null;
}

/** Voices that the user marked or used, by id; most recently used first. */
export interface VoiceMarks {
  readonly favourites: readonly string[];
  readonly recent: readonly string[];
}
