import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { UtteranceTimings } from './dictation-events.ts';
import { bytesPerMs, msOf } from './dictation-socket.ts';
import type { PaidStream } from './paid-stream.ts';

const firstCapacityBytes = 64 * 1024;

/** The audio of one utterance, kept until its text has come, so that it can be sent again. */
export class Utterance {
  readonly ordinal: number;
  readonly language: SpeechLanguage;
  readonly paid: PaidStream;
  #bytes = Buffer.alloc(firstCapacityBytes);
  #length = 0;
  /** Monotonic milliseconds at which its speaker was done; null: it still grows. */
  closedAtMs: number | null = null;
  /** How often its commit has left: with each the service may have counted it. */
  commits = 0;
  readonly #met = new Map<string, number>();

  constructor(ordinal: number, language: SpeechLanguage, paid: PaidStream) {
    this.ordinal = ordinal;
    this.language = language;
    this.paid = paid;
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

  /** The audio between two places, in bytes; not a copy. */
  part(from: number, to = this.#length): Buffer {
    return this.#bytes.subarray(from, Math.min(to, this.#length));
  }

  /** All of it, for whoever keeps it from here on. */
  copy(): Uint8Array {
    return Uint8Array.from(this.part(0));
  }

  /** Half of a sample is none. */
  close(atMs: number): void {
    this.#length -= this.#length % 2;
    this.closedAtMs ??= atMs;
  }

  /** The quietest place between two times, in bytes. */
  quietest(fromMs: number, toMs: number): number {
    const samplesPerMs = bytesPerMs / 2;
    return 2 * quietestCut(this.part(0), Math.round(fromMs * samplesPerMs), Math.round(toMs * samplesPerMs));
  }

  /** Ends at a byte; what follows is given back and goes on by itself. Nothing is lost and nothing is in both. */
  cutAt(atByte: number, atMs: number): Buffer {
    const rest = Buffer.from(this.part(atByte));
    this.#length = atByte;
    this.closedAtMs = atMs;
    return rest;
  }

  /** How its text came, by the times of its last commit and of now. */
  timings(committedAtMs: number, nowMs: number): UtteranceTimings {
    const waitedMs = nowMs - (this.closedAtMs ?? nowMs);
    return { audioMs: this.audioMs, waitedMs, answeredMs: nowMs - committedAtMs };
  }

  /** Counts one more time of a row. */
  meet(row: string): number {
    const times = (this.#met.get(row) ?? 0) + 1;
    this.#met.set(row, times);
    return times;
  }
}

const windowSamples = 320;

/**
 * Where to cut speech that goes on too long: the middle of the quietest 20 ms between two places, so that a word is
 * rarely cut in two. Samples are 16-bit little-endian mono at 16 kHz; places are in samples, the answer too, always
 * within the two. Sound is read as it is: nothing is decoded or changed.
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
    // Of equally quiet places the last: the longer the utterance, the more the service can go by.
    if (energy <= bestEnergy) {
      bestEnergy = energy;
      best = at + windowSamples / 2;
    }
  }
  return best;
}
