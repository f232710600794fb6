import type { ImportWatch } from '../services/library/store.ts';
import type { Events } from './events.ts';

type Progress = Events['files.adding'];

export function createImportProgress(publish: (progress: Progress) => void) {
  const stops = new Map<number, AbortController>();
  const onProgress = every(150, (doneCount: number, totalCount: number) => publish({ doneCount, totalCount }));
  return {
    begin(windowId: number): ImportWatch {
      const controller = new AbortController();
      stops.set(windowId, controller);
      return { signal: controller.signal, onProgress };
    },
    stop: (windowId: number): void => stops.get(windowId)?.abort(),
  };
}

export type ImportProgress = ReturnType<typeof createImportProgress>;

/** Forwards at most one call in this time: nobody can read numbers that change more often. */
export function every<Args extends readonly unknown[]>(
  ms: number,
  notify: (...args: Args) => void,
): (...args: Args) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (...args) => {
    const now = performance.now();
    if (now - last < ms) return;
    last = now;
    notify(...args);
  };
}
