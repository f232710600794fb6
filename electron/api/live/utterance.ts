import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { ReceivedTranscript } from '../../../shared/domain/transcript/received.ts';
import { bytesPerMs, msOf } from './dictation-connection.ts';
import type { PaidStream } from '../../service/paid.ts';

const firstCapacityBytes = 64 * 1024;

/** The audio of one utterance, kept until its text has come, so that it can be sent again. */
export class Utterance {
  readonly ordinal: number;
  readonly language: SpeechLanguage;
  readonly paid: PaidStream;
  readonly #emit: DictationListener;
  #bytes = Buffer.alloc(firstCapacityBytes);
  #length = 0;
  closedAtMs: number | null = null;
  /** Commits without an answer: the service may charge for each. */
  #unanswered = 0;
  readonly #met = new Map<string, number>();

  constructor(ordinal: number, language: SpeechLanguage, paid: PaidStream, emit: DictationListener) {
    this.ordinal = ordinal;
    this.language = language;
    this.paid = paid;
    this.#emit = emit;
  }

  get length(): number {
    return this.#length;
  }

  get audioMs(): number {
    return msOf(this.#length);
  }

  add(pcm: Uint8Array): void {
    const needed = this.#length + pcm.length;
    if (needed > this.#bytes.length) {
      const grown = Buffer.alloc(Math.max(needed, this.#bytes.length * 2));
      this.#bytes.copy(grown, 0, 0, this.#length);
      this.#bytes = grown;
    }
    this.#bytes.set(pcm, this.#length);
    this.#length = needed;
  }

  part(from: number, to = this.#length): Buffer {
    return this.#bytes.subarray(from, Math.min(to, this.#length));
  }

  copy(): Uint8Array {
    return Uint8Array.from(this.part(0));
  }

  /** Called before a commit; on a failure it must not be sent. */
  beginPaid(): Failure | null {
    if (this.#unanswered > 0) this.paid.renew(makeFailure('phrase-late', { code: 'no_final' }));
    return this.paid.begin({ audioMs: this.audioMs, language: this.language });
  }

  noteCommit(): void {
    this.#unanswered += 1;
    this.#emit({ kind: 'owed', utterance: this.ordinal, by: 1 });
  }

  noteAnswer(): void {
    if (this.#unanswered === 0) return;
    this.#unanswered -= 1;
    this.#emit({ kind: 'owed', utterance: this.ordinal, by: -1 });
  }

  close(atMs: number): void {
    this.#length -= this.#length % 2;
    this.closedAtMs ??= atMs;
  }

  quietest(fromMs: number, toMs: number): number {
    const samplesPerMs = bytesPerMs / 2;
    return 2 * quietestCut(this.part(0), Math.round(fromMs * samplesPerMs), Math.round(toMs * samplesPerMs));
  }

  cutAt(atByte: number, atMs: number): Buffer {
    const rest = Buffer.from(this.part(atByte));
    this.#length = atByte;
    this.closedAtMs = atMs;
    return rest;
  }

  finalEvent(result: ReceivedTranscript, committedAtMs: number, nowMs: number): DictationEvent {
    const waitedMs = nowMs - (this.closedAtMs ?? nowMs);
    const timings = { audioMs: this.audioMs, waitedMs, answeredMs: nowMs - committedAtMs };
    const isPerhapsCountedTwice = this.#unanswered > 0;
    return { kind: 'final', utterance: this.ordinal, result, paidId: this.paid.id, timings, isPerhapsCountedTwice };
  }

  times(kind: string): number {
    return this.#met.get(kind) ?? 0;
  }

  meet(kind: string): number {
    const times = this.times(kind) + 1;
    this.#met.set(kind, times);
    return times;
  }
}

const windowSamples = 320;

/** The middle of the quietest 20 ms between two places, so that a word is rarely cut in two. */
function quietestCut(pcm: Uint8Array, fromSample: number, toSample: number): number {
  const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength - (pcm.byteLength % 2));
  const last = Math.min(toSample, view.byteLength / 2);
  const first = Math.min(fromSample, last);
  let best = last;
  let bestEnergy = Infinity;
  for (let at = first; at + windowSamples <= last; at += windowSamples / 2) {
    let energy = 0;
    for (let sample = at; sample < at + windowSamples; sample += 1) energy += Math.abs(view.getInt16(sample * 2, true));
    // Of equally quiet places the last one wins: a longer utterance gives the service more context.
    if (energy <= bestEnergy) {
      bestEnergy = energy;
      best = at + windowSamples / 2;
    }
  }
  return best;
}

export interface UtteranceTimings {
  readonly audioMs: number;
  readonly waitedMs: number;
  readonly answeredMs: number;
}

export interface LostUtterance {
  readonly utterance: number;
  readonly pcm: Uint8Array;
}

/** `held`: nothing is sent until `goOn` is called; `idle`: no connection, because there is nothing to send. */
export type DictationState = 'connecting' | 'live' | 'reconnecting' | 'held' | 'idle' | 'ended';

export type DictationEvent =
  | { readonly kind: 'state'; readonly state: DictationState; readonly failure: Failure | null }
  | {
      readonly kind: 'final';
      readonly utterance: number;
      readonly result: ReceivedTranscript;
      readonly paidId: string;
      readonly timings: UtteranceTimings;
      /** It was committed before without an answer, so the service may have charged for it more than once. */
      readonly isPerhapsCountedTwice: boolean;
    }
  /** The number of its commits without an answer has changed: each of them may be charged. */
  | { readonly kind: 'owed'; readonly utterance: number; readonly by: 1 | -1 }
  | { readonly kind: 'partial'; readonly utterance: number; readonly text: string }
  | { readonly kind: 'empty'; readonly utterance: number; readonly why: 'no-speech' | 'too-short' }
  | { readonly kind: 'cut'; readonly utterance: number; readonly next: number; readonly audioBytes: number }
  /** This utterance is not tried again; later ones are. */
  | { readonly kind: 'failed'; readonly lost: LostUtterance; readonly failure: Failure }
  /** A text that no utterance was waiting for (phrase-twice): kept for the details, never put into the document. */
  | { readonly kind: 'stray'; readonly result: ReceivedTranscript }
  /** The last event. `failure` is null when all texts came. */
  | { readonly kind: 'ended'; readonly failure: Failure | null; readonly lost: readonly LostUtterance[] };

export type DictationListener = (event: DictationEvent) => void;

export interface DictationOptions {
  readonly language: 'uz' | 'ru' | 'en';
  readonly hasWordTimes?: boolean;
  readonly signal?: AbortSignal;
}
