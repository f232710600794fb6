import type { Logger } from '../../../shared/domain/diagnostics/log-entry.ts';
import type { StoredJob } from '../library/store.ts';

/** Notes which state a row came to: names and numbers, nothing of what it holds. */
export function logStep(log: Logger, { id, memory: { state, attempt } }: StoredJob): void {
  const failure = 'failure' in state ? { row: state.failure.row, code: state.failure.code } : {};
  log.write({ event: `job-${state.tag}`, item: id, attempt, ...failure });
}
