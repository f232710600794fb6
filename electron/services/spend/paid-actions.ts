import { addEstimates, lengthBySize, type SpendEstimate } from '../../../shared/domain/spend/spend-limit.ts';
import type { Result } from '../../../shared/result/result.ts';
import type { GivenFiles } from './given-files.ts';
import type { Gestures } from './gestures.ts';
import type { SpendGuard } from './spend-guard.ts';

/** Who asks: a window, and the press, key or drop that stood behind the call, if one did. */
export interface Asker {
  readonly windowId: number;
  readonly gesture: number | null;
}

export interface PaidActionsOptions {
  readonly guard: SpendGuard;
  readonly gestures: Gestures;
  readonly given: GivenFiles;
  /** Bytes of a file that nobody has looked into yet; 0 when it can't be read. */
  readonly sizeOf: (path: string) => Promise<number>;
}

/** What handlers ask before they begin anything that costs. Each answers true, or false when the person said no. */
export function createPaidActions({ guard, gestures, given, sizeOf }: PaidActionsOptions) {
  const soundOf = async (token: string, path: string): Promise<SpendEstimate> => {
    const known = given.lengthOf(token) ?? { ms: lengthBySize(await sizeOf(path)), isRough: true };
    return { requests: 1, audioMs: known.ms, characters: 0, isRough: known.isRough };
  };
  return {
    /** Sending files. That they were just given counts as a hand; looking into many may take longer than a gesture lives. */
    async sendFiles(
      { windowId, gesture }: Asker,
      files: readonly { readonly token: string; readonly path: string }[],
    ): Promise<Result<boolean>> {
      const isGiven = given.takeAll(files.map(({ token }) => token));
      const isByHand = gestures.take(windowId, gesture) || isGiven;
      const estimate = addEstimates(await Promise.all(files.map(({ token, path }) => soundOf(token, path))));
      return guard.admit({ windowId, isByHand, estimate });
    },
    /** Anything else that costs: sending once more, text to speak, a question. */
    start: ({ windowId, gesture }: Asker, estimate: SpendEstimate): Promise<Result<boolean>> =>
      guard.admit({ windowId, isByHand: gestures.take(windowId, gesture), estimate }),
  };
}

export type PaidActions = ReturnType<typeof createPaidActions>;
