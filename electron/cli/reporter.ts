import { preferredLanguage, type InterfaceLanguage } from '../../shared/domain/languages.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { helpAfter, mayPassLater, resultOf, endingOf, type RunResult } from './ending.ts';
import { createInstance } from 'i18next';
import { catalogueOf } from '../../shared/i18n/uzbek-cyrillic.ts';
import { describeFailure } from '../../shared/domain/failures/describe-failure.ts';

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

export interface Progress {
  readonly step: 'transcribing' | 'reading' | 'sending' | 'working' | 'fetching' | 'asking';
  readonly file?: string;
  readonly percent?: number;
  readonly done?: number;
  readonly total?: number;
  readonly model?: string;
  readonly mostCredits?: string;
  readonly expectedCredits?: string;
}

const progressEveryMs = 1000;

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

  json(value: unknown): void {
    if (!this.isJson) return;
    this.#clearStatus();
    this.#streams.out(`${JSON.stringify(value)}\n`);
  }

  line(text: string): void {
    if (!this.isJson) this.#people('out', text);
  }

  piece(text: string): void {
    this.#clearStatus();
    if (this.isJson) this.#streams.out(`${JSON.stringify({ piece: text })}\n`);
    else {
      this.#streams.out(visibleText(text));
      this.#isInLine = !text.endsWith('\n');
    }
  }

  endPieces(): void {
    if (this.#isInLine) this.#streams.out('\n');
    this.#isInLine = false;
  }

  note(text: string): void {
    this.#people('error', text);
  }

  failure(failure: Failure, help: readonly string[] = [], facts: Readonly<Record<string, unknown>> = {}): void {
    const message = [this.explain(failure), ...help].join(' ');
    if (this.isJson) this.json({ ...facts, error: errorOf(failure, message) });
    else this.note(message);
  }

  endWith(failure: Failure, help = this.helpFor(failure), facts: Readonly<Record<string, unknown>> = {}): RunResult {
    this.failure(failure, help, facts);
    return resultOf(failure);
  }

  helpFor(failure: Failure): readonly string[] {
    const help = helpAfter(failure);
    return help === null ? [] : [this.words(help)];
  }

  explain(failure: Failure): string {
    return endingText(this.words, this.#language, failure);
  }

  explainWaiting(failure: Failure): string {
    return failureText(this.words, this.#language, failure);
  }

  /** Programs get `facts` as an object, at most one a second for the same step. */
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

export interface Words {
  (key: string, values?: Readonly<Record<string, string | number>>): string;
}

export const terminalLanguage = (env: Readonly<Record<string, string | undefined>>): InterfaceLanguage =>
  preferredLanguage([env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || '']);

export function loadWords(language: InterfaceLanguage): Words {
  const source = createInstance();
  void source.init({
    initAsync: false,
    lng: language,
    fallbackLng: 'en',
    resources: Object.fromEntries([language, 'en' as const].map((name) => [name, { translation: catalogueOf(name) }])),
    interpolation: { escapeValue: false },
    joinArrays: '\n',
  });
  // Keys are built at run time here, so the catalogue's list of them can't check them.
  const look = source.t.bind(source) as unknown as (key: string, values: object) => string;
  return (key, values) => look(key, { ...values });
}

export function failureText(words: Words, language: InterfaceLanguage, failure: Failure): string {
  const { textKey, params } = describeFailure(failure, language);
  return words(textKey, params);
}

/** The same for a failure that ends the command, without promises that only a running program can keep. */
export function endingText(words: Words, language: InterfaceLanguage, failure: Failure): string {
  const { textKey, params } = describeFailure(failure, language);
  return words(endingOf(failure) ?? textKey, params);
}
