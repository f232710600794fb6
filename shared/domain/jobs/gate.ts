import type { Failure } from '../../result/failure.ts';
import { stopsReads } from './decide-failure.ts';
import type { BlockedBy } from '../failures/row.ts';

/** Not stored: one request establishes it again. `trial`: the one job that goes first after unblocking. */
export interface Gate {
  readonly block: { readonly by: BlockedBy; readonly failure: Failure } | null;
  readonly trial: 'none' | 'wanted' | { readonly jobId: string };
  /** The service asked for a pause (429, 503): nothing is sent before this time of the monotonic clock. */
  readonly pausedUntilMs: number;
  /** Unreachable: nothing is sent before this time without a reason to believe that it works again. */
  readonly unreachedUntilMs: number;
  readonly pausedBy: { readonly failure: Failure; readonly untilMs: number } | null;
  /** Failures of a service in trouble since the last accepted upload, and the end of the longest pause they ask for. */
  readonly troubles: { readonly count: number; readonly untilMs: number };
  /** The user paused the whole queue: nothing new begins; free reads go on. Unlike the rest this is stored. */
  readonly isHeld: boolean;
}

export const openGate: Gate = {
  block: null,
  trial: 'none',
  pausedUntilMs: 0,
  unreachedUntilMs: 0,
  pausedBy: null,
  troubles: { count: 0, untilMs: 0 },
  isHeld: false,
};

/** When two reasons block the queue, the one further to the right is shown and has to be cleared first. */
const weight: readonly BlockedBy[] = ['model', 'credits', 'permission', 'service', 'key', 'offline', 'disk'];

/** The same gate when something heavier blocks it already. */
export function block(gate: Gate, by: BlockedBy, failure: Failure): Gate {
  if (gate.block !== null && gate.trial === 'none' && weight.indexOf(by) < weight.indexOf(gate.block.by)) return gate;
  return { ...(by === 'service' ? recordTrouble(gate, 0) : gate), block: { by, failure }, trial: 'none' };
}

export const pause = (gate: Gate, untilMs: number): Gate => ({
  ...gate,
  pausedUntilMs: Math.max(gate.pausedUntilMs, untilMs),
});

/** After this many failures in a row, with no accepted upload between them, all jobs wait. */
const troublesBelieved = 2;

export const isBelieved = ({ count }: Gate['troubles']): boolean => count >= troublesBelieved;

export function recordTrouble(gate: Gate, untilMs: number): Gate {
  const troubles = { count: gate.troubles.count + 1, untilMs: Math.max(gate.troubles.untilMs, untilMs) };
  const noted = { ...gate, troubles };
  return isBelieved(troubles) ? pause(noted, troubles.untilMs) : noted;
}

export const pauseEndsAtMs = (gate: Gate): number => Math.max(gate.pausedUntilMs, gate.unreachedUntilMs);

/** There is a reason to try: one item goes first, this one or the next that comes. Pauses stay. */
export const tryOne = (gate: Gate, trialJobId: string | null): Gate => ({
  ...gate,
  trial: gate.block === null ? 'none' : trialJobId === null ? 'wanted' : { jobId: trialJobId },
});

/** The service answered successfully: everything may continue. A free read proves nothing about what costs. */
export function recordSuccess(gate: Gate, proof: 'send' | 'read'): Gate {
  const reached = { ...gate, unreachedUntilMs: 0, ...(proof === 'send' ? { troubles: openGate.troubles } : {}) };
  return gate.block === null || (proof === 'read' && !stopsReads(gate.block.by))
    ? reached
    : { ...reached, block: null, trial: 'none' };
}

/** The trial ended without proving anything (it was cancelled, or the file was gone): another may try. */
export const trialEnded = (gate: Gate, jobId: string): Gate =>
  typeof gate.trial === 'object' && gate.trial.jobId === jobId ? { ...gate, trial: 'wanted' } : gate;

export function admit(gate: Gate, jobId: string, now: number): { readonly isAdmitted: boolean; readonly gate: Gate } {
  if (gate.isHeld || now < pauseEndsAtMs(gate)) return { isAdmitted: false, gate };
  if (gate.block === null) return { isAdmitted: true, gate };
  if (typeof gate.trial === 'object' && gate.trial.jobId === jobId) return { isAdmitted: true, gate };
  if (gate.trial === 'wanted') return { isAdmitted: true, gate: { ...gate, trial: { jobId } } };
  return { isAdmitted: false, gate };
}

export const allowsReads = (gate: Gate, jobId: string): boolean =>
  gate.block === null || !stopsReads(gate.block.by) || (typeof gate.trial === 'object' && gate.trial.jobId === jobId);
