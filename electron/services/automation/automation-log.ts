/** Automatic work: copies of finished texts, files taken from the watched folder. */
export type AutomationKind = 'copy' | 'watch';

/** `there-before`: the file was in the folder when watching began, and is left alone. */
export type AutomationOutcome = 'done' | 'skipped' | 'failed' | 'there-before';

/** One entry of the log. It is also how each thing is done once, across restarts. */
export interface AutomationEntry {
  readonly kind: AutomationKind;
  /** What it is about: a text and a format, or a file by its identity on disk. Never shown. */
  readonly key: string;
  /** Unix milliseconds. */
  readonly atMs: number;
  /** Name of the file, without its folder. */
  readonly name: string;
  readonly outcome: AutomationOutcome;
  /** The row that says why it failed; null when it did not. */
  readonly row: string | null;
}
