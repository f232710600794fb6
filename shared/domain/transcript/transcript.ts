import type { SpeechLanguage } from '../languages.ts';

/** One word with its place in the sound; times are integer milliseconds from the start of the recording. */
export interface Word {
  readonly id: string;
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Set when the time was worked out by us (spread over the segment) and not given by the service. */
  readonly isEstimated?: true;
}

/** What one person said without a break. `words` joined by spaces reads as `text`. */
export interface Segment {
  readonly id: string;
  readonly speakerId: string | null;
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
  readonly words: readonly Word[];
}

/** A person heard in the recording; `name` is null until somebody gives one ("Speaker 1" is the interface's word). */
export interface Speaker {
  readonly id: string;
  readonly name: string | null;
}

/** The text of a recording with its times: ordered by start, without overlaps inside one speaker, unique ids. */
export interface Transcript {
  readonly language: SpeechLanguage;
  readonly durationMs: number;
  readonly speakers: readonly Speaker[];
  readonly segments: readonly Segment[];
}
