import { randomUUID } from 'node:crypto';
import type { PaidLedger } from '../../../shared/domain/ledger/paid-action.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { DictationListener, LostUtterance } from './dictation-events.ts';
import { PaidStream } from './paid-stream.ts';
import { Utterance } from './utterance.ts';

/** An overlong utterance is cut at the quietest place between these two times, in milliseconds. */
const cut = { fromMs: 20_000, toMs: 34_500 } as const;

/** Utterances in the order in which they were spoken: the first is being sent, the last may still grow. */
export class UtteranceQueue {
  readonly #waiting: Utterance[] = [];
  readonly #ledger: PaidLedger | undefined;
  readonly #emit: DictationListener;
  #spoken = 0;
  /** Of utterances that begin from now on. */
  language: SpeechLanguage;

  constructor(ledger: PaidLedger | undefined, language: SpeechLanguage, emit: DictationListener) {
    this.#ledger = ledger;
    this.language = language;
    this.#emit = emit;
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

  /** Ends all: whether the service charges for those that it has is unknown. */
  giveUp(failure: Failure): readonly LostUtterance[] {
    return this.#waiting.map((utterance) => {
      utterance.paid.fail({ ...failure, outcome: 'unknown' });
      return { utterance: utterance.ordinal, pcm: utterance.copy() };
    });
  }

  /** Adds audio to the one that grows; returns those that became too long, each with the one that goes on. */
  push(pcm: Uint8Array, nowMs: number): readonly (readonly [Utterance, Utterance])[] {
    if (this.open === undefined) this.#waiting.push(this.#next());
    this.open?.add(pcm);
    const cuts: [Utterance, Utterance][] = [];
    for (let { open } = this; open !== undefined && open.audioMs >= cut.toMs; { open } = this)
      cuts.push([open, this.cut(open, cut, nowMs)]);
    return cuts;
  }

  #next(language = this.language): Utterance {
    this.#spoken += 1;
    const named = { id: randomUUID(), route: 'dictate.stream', product: 'dictate' } as const;
    return new Utterance(this.#spoken, language, new PaidStream(this.#ledger, named), this.#emit);
  }

  remove(utterance: Utterance): void {
    const at = this.#waiting.indexOf(utterance);
    if (at >= 0) this.#waiting.splice(at, 1);
  }

  /** Cuts at the quietest place between two times; the rest becomes the next utterance with its own number. */
  cut(utterance: Utterance, between: { readonly fromMs: number; readonly toMs: number }, nowMs: number): Utterance {
    return this.cutAt(utterance, utterance.quietest(between.fromMs, between.toMs), nowMs);
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
