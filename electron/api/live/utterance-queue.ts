import { randomUUID } from 'node:crypto';
import type { PaidLedger } from '../../../shared/domain/ledger/paid-action.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import { PaidStream } from './paid-stream.ts';
import { Utterance } from './utterance.ts';

/** Utterances in the order in which they were spoken: the first is being sent, the last may still grow. */
export class UtteranceQueue {
  readonly #waiting: Utterance[] = [];
  readonly #ledger: PaidLedger | undefined;
  #spoken = 0;
  /** Of utterances that begin from now on. */
  language: SpeechLanguage;

  constructor(ledger: PaidLedger | undefined, language: SpeechLanguage) {
    this.#ledger = ledger;
    this.language = language;
  }

  get first(): Utterance | undefined {
    return this.#waiting[0];
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** The one that grows, if there is one. */
  get open(): Utterance | undefined {
    const last = this.#waiting.at(-1);
    return last?.closedAtMs === null ? last : undefined;
  }

  all(): readonly Utterance[] {
    return [...this.#waiting];
  }

  openOrNew(): Utterance {
    if (this.open !== undefined) return this.open;
    const utterance = this.#next();
    this.#waiting.push(utterance);
    return utterance;
  }

  #next(language = this.language): Utterance {
    this.#spoken += 1;
    const named = { id: randomUUID(), route: 'dictate.stream', product: 'dictate' } as const;
    return new Utterance(this.#spoken, language, new PaidStream(this.#ledger, named));
  }

  remove(utterance: Utterance): void {
    const at = this.#waiting.indexOf(utterance);
    if (at >= 0) this.#waiting.splice(at, 1);
  }

  /** Cuts at the quietest place between two times; the rest becomes the next utterance with its own number. */
  cut(utterance: Utterance, fromMs: number, toMs: number, nowMs: number): Utterance {
    return this.cutAt(utterance, utterance.quietest(fromMs, toMs), nowMs);
  }

  cutAt(utterance: Utterance, atByte: number, nowMs: number): Utterance {
    const wasOpen = utterance.closedAtMs === null;
    const rest = utterance.cutAt(atByte, nowMs);
    const next = this.#next(wasOpen ? this.language : utterance.language);
    next.add(rest);
    if (!wasOpen) next.close(nowMs);
    this.#waiting.splice(this.#waiting.indexOf(utterance) + 1, 0, next);
    return next;
  }
}
