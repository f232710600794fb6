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
  /** Before this nothing is sent (429, service trouble); milliseconds of the clock that only grows. */
  readonly pausedUntilMs: number;
  /** A person paused the whole queue: nothing new begins; free reads go on. Unlike the rest this is kept on disk. */
  readonly isHeld: boolean;
}

/** Nothing stands in the way. */
export const openGate: Gate = { block: null, trial: 'none', pausedUntilMs: 0, isHeld: false };

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

/** Somebody says it may work now: one item is tried first, this one or the next that comes. A pause stays a pause. */
export const lift = (gate: Gate, trialJobId: string | null): Gate => ({
  ...gate,
  trial: gate.block === null ? 'none' : trialJobId === null ? 'wanted' : { jobId: trialJobId },
});

/** The service answered well: everything may go on. A free read proves nothing about what costs. */
export const passed = (gate: Gate, proof: 'send' | 'read'): Gate =>
  gate.block === null || (proof === 'read' && !stopsReads(gate.block.by))
    ? gate
    : { ...gate, block: null, trial: 'none' };

/** The trial ended without proving anything (it was cancelled, or the file was gone): another may try. */
export const trialEnded = (gate: Gate, jobId: string): Gate =>
  typeof gate.trial === 'object' && gate.trial.jobId === jobId ? { ...gate, trial: 'wanted' } : gate;

/** Whether this item may be sent now, and the gate as it is when it is. */
export function admit(gate: Gate, jobId: string, now: number): { readonly isAdmitted: boolean; readonly gate: Gate } {
  if (gate.isHeld || now < gate.pausedUntilMs) return { isAdmitted: false, gate };
  if (gate.block === null) return { isAdmitted: true, gate };
  if (typeof gate.trial === 'object' && gate.trial.jobId === jobId) return { isAdmitted: true, gate };
  if (gate.trial === 'wanted') return { isAdmitted: true, gate: { ...gate, trial: { jobId } } };
  return { isAdmitted: false, gate };
}

/** Whether free reads (polling, lists) of this item may go on. */
export const allowsReads = (gate: Gate, jobId: string): boolean =>
  gate.block === null || !stopsReads(gate.block.by) || (typeof gate.trial === 'object' && gate.trial.jobId === jobId);
