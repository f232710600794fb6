/** Automatic work: exports of finished texts, files taken from the watched folder. */
export type AutomationKind = 'copy' | 'watch';

/** `there-before`: the file was in the folder when watching began, and is left alone. */
export type AutomationOutcome = 'done' | 'skipped' | 'failed' | 'there-before';

/** One entry of the log, which also makes each thing happen only once, across restarts. */
export interface AutomationEntry {
  readonly kind: AutomationKind;
  /** A text and a format, or a file by its identity on disk. Never shown. */
  readonly key: string;
  /** Unix milliseconds. */
  readonly atMs: number;
  /** Name of the file, without its folder. */
  readonly name: string;
  readonly outcome: AutomationOutcome;
  /** The error row of the failure; null when it succeeded. */
  readonly row: string | null;
}
