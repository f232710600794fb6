import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { addEstimates, lengthBySize, type SpendEstimate } from '../../../shared/domain/spend/spend-limit.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { FileSize } from '../jobs/job-service.ts';
import type { SpendGuard } from './spend-guard.ts';

/** Who asks: a window, and the press, key or drop that stood behind the call, if one did. */
export interface Asker {
  readonly windowId: number;
  readonly activation: number | null;
}

/** Who sends files; `isByPerson`: a press, key or drop of this call, or a dialog of the system that was answered. */
export interface FileSender {
  readonly windowId: number;
  readonly isByPerson: boolean;
}

export interface PaidActionsOptions {
  readonly guard: SpendGuard;
  readonly activations: UserActivations;
}

/** Whether these files may be sent; with `isRest` the person is asked where that is needed. */
export type AdmitFiles = (files: readonly FileSize[], isRest: boolean) => Promise<boolean>;

/** What sending one recording would cost, by its length. */
export const audioOf = ({ sizeBytes, durationMs }: FileSize): SpendEstimate => ({
  requests: 1,
  audioMs: durationMs ?? lengthBySize(sizeBytes),
  characters: 0,
  isRough: durationMs === null,
});

/** What handlers ask before they begin anything that costs. Each answers true, or false when the person said no. */
export function createPaidActions({ guard, activations }: PaidActionsOptions) {
  return {
    /** Sending files: what is asked before each part of them is sent. E-238 when no person stands behind it. */
    sendFiles({ windowId, isByPerson }: FileSender): Result<AdmitFiles> {
      if (!isByPerson) return err(makeFailure('E-238', { code: 'no_user_activation' }));
      return ok(async (files, isRest) => {
        const request = { windowId, isByPerson: true, estimate: addEstimates(files.map(audioOf)) };
        const admitted = await (isRest ? guard.admit(request) : guard.admitWithin(request));
        return admitted.ok && admitted.value;
      });
    },
    /** Anything else that costs: sending once more, text to speak, a question. */
    start: ({ windowId, activation }: Asker, estimate: SpendEstimate): Promise<Result<boolean>> =>
      guard.admit({ windowId, isByPerson: activations.take(windowId, activation), estimate }),
  };
}

export type PaidActions = ReturnType<typeof createPaidActions>;

const freshMs = 5_000;
/** Clocks of a page and of main are the same one, read in two processes. */
const skewMs = 250;

/**
 * Whether a person asked for a call: the preload adds the time of the last real click, key press or drop to it, which no
 * script of a page can make or read (S-15). Each counts once and for five seconds.
 */
export function createUserActivations(now: () => number) {
  const lastUsed = new Map<number, number>();
  return {
    /** Consumes the activation (Unix ms); false when there is none, it is too old, or it was consumed before. */
    take(windowId: number, activation: number | null): boolean {
      if (activation === null || activation > now() + skewMs || activation < now() - freshMs) return false;
      if (activation <= (lastUsed.get(windowId) ?? 0)) return false;
      lastUsed.set(windowId, activation);
      return true;
    },
    forget: (windowId: number): void => void lastUsed.delete(windowId),
  };
}

export type UserActivations = ReturnType<typeof createUserActivations>;
