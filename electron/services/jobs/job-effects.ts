import { modeOf } from '../../../shared/domain/modes.ts';
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { optionsOf } from '../../../shared/domain/jobs/job-kind.ts';
import type { Duplicate, Intent, JobEvent } from '../../../shared/domain/jobs/job-state.ts';
import type { EarlierPayment } from '../../../shared/domain/ledger/paid-action.ts';
import type { Connection } from '../../api/connection.ts';
import type { UploadSource } from '../../api/stt-api.ts';
import type { JobOutput, SameContent, StoredJob } from '../library/store.ts';
import { findAtService, nameSent } from './find-at-service.ts';
import { kindOf } from './kinds/kind-of.ts';
import type { QueuePorts } from './ports.ts';

/** The result of an effect as an event of the state machine, and what is stored with that event. */
export interface Report {
  readonly event: JobEvent;
  readonly output: JobOutput | null;
}

/**
 * Stores the result of a finished effect and returns the event. Separate from the effect itself: when the disk refuses,
 * only this is repeated, and nothing is sent to the service twice.
 */
export type PersistOutcome = () => Result<Report>;

const failed =
  (
    type: 'prepare-failed' | 'send-failed' | 'poll-failed' | 'look-failed' | 'export-failed',
    job: StoredJob,
    failure: Failure,
    roll: number,
  ): PersistOutcome =>
  () =>
    ok({ event: { type, attempt: job.memory.attempt, failure: named(failure, job), roll }, output: null });

/**
 * Identifies the address and key that a job is sent with, without revealing either, to detect that they changed since
 * (E-042).
 */
export function boundTo({ kind, baseUrl, key, legacyKey }: Connection, job: StoredJob): string {
  if (modeOf(kind).isOnThisComputer) return kind;
  const boundWith = (secret: Connection['legacyKey'] | typeof key): string =>
    createHash('sha256')
      .update(`${baseUrl}\0${secret?.reveal() ?? ''}`)
      .digest('hex')
      .slice(0, 16);
  const byKey = boundWith(key);
  // Legacy jobs of earlier versions are stored with the other key.
  if (job.kind !== 'transcribe' || job.isLegacy !== true || job.memory.intent?.boundTo === byKey) return byKey;
  return boundWith(legacyKey);
}

/** E-042 where a job is hidden or forbidden because it was sent with another key than the present one. */
function belongsElsewhere(
  { connection }: QueuePorts,
  job: StoredJob,
  { row, code, status, envelope }: Failure,
): boolean {
  const present = connection();
  const sentBy = job.memory.intent?.boundTo ?? null;
  if (present === null || sentBy === null || sentBy === boundTo(present, job) || envelope === 'html') return false;
  return status === 404 || status === 410 || (row === 'E-038' && code !== 'origin_forbidden');
}

/** An earlier job with the same content and options that is done or under way. */
function findDuplicate(ports: QueuePorts, job: StoredJob, sha256: string): Duplicate | null {
  const twin = ports.store.findTwin({ sha256, ...optionsOf(job) }, job.id);
  if (!twin.ok || twin.value === null) return null;
  const { id: jobId, name, addedAtMs, memory } = twin.value;
  const { state } = memory;
  const isDone = state.tag === 'done';
  return { jobId, name, addedAtMs, isDone, transcriptId: isDone ? (state.transcriptId ?? null) : null };
}

/** An earlier payment for this content whose row the library lost through damage. */
export function findLostPayment(ports: QueuePorts, content: SameContent): EarlierPayment | null {
  const earlier = ports.findPaid?.(content) ?? null;
  if (earlier === null) return null;
  const same = ports.store.findSame(content);
  return same.ok && same.value.length > 0 ? null : earlier;
}

/** Extracts the audio where necessary, hashes what will be sent, and checks whether its content is known. */
export async function runPrepare(
  ports: QueuePorts,
  job: StoredJob,
  signal: AbortSignal,
  onShare: (share: number) => void,
): Promise<PersistOutcome> {
  const { attempt, intent } = job.memory;
  const audio = await ports.extractor.prepare(
    job.path,
    intent?.preparedName ?? null,
    signal,
    onShare,
    kindOf(job).prepareOptions(job),
  );
  if (!audio.ok) return failed('prepare-failed', job, audio.error, ports.random());
  const { path, preparedName } = audio.value;
  const hashed = await ports.files.hash(path, signal);
  if (!hashed.ok) return failed('prepare-failed', job, hashed.error, ports.random());
  const { sizeBytes } = hashed.value;
  const refusal = kindOf(job).check(job, { name: preparedName ?? basename(path), sizeBytes });
  if (refusal !== null) return failed('prepare-failed', job, refusal, ports.random());
  const freshKey = ports.newId();
  const listens = intent === null && kindOf(job).confirmsWithoutVoice;
  const heard = listens ? await ports.extractor.heardIn(path) : 'voice';
  const mayBeLost = intent === null && job.memory.acceptsNewCharge !== true;
  return () =>
    ok({
      event: {
        type: 'hashed',
        attempt,
        ...hashed.value,
        ...(preparedName === null ? {} : { preparedName }),
        freshKey,
        duplicate: findDuplicate(ports, job, hashed.value.sha256),
        heard,
        earlier: mayBeLost ? findLostPayment(ports, { sha256: hashed.value.sha256, ...optionsOf(job) }) : null,
      },
      output: null,
    });
}

/** The file that a job sends, and the name it is sent under. */
function sourceOf({ extractor }: QueuePorts, job: StoredJob, intent: Intent): UploadSource {
  const { preparedName, sizeBytes, mtimeMs } = intent;
  const path = preparedName === undefined ? job.path : extractor.pathOf(preparedName);
  return { path, name: nameSent(job, intent), sizeBytes, mtimeMs };
}

/** One upload under the job's own key. */
export async function runSend(
  ports: QueuePorts,
  job: StoredJob,
  signal: AbortSignal,
  onProgress: (sentBytes: number, totalBytes: number) => void,
): Promise<PersistOutcome> {
  const { attempt, intent } = job.memory;
  if (intent === null) throw new Error('A job without an intent was told to send');
  const kind = kindOf(job);
  const { state } = job.memory;
  const mayHaveArrived = state.tag === 'sending' && state.wasUnsettled && !kind.isRepeatable(job);
  const answer = mayHaveArrived
    ? await readEarlier(ports, job, signal)
    : await kind.send(ports, { job, intent }, sourceOf(ports, job, intent), signal, onProgress);
  if (!answer.ok) return failed('send-failed', job, answer.error, ports.random());
  return () => {
    const saved = kind.save(ports, job, answer.value, 'submit');
    if (!saved.ok) return saved;
    return ok({ event: { type: 'answered', attempt, answer: saved.value.facts }, output: saved.value.output });
  };
}

/** What an upload led to whose answer was lost; E-041 when the service does not list it. */
async function readEarlier(ports: QueuePorts, job: StoredJob, signal: AbortSignal): Promise<Result<unknown, Failure>> {
  const found = await findAtService(ports, job, signal);
  if (!found.ok) return found;
  return found.value === null ? err(localFailure('E-041')) : kindOf(job).poll(ports, job, found.value, signal);
}

/** One read of a job the service has. */
export async function runPoll(ports: QueuePorts, job: StoredJob, signal: AbortSignal): Promise<PersistOutcome> {
  const { attempt, intent } = job.memory;
  const kind = kindOf(job);
  const answer = await kind.poll(ports, job, intent?.remoteId ?? '', signal);
  if (!answer.ok) {
    const failure = belongsElsewhere(ports, job, answer.error) ? localFailure('E-042') : answer.error;
    return failed('poll-failed', job, failure, ports.random());
  }
  return () => {
    const saved = kind.save(ports, job, answer.value, 'read');
    if (!saved.ok) return saved;
    const { facts, output, failure } = saved.value;
    return failure === undefined
      ? ok({ event: { type: 'polled', attempt, answer: facts }, output })
      : ok({ event: { type: 'poll-failed', attempt, failure, roll: ports.random() }, output: null });
  };
}

/** One look through the service's list. */
export async function runLook(ports: QueuePorts, job: StoredJob, signal: AbortSignal): Promise<PersistOutcome> {
  const { attempt } = job.memory;
  const found = await findAtService(ports, job, signal);
  if (!found.ok) return failed('look-failed', job, found.error, ports.random());
  return () => ok({ event: { type: 'looked', attempt, remoteId: found.value }, output: null });
}

/** Fetches the result by its own route, when the job's record says completed but does not contain it. */
export async function runFetch(ports: QueuePorts, job: StoredJob, signal: AbortSignal): Promise<PersistOutcome> {
  const { attempt, intent } = job.memory;
  const fetched = await kindOf(job).fetchResult(ports, job, intent?.remoteId ?? '', signal);
  if (!fetched.ok) return failed('export-failed', job, fetched.error, ports.random());
  const keep = fetched.value;
  if (keep === null) return () => ok({ event: { type: 'exported', attempt, result: null }, output: null });
  return () => {
    const saved = keep();
    if (!saved.ok) return saved;
    if (!('result' in saved.value)) return failed('export-failed', job, saved.value, ports.random())();
    return ok({ event: { type: 'exported', attempt, result: saved.value.result }, output: saved.value.output });
  };
}

/** Failures about a file name it. */
const named = (failure: Failure, job: StoredJob): Failure => ({
  ...failure,
  params: { name: job.name, ...failure.params },
});
