import type { Logger } from '../../shared/domain/diagnostics/log-entry.ts';
import type { CallReport } from '../ipc/dispatch.ts';

const refusalsEveryMs = 1000;

/** Refusals become one line a second, so that a flooding page can't cause a disk write per call (F-78). */
export function createCallLog(log: Logger, now: () => number, showBug: (method: string, thrown: unknown) => void) {
  let refused = 0;
  let lastMs = -Infinity;
  return ({ event, method, ms, row, bugId, thrown }: CallReport): void => {
    if (event === 'ipc-refused') {
      refused += 1;
      if (now() - lastMs < refusalsEveryMs) return;
      log.write({ event, level: 'warn', route: method, count: refused });
      lastMs = now();
      refused = 0;
      return;
    }
    log.write({ event, route: method, ms, ...(row && { row }), ...(bugId && { item: bugId, level: 'error' }) });
    if (event === 'ipc-bug') showBug(method, thrown);
  };
}
