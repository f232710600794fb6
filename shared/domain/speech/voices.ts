import type { Failure } from '../../result/failure.ts';

/** A voice as the service offers it. */
export interface SpeechVoice {
  readonly id: string;
  readonly name: string;
  /** As the service writes them; some may be none of ours. */
  readonly languages: readonly string[];
  readonly gender: string | null;
  /** Cloned by this account. */
  readonly isOwn: boolean;
  readonly description: string | null;
  /** The look it was given, by the service's name for it. */
  readonly palette: string | null;
}

export interface VoiceCatalogue {
  readonly voices: readonly SpeechVoice[];
  readonly languages: readonly string[];
  /** False: the service says that it can speak nothing at this moment, as practice does without its speech program. */
  readonly canSpeak: boolean;
  /** When the service told it, Unix milliseconds. */
  readonly readAtMs: number;
  /** Why it could not be asked just now; null for a fresh list. */
  readonly failure: Failure | null;
}

/** Voices that the person marked or used, by id; the newest of those used first. */
export interface VoiceMarks {
  readonly favourites: readonly string[];
  readonly recent: readonly string[];
}
