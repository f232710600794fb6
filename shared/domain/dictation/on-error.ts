import type { FailureRow } from '../../result/failure.ts';
import { busyDelayMs, overloadDelayMs } from './reconnect.ts';

/** The situation in which an error event arrives (reliability E-127 to E-136). */
export interface ErrorScene {
  readonly row: FailureRow;
  /** How often this row occurred for this utterance, this time included. */
  readonly times: number;
  /** The utterance was committed, so the event answers it; otherwise it came while audio was being sent. */
  readonly isAnswer: boolean;
  /** Audio of the utterance so far, milliseconds. */
  readonly audioMs: number;
  /** How long the service has been overloaded, milliseconds; 0 for the first time. */
  readonly overloadedForMs: number;
  /** How often the service called our messages invalid since the last text, this time included. */
  readonly defects: number;
}

/** What happens to the utterance in progress. */
export type ErrorStep =
  | { readonly kind: 'ignore' }
  /** Nobody spoke: it is done with. */
  | { readonly kind: 'empty' }
  /** It is not tried again; later ones are. */
  | { readonly kind: 'give-back' }
  /** It is cut at its quietest place between two times, milliseconds, and both parts are sent on a new connection. */
  | { readonly kind: 'cut'; readonly fromMs: number; readonly toMs: number }
  /** It is sent again on a new connection. */
  | { readonly kind: 'reconnect' }
  /** It is sent again on this connection after a wait, milliseconds. */
  | { readonly kind: 'rest'; readonly ms: number }
  /** Nothing is sent until the user says so. */
  | { readonly kind: 'hold' }
  /** Live transcription ends; what was said is kept. */
  | { readonly kind: 'end' };

const overloadPatienceMs = 3 * 60_000;
const most = { busy: 10, unknown: 3 } as const;
/** Shorter audio is not worth cutting. */
const leastCutMs = 400;
const refusedLengthMs = 30_000;

/** Decides on an error event of live transcription. Total: any other row is handled as unknown. */
export function onDictationError({ row, times, ...scene }: ErrorScene): ErrorStep {
  switch (row) {
    case 'E-132':
      return { kind: scene.isAnswer ? 'empty' : 'ignore' };
    case 'E-130':
      return { kind: 'give-back' };
    case 'E-131': {
      if (scene.audioMs < leastCutMs) return { kind: 'give-back' };
      const toMs = Math.min(refusedLengthMs, scene.audioMs * 0.75);
      return { kind: 'cut', fromMs: toMs * 0.6, toMs };
    }
    case 'E-127':
      return { kind: scene.defects > 1 ? 'end' : 'reconnect' };
    case 'E-128':
    case 'E-135':
      return { kind: times > 1 ? 'end' : 'reconnect' };
    case 'E-129':
      return times > most.busy ? { kind: 'reconnect' } : { kind: 'rest', ms: busyDelayMs(times) };
    case 'E-133':
    case 'E-153':
      return { kind: 'hold' };
    case 'E-250':
    case 'E-251':
    case 'E-253':
      return { kind: 'end' };
    case 'E-134':
      return scene.overloadedForMs >= overloadPatienceMs
        ? { kind: 'end' }
        : { kind: 'rest', ms: overloadDelayMs(times) };
    default:
      return times > most.unknown ? { kind: 'end' } : { kind: 'rest', ms: overloadDelayMs(times) };
  }
}
