/** A word from the service; times in integer milliseconds, or absent when it gave none. */
export interface ReceivedWord {
  readonly text: string;
  readonly startMs?: number;
  readonly endMs?: number;
}

/** A segment from the service, whatever its shape was on the wire. */
export interface ReceivedSegment {
  readonly text: string;
  readonly startMs?: number;
  readonly endMs?: number;
  /** The service's own label ("SPEAKER_00", "1", "A"); absent when speakers were not distinguished. */
  readonly speaker?: string;
  readonly words: readonly ReceivedWord[];
}

/** The result of a tolerant reader for a transcription body (contract 4.6 shows no shape). */
export interface ReceivedTranscript {
  readonly text: string;
  readonly title?: string;
  readonly language?: string;
  readonly durationMs?: number;
  readonly segments: readonly ReceivedSegment[];
}
