import type { Failure } from '../../shared/result/failure.ts';
import type { InterfaceLanguage } from '../../shared/domain/languages.ts';
import { tellFailure, type Words } from './words.ts';

/** Where a run speaks. `isTerminal`: somebody looks at standard error. */
export interface Streams {
  out(text: string): void;
  error(text: string): void;
  readonly isTerminal: boolean;
}

/** What became of one recording. */
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
      /** Where an answer that could not be read was put. */
      readonly rawAnswer?: string;
    }
  /** Stopped by the person. */
  | { readonly file: string; readonly state: 'interrupted' };

/** Goes on only when a person accepts that it may be charged again. */
const needsConsent: ReadonlySet<string> = new Set(['E-011', 'E-041', 'E-042', 'E-160']);

/** A name may hold line ends and commands to the terminal; a person sees that something is there. */
const visible = (text: string): string => text.replaceAll(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, '\ufffd');

/** Says what happens, for people or, one object a line, for programs. */
export class Report {
  readonly counts = { done: 0, failed: 0, skipped: 0 };
  readonly #streams: Streams;
  readonly #words: Words;
  readonly #language: InterfaceLanguage;
  readonly #isJson: boolean;
  #statusLine = '';

  constructor(streams: Streams, words: Words, language: InterfaceLanguage, isJson: boolean) {
    this.#streams = streams;
    this.#words = words;
    this.#language = language;
    this.#isJson = isJson;
  }

  file(outcome: Outcome): void {
    this.counts[outcome.state === 'done' ? 'done' : 'failed'] += 1;
    if (outcome.state === 'done') {
      const { file, transcriptId, outputs } = outcome;
      if (this.#isJson) this.#json({ file, state: 'done', transcriptId, outputs, error: null });
      else
        this.#people(
          'out',
          [this.#words('cli.done', { file: visible(file) }), ...outputs.map((path) => `  ${visible(path)}`)].join('\n'),
        );
      return;
    }
    if (outcome.state === 'interrupted') {
      const error = { code: 'interrupted', message: this.#words('cli.interrupted'), requestId: null };
      if (this.#isJson) this.#json({ file: outcome.file, state: 'failed', transcriptId: null, outputs: [], error });
      return;
    }
    const { file, transcriptId, failure, rawAnswer } = outcome;
    const told = tellFailure(this.#words, this.#language, failure);
    const message = [
      told,
      ...(rawAnswer === undefined ? [] : [this.#words('cli.rawAnswer', { path: rawAnswer })]),
      ...(needsConsent.has(failure.row) ? [this.#words('cli.sendAgain')] : []),
    ].join(' ');
    if (this.#isJson) {
      const error = { code: failure.code, message, requestId: failure.requestId ?? null };
      this.#json({ file, state: 'failed', transcriptId, outputs: [], error });
    } else this.#people('error', visible(this.#words('cli.failed', { file, message })));
  }

  skipped(): void {
    this.counts.skipped += 1;
  }

  /** A sentence for the person, also when a program reads the rest. */
  note(text: string): void {
    this.#people('error', text);
  }

  failure(key: string, failure: Failure): void {
    this.note(this.#words(key, { message: tellFailure(this.#words, this.#language, failure) }));
  }

  /** One line that is written over and over; only where somebody sees it. */
  status(text: string): void {
    if (!this.#streams.isTerminal || text === this.#statusLine) return;
    this.#statusLine = text;
    this.#streams.error(`\r\u001b[K${visible(text)}`);
  }

  summary(): void {
    if (this.#isJson) this.#json({ summary: this.counts });
    else this.#people('out', this.#words('cli.summary', this.counts));
  }

  #json(value: unknown): void {
    this.#clearStatus();
    this.#streams.out(`${JSON.stringify(value)}\n`);
  }

  #people(stream: 'out' | 'error', text: string): void {
    this.#clearStatus();
    this.#streams[stream](`${text}\n`);
  }

  #clearStatus(): void {
    if (this.#statusLine === '') return;
    this.#statusLine = '';
    this.#streams.error('\r\u001b[K');
  }
}
