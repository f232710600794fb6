import { basename } from 'node:path';
import type { Failure } from '../../../shared/result/failure.ts';
import { assertNever, err, ok, type Result } from '../../../shared/result/result.ts';
import { optionsOf } from '../../../shared/domain/jobs/job-kind.ts';
import { transition } from '../../../shared/domain/jobs/machine.ts';
import type { Attached, NewJob } from './job-service.ts';
import type { FileIdentity, StoredJob } from '../library/store.ts';
import type { LiveJob } from './live-jobs.ts';
import { findLostPayment } from './job-effects.ts';
import { kindOf } from './kinds/kind-of.ts';
import { inspectFile, type InspectedFile } from '../library/file-inspector.ts';
import type { QueueContext } from './add-jobs.ts';
import type { QueueRunner } from './queue-runner.ts';
import { wasNotReached } from './connectivity-monitor.ts';

/** How far a job with the same content is; the furthest is the one to join. */
const order = [
  'done',
  'fetching',
  'polling',
  'looking',
  'sending',
  'waiting',
  'blocked',
  'paused',
  'prepared',
  'queued',
  'needs-user',
  'failed',
  'cancelled',
];

/**
 * Finds the job with this content and these fields, whatever its path, and lets it continue; adds one only when there
 * is none. A command that is repeated after a crash thus joins its own jobs instead of paying twice.
 */
export async function joinOrAddJob(
  context: QueueContext,
  request: NewJob,
  signal: AbortSignal,
): Promise<Result<Attached, Failure>> {
  const { ports } = context;
  const file = await inspectFile(ports.extractor, request.path);
  if (!file.ok) return file;
  const params = { name: file.value.name };
  const audio = await ports.extractor.prepare(
    request.path,
    null,
    signal,
    () => undefined,
    kindOf(request).prepareOptions(request),
  );
  if (!audio.ok) return err({ ...audio.error, params });
  const hashed = await ports.files.hash(audio.value.path, signal);
  if (!hashed.ok) return err({ ...hashed.error, params });
  const { preparedName } = audio.value;
  const content = { ...hashed.value, ...(preparedName === null ? {} : { preparedName }) };
  const refusal = kindOf(request).check(request, {
    name: preparedName ?? basename(request.path),
    sizeBytes: content.sizeBytes,
  });
  if (refusal !== null) return err({ ...refusal, params });
  const same = ports.store.findSame({ sha256: content.sha256, ...optionsOf(request) });
  if (!same.ok) return same;
  const [best] = same.value.toSorted((a, b) => order.indexOf(a.memory.state.tag) - order.indexOf(b.memory.state.tag));
  return best === undefined ? add(context, file.value, request, content) : join(context, best, request);
}

/** Row, hash and key become durable together: a crash leaves either all of them or nothing. */
function add(
  { ports, runner, feed, newJob }: QueueContext,
  file: InspectedFile,
  request: NewJob,
  content: FileIdentity & { readonly preparedName?: string },
): Result<Attached> {
  const job = newJob(file, request);
  const event = {
    type: 'hashed',
    attempt: job.memory.attempt,
    ...content,
    freshKey: ports.newId(),
    duplicate: null,
    earlier: request.acceptsNewCharge === true ? null : findLostPayment(ports, { ...request, sha256: content.sha256 }),
  } as const;
  const prepared = { ...job, memory: transition(job.memory, event, ports.clock.now()).job };
  const stored = ports.store.addJobs([prepared]);
  if (!stored.ok) return stored;
  const live = runner.liveJobs.add(prepared, ports.clock.now());
  feed.changed(job.id);
  if (event.earlier !== null) return takeUp(runner, live);
  runner.schedule();
  return ok({ jobId: job.id, relation: 'new' });
}

function join({ ports, runner, feed }: QueueContext, job: StoredJob, request: NewJob): Result<Attached> {
  const { state } = job.memory;
  if (state.tag === 'done') return ok({ jobId: job.id, relation: 'done', result: state });
  const known = runner.liveJobs.get(job.id);
  if (known !== undefined) return ok({ jobId: job.id, relation: 'resumed' });
  // The recording may have moved since; its content is the same.
  const live = runner.liveJobs.add({ ...job, path: request.path }, ports.clock.now());
  feed.changed(job.id);
  switch (state.tag) {
    case 'waiting':
      // A pause that the service asked for holds across runs as well.
      if (state.failure.retryAfterMs === undefined || wasNotReached(state.failure)) return goOn(runner, live, request);
      return takeUp(runner, live);
    case 'needs-user':
    case 'failed':
    case 'cancelled':
    case 'paused':
      return goOn(runner, live, request);
    case 'blocked':
      // The first write shows whether the disk works again.
      if (state.by === 'disk') return takeUp(runner, live);
      // Repeating the command means "try again": one job goes first, the rest follow when it gets through.
      if (runner.gate.blockedBy === null) {
        runner.gate.restoreBlock(state.by, state.failure);
        runner.gate.tryOne(job.id);
        runner.dispatch(live, { type: 'unblock' });
      }
      break;
    case 'queued':
    case 'prepared':
    case 'sending':
    case 'looking':
    case 'polling':
    case 'fetching':
      return takeUp(runner, live);
    default:
      assertNever(state);
  }
  return ok({ jobId: job.id, relation: 'resumed' });
}

function goOn(runner: QueueRunner, live: LiveJob, request: NewJob): Result<Attached> {
  const again = runner.apply(live, { type: 'retry', consent: request.acceptsNewCharge ?? false });
  return again.ok ? ok({ jobId: live.job.id, relation: 'resumed' }) : again;
}

function takeUp(runner: QueueRunner, live: LiveJob): Result<Attached> {
  const taken = runner.resume(live);
  if (!taken.ok) return taken;
  runner.schedule();
  return ok({ jobId: live.job.id, relation: 'resumed' });
}
