import type { Failure } from '../../../shared/result/failure.ts';
import { err, type Result } from '../../../shared/result/result.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { kindOf } from './kinds/kind-of.ts';
import type { LiveJob } from './live-jobs.ts';
import type { QueuePorts } from './ports.ts';
import type { QueueRunner } from './queue-runner.ts';

/**
 * Gives a job whose content was processed before a copy of that result: nothing is sent and nothing is charged. E-212
 * with `same_in_queue` while the earlier job is under way.
 */
export function copyResult(ports: QueuePorts, runner: QueueRunner, live: LiveJob): Result<null, Failure> {
  const { job } = live;
  const { intent, state } = job.memory;
  if (intent === null || state.tag !== 'needs-user' || state.failure.row !== 'E-212')
    return err(localFailure('E-040', { code: 'nothing_to_copy' }));
  const copied = kindOf(job).copy(ports, job, intent.sha256);
  if (!copied.ok) return copied;
  if (copied.value === null) return err(localFailure('E-212', { code: 'same_in_queue' }));
  const { result, output } = copied.value;
  return runner.apply(live, { type: 'copied', result }, output);
}

/** Updates the path of a row's recording and continues; different content is detected by its hash (E-011). */
export function relocate(ports: QueuePorts, runner: QueueRunner, live: LiveJob, path: string): Result<null, Failure> {
  const moved = ports.store.movePath(live.job.id, path);
  if (!moved.ok) return moved;
  live.job = { ...live.job, path };
  return runner.apply(live, { type: 'retry', consent: false });
}
