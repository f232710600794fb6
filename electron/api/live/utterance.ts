import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { ReceivedTranscript } from '../../../shared/domain/transcript/received.ts';
import type { DictationEvent, DictationListener } from './dictation-events.ts';
import { bytesPerMs, msOf } from './dictation-socket.ts';
import type { PaidStream } from './paid-stream.ts';

const firstCapacityBytes = 64 * 1024;

/** The audio of one utterance, kept until its text has come, so that it can be sent again. */
export class Utterance {
  readonly ordinal: number;
  readonly language: SpeechLanguage;
  readonly paid: PaidStream;
  readonly #emit: DictationListener;
  #bytes = Buffer.alloc(firstCapacityBytes);
  #length = 0;
  /** Monotonic milliseconds at which the speaker finished; null: it still grows. */
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

  /** The audio between two byte offsets; not a copy. */
  part(from: number, to = this.#length): Buffer {
    return this.#bytes.subarray(from, Math.min(to, this.#length));
  }

  /** A copy of all audio, for a caller that keeps it. */
  copy(): Uint8Array {
    return Uint8Array.from(this.part(0));
  }

  /** Called before a commit; on a failure it must not be sent. */
  beginPaid(): Failure | null {
    if (this.#unanswered > 0) this.paid.renew(makeFailure('E-137', { code: 'no_final' }));
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

  /** Half of a sample is none. */
  close(atMs: number): void {
    this.#length -= this.#length % 2;
    this.closedAtMs ??= atMs;
  }

  /** Byte offset of the quietest place between two times. */
  quietest(fromMs: number, toMs: number): number {
    const samplesPerMs = bytesPerMs / 2;
    return 2 * quietestCut(this.part(0), Math.round(fromMs * samplesPerMs), Math.round(toMs * samplesPerMs));
  }

  /**
   * Ends at a byte; the rest is returned and becomes an utterance of its own. Nothing is lost and nothing is in both.
   */
  cutAt(atByte: number, atMs: number): Buffer {
    const rest = Buffer.from(this.part(atByte));
    this.#length = atByte;
    this.closedAtMs = atMs;
    return rest;
  }

  /** Its text has come, at a monotonic time, and how long that took. */
  finalEvent(result: ReceivedTranscript, committedAtMs: number, nowMs: number): DictationEvent {
    const waitedMs = nowMs - (this.closedAtMs ?? nowMs);
    const timings = { audioMs: this.audioMs, waitedMs, answeredMs: nowMs - committedAtMs };
    return { kind: 'final', utterance: this.ordinal, result, timings, isPerhapsCountedTwice: this.#unanswered > 0 };
  }

  /** How often it has met a row. */
  times(row: string): number {
    return this.#met.get(row) ?? 0;
  }

  /** Counts one more time of a row. */
  meet(row: string): number {
    const times = this.times(row) + 1;
    this.#met.set(row, times);
    return times;
  }
}

const windowSamples = 320;

/**
 * Where to cut speech that goes on for too long: the middle of the quietest 20 ms between two places, so that a word is
 * rarely cut in two. Audio is 16-bit little-endian mono at 16 kHz and is only read; places and the result are sample
 * indexes, the result always within the two.
 */
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
