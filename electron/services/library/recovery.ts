/** What was read from a damaged file in addition to its backup, and what was lost. */
export interface SalvagedCounts {
  /** Rows of the queue and texts that were readable in the damaged file, old ones included. */
  readonly readCount: number;
  /** Rows of the queue that the backup lacks, or has in an older state. */
  readonly jobCount: number;
  readonly transcriptCount: number;
  /** Rows that may have been sent since the backup: none is sent again before the service or the user is asked. */
  readonly unsureCount: number;
  /** Texts that are lost here and are fetched from the service again. */
  readonly refetchCount: number;
  /** Rows that the damaged file mentions and that exist nowhere. */
  readonly lostJobCount: number;
}

/** What happened to a damaged library (E-182). Times are Unix milliseconds. */
export interface RecoveryReport {
  readonly atMs: number;
  /** When the backup in use was made; null when there was none and the library started empty. */
  readonly restoredFromMs: number | null;
  /** What came back. */
  readonly jobCount: number;
  readonly transcriptCount: number;
  /** How many transcripts the damaged file claims to hold; null when they could not even be counted. */
  readonly damagedTranscriptCount: number | null;
  /** What was read from the damaged file itself; null: an older version restored it from the backup alone. */
  readonly salvaged: SalvagedCounts | null;
}

/** The report of a restored library, kept in it until the user has read it. */
export interface LibraryRecovery {
  /** Null when nothing happened, or the report was read. */
  report(): RecoveryReport | null;
  /** Path of the damaged file; null when it was removed. For main only, because it is a path. */
  damagedFile(): string | null;
  /** It was read. */
  acknowledge(): void;
}
