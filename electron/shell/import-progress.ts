import type { Contract } from '../../shared/ipc/contract.ts';
import type { EventPayload } from '../../shared/ipc/derive.ts';
import type { ImportWatch } from '../services/library/file-inspector.ts';
import { every } from './every.ts';

type Progress = EventPayload<Contract, 'files.adding'>;

/** Tracks the inspection and adding of files: publishes the progress to each window, and stops when it asks. */
export function createImportProgress(publish: (progress: Progress) => void) {
  const stops = new Map<number, AbortController>();
  const onProgress = every(150, (doneCount: number, totalCount: number) => publish({ doneCount, totalCount }));
  return {
    /** The watch of one step of this window's work. */
    begin(windowId: number): ImportWatch {
      const controller = new AbortController();
      stops.set(windowId, controller);
      return { signal: controller.signal, onProgress };
    },
    /** Stops after the file that is being inspected or added. */
    stop: (windowId: number): void => stops.get(windowId)?.abort(),
  };
}

export type ImportProgress = ReturnType<typeof createImportProgress>;
