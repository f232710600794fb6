import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { addEstimates, lengthBySize, type SpendEstimate } from '../../../shared/domain/spend/spend-limit.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { FileSize } from '../jobs/job-service.ts';
import type { UserActivations } from './user-activation.ts';
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

const soundOf = ({ sizeBytes, durationMs }: FileSize): SpendEstimate => ({
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
        const request = { windowId, isByPerson: true, estimate: addEstimates(files.map(soundOf)) };
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
