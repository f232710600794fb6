import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { addEstimates, lengthBySize, type SpendEstimate } from '../../../shared/domain/spend/spend-limit.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { FileSize } from '../jobs/job-service.ts';
import type { SpendGuard } from './spend-guard.ts';

/** The caller: a window, and the press, key or drop behind the call, if there was one. */
export interface Asker {
  readonly windowId: number;
  readonly activation: number | null;
}

/** Who sends files; `isByPerson`: there was a press, key or drop behind this call, or a confirmed system dialog. */
export interface FileSender {
  readonly windowId: number;
  readonly isByPerson: boolean;
}

/** The answer to what only a person may ask for. */
export const notByPerson = makeFailure('E-238', { code: 'no_user_activation' });

export interface PaidActionsOptions {
  readonly guard: SpendGuard;
  readonly activations: UserActivations;
}

/** Whether these files may be sent; with `isRest` the user is asked where necessary. */
export type AdmitFiles = (files: readonly FileSize[], isRest: boolean) => Promise<boolean>;

/** The cost estimate of sending one recording, by its length. */
export const audioOf = ({ sizeBytes, durationMs }: FileSize): SpendEstimate => ({
  requests: 1,
  audioMs: durationMs ?? lengthBySize(sizeBytes),
  characters: 0,
  isRough: durationMs === null,
});

/**
 * The check that handlers make before they start anything that costs. Resolves with true, or with false when the user
 * declined.
 */
export function createPaidActions({ guard, activations }: PaidActionsOptions) {
  return {
    /** Sending files: called before each batch. E-238 without a user activation. */
    sendFiles({ windowId, isByPerson }: FileSender): Result<AdmitFiles> {
      if (!isByPerson) return err(notByPerson);
      return ok(async (files, isRest) => {
        const request = { windowId, isByPerson: true, estimate: addEstimates(files.map(audioOf)) };
        const admitted = await (isRest ? guard.admit(request) : guard.admitWithin(request));
        return admitted.ok && admitted.value;
      });
    },
    /** Anything else that costs: sending again, speech from text, a question. */
    start: ({ windowId, activation }: Asker, estimate: SpendEstimate): Promise<Result<boolean>> =>
      guard.admit({ windowId, isByPerson: activations.take(windowId, activation), estimate }),
  };
}

export type PaidActions = ReturnType<typeof createPaidActions>;

const freshMs = 5_000;
/** Page and main read the same clock, in two processes. */
const skewMs = 250;

/**
 * Whether a user caused a call: the preload adds the time of the last real click, key press or drop, which no script of
 * a page can create or read (S-15). Each counts once and for five seconds.
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
