import type { Failure } from '../../result/failure.ts';

/** How long reconnecting goes on, milliseconds; from then on it is tried once a minute. */
const reconnectPatienceMs = 10 * 60_000;
export const stoppedDelayMs = 60_000;

const longestDelayMs = 7000;
/** Refused tickets, and violations of the protocol (live-refused), after which only the user can help. */
const endsAt = { 'live-ticket-expired': 5, 'live-refused': 2 } as const;

/** What went wrong since the last text: a connection that opens and breaks every time is trouble too. */
export class Trouble {
  #failures = 0;
  #sinceMs: number | null = null;
  #overloadedSinceMs: number | null = null;
  readonly #met = new Map<string, number>();

  /** Milliseconds until the next connection: 0, 300, 1200, 2700, 4800, then 7000; null: it is given up. */
  nextTryMs({ kind, retryAfterMs = 0 }: Failure, nowMs: number): number | null {
    this.#sinceMs ??= nowMs;
    const delayMs = Math.min(300 * this.#failures ** 2, longestDelayMs);
    this.#failures += 1;
    const isLast = (kind === 'live-ticket-expired' || kind === 'live-refused') && this.#meet(kind) >= endsAt[kind];
    return isLast || nowMs - this.#sinceMs >= reconnectPatienceMs ? null : Math.max(delayMs, retryAfterMs);
  }

  noteError(kind: string, nowMs: number): Pick<ErrorScene, 'overloadedForMs' | 'defects'> {
    if (kind === 'live-busy') this.#overloadedSinceMs ??= nowMs;
    const defects = kind === 'live-failed' ? this.#meet(kind) : 0;
    return { overloadedForMs: nowMs - (this.#overloadedSinceMs ?? nowMs), defects };
  }

  #meet(kind: string): number {
    const times = (this.#met.get(kind) ?? 0) + 1;
    this.#met.set(kind, times);
    return times;
  }
}

/** The wait while the service is overloaded (live-busy): 1 s doubling to 15 s. */
const overloadDelayMs = (failures: number): number => Math.min(1000 * 2 ** Math.max(0, failures - 1), 15_000);

/** The wait while an utterance is still being processed (phrase-busy): 0.25 s doubling to 2 s. */
const busyDelayMs = (tries: number): number => Math.min(250 * 2 ** Math.max(0, tries - 1), 2000);

/** The longest wait for the text of an utterance (phrase-late): 20 s plus its own length, milliseconds. */
export const finalPatienceMs = (audioMs: number): number => 20_000 + audioMs;

export interface ErrorScene {
  readonly kind: string;
  /** How often this row occurred for this utterance, this time included. */
  readonly times: number;
  /** The utterance was committed, so the event answers it; otherwise it came while audio was being sent. */
  readonly isAnswer: boolean;
  readonly audioMs: number;
  /** How long the service has been overloaded, milliseconds; 0 for the first time. */
  readonly overloadedForMs: number;
  /** How often the service called our messages invalid since the last text, this time included. */
  readonly defects: number;
}

export type ErrorStep =
  | { readonly kind: 'ignore' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'give-back' }
  /** It is cut at its quietest place between two times, milliseconds, and both parts are sent on a new connection. */
  | { readonly kind: 'cut'; readonly fromMs: number; readonly toMs: number }
  | { readonly kind: 'reconnect' }
  | { readonly kind: 'rest'; readonly ms: number }
  /** Nothing is sent until the user says so. */
  | { readonly kind: 'hold' }
  | { readonly kind: 'end' };

const overloadPatienceMs = 3 * 60_000;
const most = { busy: 10, unknown: 3 } as const;
const leastCutMs = 400;
const refusedLengthMs = 30_000;

/** Decides on an error event of live transcription. Total: any other row is handled as unknown. */
export function onDictationError({ kind, times, ...scene }: ErrorScene): ErrorStep {
  switch (kind) {
    case 'no-speech':
      return { kind: scene.isAnswer ? 'empty' : 'ignore' };
    case 'phrase-audio-unreadable':
      return { kind: 'give-back' };
    case 'phrase-too-long': {
      if (scene.audioMs < leastCutMs) return { kind: 'give-back' };
      const toMs = Math.min(refusedLengthMs, scene.audioMs * 0.75);
      return { kind: 'cut', fromMs: toMs * 0.6, toMs };
    }
    case 'live-failed':
      return { kind: scene.defects > 1 ? 'end' : 'reconnect' };
    case 'phrase-restarted':
    case 'phrase-timeout':
      return { kind: times > 1 ? 'end' : 'reconnect' };
    case 'phrase-busy':
      return times > most.busy ? { kind: 'reconnect' } : { kind: 'rest', ms: busyDelayMs(times) };
    case 'live-credits-exhausted':
    case 'live-speech-refused':
      return { kind: 'hold' };
    case 'model-missing':
    case 'model-unusable':
    case 'memory-short':
      return { kind: 'end' };
    case 'live-busy':
      return scene.overloadedForMs >= overloadPatienceMs
        ? { kind: 'end' }
        : { kind: 'rest', ms: overloadDelayMs(times) };
    default:
      return times > most.unknown ? { kind: 'end' } : { kind: 'rest', ms: overloadDelayMs(times) };
  }
}
