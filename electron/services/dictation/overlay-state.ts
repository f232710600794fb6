import type { Delivery } from './deliver-text.ts';
import type { WrittenPhrase } from '../../../shared/domain/dictation/written-phrases.ts';
import type { OverlayStateName, TakeChange } from '../../../shared/domain/dictation/take-view.ts';

export interface OverlayScene {
  readonly state: Exclude<OverlayStateName, 'ready'>;
  readonly onForMs: number;
  readonly levels: readonly number[];
  readonly text: string;
  readonly discardedMs: number;
  readonly waiting: number;
  readonly waitingMs: number;
  /** The program into which the text goes or went, or which was left before it arrived; empty: none. */
  readonly program: string;
  readonly device: string;
}

const lengthOf = (phrases: readonly WrittenPhrase[]): number =>
  phrases.reduce((sum, { startMs, endMs }) => sum + (endMs ?? startMs) - startMs, 0);
const bars = 24;
const lingersMs = 4000;
const nearLimitMs = 26_000;

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
  #waitingMs = 0;
  #discardedMs = 0;
  #text = '';
  #open = { id: 0, sinceMs: 0 };
  #program = '';
  #isKept = false;
  #device = '';

  get isOn(): boolean {
    return this.#isOn;
  }

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
      this.#waitingMs = 0;
      this.#discardedMs = 0;
      this.#text = '';
      this.#device = '';
      this.#isKept = false;
      this.#levels.fill(0);
    }
    if (takeId !== this.#takeId) return;
    if (!isRecording && this.#isOn) {
      this.#isOn = false;
      this.#endedAtMs = this.#now();
    }
    this.#isOffline =
      sending?.kind === 'reconnecting' ||
      sending?.kind === 'stopped' ||
      sending?.kind === 'held' ||
      (sending?.kind === 'connecting' && sending.failure !== undefined);
    if (phrases === null) return;
    const ours = phrases.slice(this.#before);
    const waiting = ours.filter(({ state, cleanUp }) => state === 'waiting' || cleanUp?.isArriving === true).length;
    // The text is shown from when it arrived, not from the silence before it.
    if (!this.#isOn && waiting !== this.#waiting) this.#endedAtMs = this.#now();
    this.#waiting = waiting;
    this.#waitingMs = lengthOf(ours.filter(({ state }) => state === 'waiting'));
    const open = ours.findLast(({ state }) => state === 'speaking');
    if (open?.id !== this.#open.id) this.#open = { id: open?.id ?? 0, sinceMs: this.#now() };
    const last = ours.findLast(
      ({ text, isTakenBack, state }) => state === 'discarded' || (text !== '' && !isTakenBack),
    );
    this.#text = last?.state === 'discarded' ? '' : (last?.text ?? '');
    this.#discardedMs = lengthOf(ours.filter(({ state }) => state === 'discarded'));
  }

  hear(pcm: Int16Array): void {
    let energy = 0;
    for (const sample of pcm) energy += sample * sample;
    const db = 10 * Math.log10(Math.max(1, energy / Math.max(1, pcm.length)) / 32_768 ** 2);
    this.#levels = [...this.#levels.slice(1), Math.max(0, Math.min(1, (db + 60) / 54))];
  }

  begin(program: string): void {
    this.#program = program;
  }

  /** A text that was inserted nowhere stays in view until it is used. */
  noteDelivery(delivered: Delivery): void {
    this.#isKept = delivered.kind === 'kept';
    this.#endedAtMs = this.#now();
  }

  noteGone(device: string): void {
    this.#device = device;
  }

  dismiss(): void {
    this.#isKept = false;
    this.#device = '';
    this.#endedAtMs = -Infinity;
  }

  scene(): OverlayScene | null {
    const sinceEnd = this.#now() - this.#endedAtMs;
    const stays = this.#isKept || this.#device !== '';
    const isLeft = !this.#isOn && !stays && sinceEnd > lingersMs && (this.#waiting === 0 || this.#isOffline);
    if (this.#takeId === null || isLeft) return null;
    const state = this.#isOn ? this.#whileOn() : this.#afterwards();
    return {
      state,
      onForMs: this.#isOn ? this.#now() - this.#sinceMs : 0,
      levels: this.#levels,
      text: state === 'sending' ? '' : this.#text,
      waiting: this.#waiting,
      waitingMs: this.#waitingMs,
      discardedMs: this.#discardedMs,
      program: this.#program,
      device: this.#device,
    };
  }

  #whileOn(): OverlayScene['state'] {
    if (this.#isOffline) return 'offline';
    return this.#open.id !== 0 && this.#now() - this.#open.sinceMs > nearLimitMs ? 'near' : 'listening';
  }

  #afterwards(): OverlayScene['state'] {
    if (this.#device !== '') return 'error';
    if (this.#isKept) return 'kept';
    return this.#waiting > 0 ? 'sending' : 'text';
  }
}
