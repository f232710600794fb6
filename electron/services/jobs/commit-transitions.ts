import type { Logger } from '../../../shared/domain/diagnostics/log-entry.ts';
import { ok, type Result } from '../../../shared/result/result.ts';
import type { JobCommand, JobEvent } from '../../../shared/domain/jobs/job-state.ts';
import { transition } from '../../../shared/domain/jobs/machine.ts';
import type { JobOutput, StoredJob } from '../library/store.ts';
import type { LiveJobs, LiveJob } from './live-jobs.ts';
import type { QueuePorts } from './ports.ts';

/** An event for one job, with the transcript that is stored in the same transaction. */
export interface PendingTransition {
  readonly live: LiveJob;
  readonly event: JobEvent;
  readonly output: JobOutput | null;
}

/** A transition that is on disk, or an event that changed nothing. */
export interface CommittedTransition {
  readonly live: LiveJob;
  readonly event: JobEvent;
  readonly commands: readonly JobCommand[];
  readonly hasChanged: boolean;
}

/**
 * Lets the state machine apply each event to its job, stores all results in one transaction, and only then changes
 * memory. When the disk refuses, nothing has changed.
 */
export function commitTransitions(
  ports: Pick<QueuePorts, 'store' | 'clock'>,
  liveJobs: LiveJobs,
  pending: readonly PendingTransition[],
): Result<readonly CommittedTransition[]> {
  const atMs = ports.clock.now();
  let ahead = 0;
  const steps = pending.map(({ live, event, output }) => {
    const before = live.job.memory;
    const { job: memory, commands } = transition(before, event, atMs);
    if (memory === before) return { live, event, commands, next: null, output: null };
    const finished = memory.state.tag === 'done' ? output : null;
    const moved = liveJobs.next(live, memory, ahead);
    ahead += 1;
    // Headers of some formats don't state the length, but the service has heard all of it.
    const heardMs = finished?.transcript?.written.durationMs ?? finished?.audio?.durationMs ?? null;
    const next = { ...moved, durationMs: moved.durationMs ?? heardMs };
    return { live, event, commands, next, output: finished };
  });
  const changes = steps.flatMap(({ event, next, output }) =>
    next === null ? [] : [{ job: next, event, atMs, output }],
  );
  const stored = changes.length === 0 ? ok(null) : ports.store.commitAll(changes);
  if (!stored.ok) return stored;
  for (const { live, next } of steps) if (next !== null) liveJobs.put(live, next, atMs);
  return ok(steps.map(({ live, event, commands, next }) => ({ live, event, commands, hasChanged: next !== null })));
}

/** Logs the new state of a job: ids and codes only, never file names or content. */
export function logTransition(log: Logger, { id, memory: { state, attempt } }: StoredJob): void {
  const failure = 'failure' in state ? { row: state.failure.row, code: state.failure.code } : {};
  log.write({ event: `job-${state.tag}`, item: id, attempt, ...failure });
}
