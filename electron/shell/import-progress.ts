import type { Contract } from '../../shared/ipc/contract.ts';
import type { EventPayload } from '../../shared/ipc/derive.ts';
import type { ImportWatch } from '../services/library/file-inspector.ts';

type Progress = EventPayload<Contract, 'files.adding'>;

/** Nobody can read numbers that change more often. */
const tellEveryMs = 150;

/** Tracks the inspection and adding of files: publishes the progress to each window, and stops when it asks. */
export function createImportProgress(publish: (progress: Progress) => void, now: () => number) {
  const stops = new Map<number, AbortController>();
  let toldAtMs = -Infinity;
  return {
    /** The watch of one step of this window's work. */
    begin(windowId: number): ImportWatch {
      const controller = new AbortController();
      stops.set(windowId, controller);
      return {
        signal: controller.signal,
        onProgress(doneCount, totalCount) {
          if (now() - toldAtMs < tellEveryMs) return;
          toldAtMs = now();
          publish({ doneCount, totalCount });
        },
      };
    },
    /** Stops after the file that is being inspected or added. */
    stop: (windowId: number): void => stops.get(windowId)?.abort(),
  };
}

export type ImportProgress = ReturnType<typeof createImportProgress>;
