import type { InterfaceLanguage } from '../../shared/domain/languages.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { helpAfter, mayPassLater, resultOf, type RunResult } from './ending.ts';
import { endingText, failureText, type Words } from './words.ts';

/** Where a run writes. `isTerminal`: standard error is a terminal. */
export interface Streams {
  out(text: string): void;
  error(text: string): void;
  readonly isTerminal: boolean;
}

/** A name may hold line ends and terminal control sequences; they are replaced by a visible mark. */
export const visible = (text: string): string => text.replaceAll(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, '\ufffd');

/** The same for a text with several lines: line ends and tabs stay. */
export const visibleText = (text: string): string =>
  text.replaceAll(/\r\n?/gu, '\n').replaceAll(/(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, '\ufffd');

/** The progress of a run, for programs (`docs/command-line.md`). */
export interface Progress {
  readonly step: 'transcribing' | 'reading' | 'sending' | 'working' | 'fetching' | 'asking';
  readonly file?: string;
  readonly percent?: number;
  readonly done?: number;
  readonly total?: number;
  readonly model?: string;
  /** The most it can cost, in credits as decimal text. */
  readonly mostCredits?: string;
  /** The probable cost, from earlier costs of its kind. */
  readonly expectedCredits?: string;
}

const progressEveryMs = 1000;

/** Reports what happens: sentences for people or, for programs, one JSON object per line. */
export class Reporter {
  readonly words: Words;
  readonly isJson: boolean;
  readonly #streams: Streams;
  readonly #language: InterfaceLanguage;
  #statusLine = '';
  #step = '';
  #progress = '';
  #progressAt = 0;
  #isInLine = false;

  constructor(streams: Streams, words: Words, language: InterfaceLanguage, isJson: boolean) {
    this.#streams = streams;
    this.words = words;
    this.#language = language;
    this.isJson = isJson;
  }

  /** For programs only. */
  json(value: unknown): void {
    if (!this.isJson) return;
    this.#clearStatus();
    this.#streams.out(`${JSON.stringify(value)}\n`);
  }

  /** For people only. */
  line(text: string): void {
    if (!this.isJson) this.#people('out', text);
  }

  /** A piece of a text in progress; people see it as it comes. */
  piece(text: string): void {
    this.#clearStatus();
    if (this.isJson) this.#streams.out(`${JSON.stringify({ piece: text })}\n`);
    else {
      this.#streams.out(visibleText(text));
      this.#isInLine = !text.endsWith('\n');
    }
  }

  /** Ends a text that came in pieces. */
  endPieces(): void {
    if (this.#isInLine) this.#streams.out('\n');
    this.#isInLine = false;
  }

  /** A sentence for the user, even when a program reads the rest. */
  note(text: string): void {
    this.#people('error', text);
  }

  /** Why something was not done, with hints about what else helps. */
  failure(failure: Failure, help: readonly string[] = [], facts: Readonly<Record<string, unknown>> = {}): void {
    const message = [this.explain(failure), ...help].join(' ');
    if (this.isJson) this.json({ ...facts, error: errorOf(failure, message) });
    else this.note(message);
  }

  /** Ends a command with a failure, and unless `help` is given says what can be done after it. */
  endWith(failure: Failure, help = this.helpFor(failure), facts: Readonly<Record<string, unknown>> = {}): RunResult {
    this.failure(failure, help, facts);
    return resultOf(failure);
  }

  helpFor(failure: Failure): readonly string[] {
    const help = helpAfter(failure);
    return help === null ? [] : [this.words(help)];
  }

  /** What a command ends with. */
  explain(failure: Failure): string {
    return endingText(this.words, this.#language, failure);
  }

  /** What a run waits for. */
  explainWaiting(failure: Failure): string {
    return failureText(this.words, this.#language, failure);
  }

  /**
   * A status line that is overwritten on a terminal. Otherwise programs get `facts` as an object, at most one a second
   * for the same step, and a log gets one line per step.
   */
  status(text: string, facts: Progress): void {
    const step = `${facts.step} ${facts.file ?? ''}`;
    const isNewStep = step !== this.#step;
    const now = performance.now();
    if (this.isJson) {
      const progress = JSON.stringify({ progress: facts });
      if (progress === this.#progress || (!isNewStep && now - this.#progressAt < progressEveryMs)) return;
      this.#progress = progress;
      this.#streams.out(`${progress}\n`);
    } else if (this.#streams.isTerminal) {
      if (text !== this.#statusLine) this.#streams.error(`\r\u001b[K${visible(text)}`);
      this.#statusLine = text;
    } else if (isNewStep) this.#streams.error(`${visible(text)}\n`);
    if (isNewStep || this.isJson) this.#progressAt = now;
    this.#step = step;
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

/** A failure as programs read it (`docs/command-line.md`). */
export const errorOf = (failure: Failure, message: string) => ({
  code: failure.code,
  message,
  outcome: failure.outcome,
  mayPassLater: mayPassLater(failure),
  requestId: failure.requestId ?? failure.llmRequestId ?? null,
});
