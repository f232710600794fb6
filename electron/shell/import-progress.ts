import type { Contract } from '../../shared/ipc/contract.ts';
import type { EventPayload } from '../../shared/ipc/derive.ts';
import type { ImportWatch } from '../services/library/file-inspector.ts';

type Progress = EventPayload<Contract, 'files.adding'>;

/** Numbers that change more often are not read. */
const tellEveryMs = 150;

/** Follows the looking into files and the adding of them: tells each window how far it is, and stops when it asks. */
export function createImportProgress(tell: (progress: Progress) => void, now: () => number) {
  const stops = new Map<number, AbortController>();
  let toldAtMs = -Infinity;
  return {
    /** What a step of the work of this window tells and obeys. */
    begin(windowId: number): ImportWatch {
      const controller = new AbortController();
      stops.set(windowId, controller);
      return {
        signal: controller.signal,
        onProgress(doneCount, totalCount) {
          if (now() - toldAtMs < tellEveryMs) return;
          toldAtMs = now();
          tell({ doneCount, totalCount });
        },
      };
    },
    /** Nothing more is looked into or added than what is under way. */
    stop: (windowId: number): void => stops.get(windowId)?.abort(),
  };
}

export type ImportProgress = ReturnType<typeof createImportProgress>;
