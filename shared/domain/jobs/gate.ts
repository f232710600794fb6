import type { Failure } from '../../result/failure.ts';
import { stopsReads } from './decide-failure.ts';
import type { BlockedBy } from './job-state.ts';

/**
 * What holds for the whole queue and is not worth the disk: it is learned again within one request after a restart.
 * `trial` names the one item that goes first after a block was lifted; the others follow when it gets through.
 */
export interface Gate {
  readonly block: { readonly by: BlockedBy; readonly failure: Failure } | null;
  readonly trial: 'none' | 'wanted' | { readonly jobId: string };
  /** The service asked for time (429, 503): before this nothing is sent; milliseconds of the clock that only grows. */
  readonly pausedUntilMs: number;
  /**
   * The service was not reached: before this nothing is sent, unless somebody says that it may work now. Same clock.
   */
  readonly unreachedUntilMs: number;
  /** What was told by the answer that the longest pause comes from; for the eyes of a person. */
  readonly pausedBy: { readonly failure: Failure; readonly untilMs: number } | null;
  /**
   * Answers of a service in trouble since the last upload that it took, and until when the longest of them asks to
   * wait.
   */
  readonly troubles: { readonly count: number; readonly untilMs: number };
  /** A person paused the whole queue: nothing new begins; free reads go on. Unlike the rest this is kept on disk. */
  readonly isHeld: boolean;
}

/** Nothing holds the queue back. */
export const openGate: Gate = {
  block: null,
  trial: 'none',
  pausedUntilMs: 0,
  unreachedUntilMs: 0,
  pausedBy: null,
  troubles: { count: 0, untilMs: 0 },
  isHeld: false,
};

/** A failure that would meet every other item too: nothing more is sent until `lift`. */
export const close = (gate: Gate, by: BlockedBy, failure: Failure): Gate => ({
  ...gate,
  block: { by, failure },
  trial: 'none',
});

/** The service asked for time; a shorter pause never shortens a longer one. */
export const pause = (gate: Gate, untilMs: number): Gate => ({
  ...gate,
  pausedUntilMs: Math.max(gate.pausedUntilMs, untilMs),
});

/** Troubles in a row, with no upload taken between them, after which everybody waits. */
const troublesBelieved = 2;

/** Whether the service has shown often enough that it is in trouble. */
export const isBelieved = ({ count }: Gate['troubles']): boolean => count >= troublesBelieved;

/** The service says that it is in trouble: the first to hear it waits alone, when it is said again everybody does. */
export function recordTrouble(gate: Gate, untilMs: number): Gate {
  const troubles = { count: gate.troubles.count + 1, untilMs: Math.max(gate.troubles.untilMs, untilMs) };
  const noted = { ...gate, troubles };
  return isBelieved(troubles) ? pause(noted, troubles.untilMs) : noted;
}

/** The way to the service is broken: others wait as long as the one that found out. */
export const pauseUnreached = (gate: Gate, untilMs: number): Gate => ({
  ...gate,
  unreachedUntilMs: Math.max(gate.unreachedUntilMs, untilMs),
});

/** The way may be mended: nobody waits for it any more. What the service asked for is kept. */
export const clearNetworkPause = (gate: Gate): Gate => ({ ...gate, unreachedUntilMs: 0 });

/** Until when nothing is sent, whoever asks. */
export const pauseEndsAtMs = (gate: Gate): number => Math.max(gate.pausedUntilMs, gate.unreachedUntilMs);

/** Somebody says it may work now: one item is tried first, this one or the next that comes. A pause stays a pause. */
export const tryOne = (gate: Gate, trialJobId: string | null): Gate => ({
  ...gate,
  trial: gate.block === null ? 'none' : trialJobId === null ? 'wanted' : { jobId: trialJobId },
});

/** The service answered well: everything may go on. A free read proves nothing about what costs. */
export function recordSuccess(gate: Gate, proof: 'send' | 'read'): Gate {
  const calm = proof === 'read' || gate.troubles.count === 0 ? gate : { ...gate, troubles: openGate.troubles };
  const reached = calm.unreachedUntilMs === 0 ? calm : clearNetworkPause(calm);
  return gate.block === null || (proof === 'read' && !stopsReads(gate.block.by))
    ? reached
    : { ...reached, block: null, trial: 'none' };
}

/** The trial ended without proving anything (it was cancelled, or the file was gone): another may try. */
export const trialEnded = (gate: Gate, jobId: string): Gate =>
  typeof gate.trial === 'object' && gate.trial.jobId === jobId ? { ...gate, trial: 'wanted' } : gate;

/** Whether this item may be sent now, and the gate as it is when it is. */
export function admit(gate: Gate, jobId: string, now: number): { readonly isAdmitted: boolean; readonly gate: Gate } {
  if (gate.isHeld || now < pauseEndsAtMs(gate)) return { isAdmitted: false, gate };
  if (gate.block === null) return { isAdmitted: true, gate };
  if (typeof gate.trial === 'object' && gate.trial.jobId === jobId) return { isAdmitted: true, gate };
  if (gate.trial === 'wanted') return { isAdmitted: true, gate: { ...gate, trial: { jobId } } };
  return { isAdmitted: false, gate };
}

/** Whether free reads (polling, lists) of this item may go on. */
export const allowsReads = (gate: Gate, jobId: string): boolean =>
  gate.block === null || !stopsReads(gate.block.by) || (typeof gate.trial === 'object' && gate.trial.jobId === jobId);
