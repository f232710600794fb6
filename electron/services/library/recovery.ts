/** What came back from a damaged file beside its copy, and what did not. */
export interface SalvagedCounts {
  /** Rows of the queue and texts that could be read in the damaged file, old ones too. */
  readonly readCount: number;
  /** Rows of the queue that the copy does not have, or has as they were before. */
  readonly jobCount: number;
  readonly transcriptCount: number;
  /** Rows that may have been sent since the copy was made: none is sent again before the service or a person is asked. */
  readonly unsureCount: number;
  /** Texts that are lost here and are read from the service again. */
  readonly refetchCount: number;
  /** Rows that the damaged file speaks of and that are nowhere. */
  readonly lostJobCount: number;
}

/** What became of a damaged library (E-182). Times are Unix milliseconds. */
export interface RecoveryReport {
  readonly atMs: number;
  /** When the copy was made that serves now; null when there was none and an empty library serves. */
  readonly restoredFromMs: number | null;
  /** What came back. */
  readonly jobCount: number;
  readonly transcriptCount: number;
  /** What the damaged file says it holds; null when it could not even be counted. */
  readonly damagedTranscriptCount: number | null;
  /** What was read out of the damaged file itself; null: an older version restored it from the copy alone. */
  readonly salvaged: SalvagedCounts | null;
}

/** The news that a library was restored, kept in it until a person has read it. */
export interface LibraryRecovery {
  /** Null when nothing happened, or it was read. */
  report(): RecoveryReport | null;
  /** Where the damaged file is kept; null when somebody took it away. For main only: it is a path. */
  damagedFile(): string | null;
  /** It was read. */
  acknowledge(): void;
}
