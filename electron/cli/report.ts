import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { errorOf, visible, type Progress, type Reporter } from './reporter.ts';

/** The outcome of one recording. */
export type Outcome =
  | {
      readonly file: string;
      readonly state: 'done';
      readonly transcriptId: string;
      readonly outputs: readonly string[];
    }
  | {
      readonly file: string;
      readonly state: 'failed';
      readonly transcriptId: string | null;
      readonly failure: Failure;
      /** Path at which an unreadable answer was saved. */
      readonly rawAnswer?: string;
    }
  /** Stopped by the user. */
  | { readonly file: string; readonly state: 'interrupted' };

/** Rows that continue only when the user accepts a possible second charge. */
const needsConsent: ReadonlySet<string> = new Set(['E-011', 'E-041', 'E-042', 'E-160']);

/** How many files that are no recordings are named to a user; programs get all of them. */
const mostNamed = 10;

/** Reports a run over many recordings, and counts the results. */
export class Report {
  readonly counts = { done: 0, failed: 0, skipped: 0 };
  readonly #reporter: Reporter;
  readonly #skipped: string[] = [];

  constructor(reporter: Reporter) {
    this.#reporter = reporter;
  }

  file(outcome: Outcome): void {
    const reporter = this.#reporter;
    this.counts[outcome.state === 'done' ? 'done' : 'failed'] += 1;
    if (outcome.state === 'done') {
      const { file, transcriptId, outputs } = outcome;
      reporter.json({ file, state: 'done', transcriptId, outputs, error: null });
      reporter.line(
        [reporter.words('cli.done', { file: visible(file) }), ...outputs.map((path) => `  ${visible(path)}`)].join(
          '\n',
        ),
      );
      return;
    }
    if (outcome.state === 'interrupted') {
      const error = errorOf(makeFailure('E-107', { code: 'interrupted' }), reporter.words('cli.interrupted'));
      reporter.json({ file: outcome.file, state: 'failed', transcriptId: null, outputs: [], error });
      return;
    }
    const { file, transcriptId, failure, rawAnswer } = outcome;
    const message = [
      reporter.explain(failure),
      ...(rawAnswer === undefined ? [] : [reporter.words('cli.rawAnswer', { path: rawAnswer })]),
      ...(needsConsent.has(failure.row) ? [reporter.words('cli.sendAgain')] : []),
    ].join(' ');
    reporter.json({ file, state: 'failed', transcriptId, outputs: [], error: errorOf(failure, message) });
    if (!reporter.isJson) reporter.note(visible(reporter.words('cli.failed', { file, message })));
  }

  /** Found in a folder and no recording. */
  skipped(file: string): void {
    this.counts.skipped += 1;
    this.#reporter.json({ file, state: 'skipped', transcriptId: null, outputs: [], error: null });
    this.#skipped.push(file);
  }

  note(text: string): void {
    this.#reporter.note(text);
  }

  /** Why the run is stalled; it ends after `waitMs` without progress. */
  waits(failure: Failure, waitMs: number): void {
    const seconds = Math.round(waitMs / 1000);
    this.note(this.#reporter.words('cli.waits', { message: this.#reporter.explainWaiting(failure), seconds }));
  }

  /** `cli.stopped` or `cli.restored`, with the reason. */
  failure(key: string, failure: Failure): void {
    this.note(this.#reporter.words(key, { message: this.#reporter.explain(failure) }));
  }

  status(text: string, progress: Progress): void {
    this.#reporter.status(text, progress);
  }

  summary(): void {
    this.#reporter.json({ summary: this.counts });
    if (this.#skipped.length > 0) {
      const named = this.#skipped.slice(0, mostNamed).join(', ');
      const files = visible(this.#skipped.length > mostNamed ? `${named}, …` : named);
      this.#reporter.line(this.#reporter.words('cli.passedOver', { files }));
    }
    this.#reporter.line(this.#reporter.words('cli.summary', this.counts));
  }
}
