import type { TakeChange } from '../../../shared/domain/dictation/take-view.ts';

/** The part of the overlay that depends on the take alone. */
export interface OverlayScene {
  /** `offline`: the microphone is on and nothing can be sent; `sending`: waiting for the text; `text`: it arrived. */
  readonly state: 'listening' | 'offline' | 'sending' | 'text';
  /** How long the microphone has been on, milliseconds. */
  readonly onForMs: number;
  /** The recent volume, from 0 to 1, newest last. */
  readonly levels: readonly number[];
  /** The last phrase, as it was written. */
  readonly text: string;
  /** Phrases that are kept and could not be sent yet. */
  readonly waiting: number;
}

const bars = 24;
/** How long the last text is shown after dictation has ended. */
const lingersMs = 4000;

/** Follows the takes and derives what the overlay shows; null: nothing. */
export class OverlayState {
  readonly #now: () => number;
  #levels: number[] = Array.from({ length: bars }, () => 0);
  #takeId: string | null = null;
  #isOn = false;
  #isOffline = false;
  #sinceMs = 0;
  #endedAtMs = 0;
  /** Phrases from before the microphone went on don't count. */
  #before = 0;
  #waiting = 0;
  #text = '';

  constructor(now: () => number) {
    this.#now = now;
  }

  follow({ takeId, isRecording, phrases, sending }: TakeChange): void {
    if (isRecording && !this.#isOn) {
      this.#takeId = takeId;
      this.#isOn = true;
      this.#sinceMs = this.#now();
      this.#before = phrases?.length ?? 0;
      this.#waiting = 0;
      this.#text = '';
      this.#levels.fill(0);
    }
    if (takeId !== this.#takeId) return;
    if (!isRecording && this.#isOn) {
      this.#isOn = false;
      this.#endedAtMs = this.#now();
    }
    this.#isOffline = sending?.kind === 'reconnecting' || sending?.kind === 'stopped' || sending?.kind === 'held';
    if (phrases === null) return;
    const ours = phrases.slice(this.#before);
    const waiting = ours.filter(({ state, cleanUp }) => state === 'waiting' || cleanUp?.isArriving === true).length;
    // The text is shown from when it arrived, not from the silence before it.
    if (!this.#isOn && waiting !== this.#waiting) this.#endedAtMs = this.#now();
    this.#waiting = waiting;
    this.#text = ours.findLast(({ text, isTakenBack }) => text !== '' && !isTakenBack)?.text ?? '';
  }

  /** 16-bit samples from the microphone. */
  hear(pcm: Int16Array): void {
    let energy = 0;
    for (const sample of pcm) energy += sample * sample;
    const db = 10 * Math.log10(Math.max(1, energy / Math.max(1, pcm.length)) / 32_768 ** 2);
    this.#levels = [...this.#levels.slice(1), Math.max(0, Math.min(1, (db + 60) / 54))];
  }

  scene(): OverlayScene | null {
    const sinceEnd = this.#now() - this.#endedAtMs;
    const isLeft = !this.#isOn && sinceEnd > lingersMs && (this.#waiting === 0 || this.#isOffline);
    if (this.#takeId === null || isLeft) return null;
    const state = this.#isOn ? (this.#isOffline ? 'offline' : 'listening') : this.#waiting > 0 ? 'sending' : 'text';
    return {
      state,
      onForMs: this.#isOn ? this.#now() - this.#sinceMs : 0,
      levels: this.#levels,
      text: state === 'sending' ? '' : this.#text,
      waiting: this.#waiting,
    };
  }
}
