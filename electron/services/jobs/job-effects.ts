import type { UploadSource } from '../../service/upload.ts';
import {
  type JobKindName,
  type Duplicate,
  type JobEvent,
  type PreparedUpload,
  optionsOf,
} from '../../../shared/domain/jobs/job-state.ts';
import { clockSlackMs } from '../../service/transport.ts';
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { baseName } from '../../../shared/domain/exports/safe-file-name.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import type { EarlierPayment } from '../../../shared/domain/ledger/paid-action.ts';
import { nameToSend } from '../../../shared/domain/media/audio-plan.ts';
import { modeOf } from '../../../shared/domain/modes.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { Connection } from '../../service/connection.ts';

import { isolation } from './kinds/isolate.ts';
import type { AnyJobKind } from './kinds/job-kind.ts';
import { transcription } from './kinds/transcribe.ts';
import type { JobOutput, SameContent, StoredJob } from '../library/store.ts';
import type { QueueDeps } from './ports.ts';

export interface Report {
  readonly event: JobEvent;
  readonly output: JobOutput | null;
}

/** Apart from the effect: when the disk refuses, only this is repeated, and nothing is sent twice. */
export type SaveResult = () => Result<Report>;

const failed =
  (
    type: 'prepare-failed' | 'send-failed' | 'poll-failed' | 'look-failed' | 'export-failed',
    job: StoredJob,
    failure: Failure,
    roll: number,
  ): SaveResult =>
  () =>
    ok({ event: { type, attempt: job.memory.attempt, failure: named(failure, job), roll }, output: null });

/** Tells address and key apart without revealing either (other-key). */
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

/** other-key where a job is hidden or forbidden because it was sent with another key than the present one. */
function belongsElsewhere(
  { connection }: QueueDeps,
  job: StoredJob,
  { kind, code, status, envelope }: Failure,
): boolean {
  const present = connection();
  const sentBy = job.memory.intent?.boundTo ?? null;
  if (present === null || sentBy === null || sentBy === boundTo(present, job) || envelope === 'html') return false;
  return status === 404 || status === 410 || (kind === 'key-restricted' && code !== 'origin_forbidden');
}

function findDuplicate(ports: QueueDeps, job: StoredJob, sha256: string): Duplicate | null {
  const twin = ports.store.findTwin({ sha256, ...optionsOf(job) }, job.id);
  if (!twin.ok || twin.value === null) return null;
  const { id: jobId, name, addedAtMs, memory } = twin.value;
  const { state } = memory;
  const isDone = state.tag === 'done';
  return { jobId, name, addedAtMs, isDone, transcriptId: isDone ? (state.transcriptId ?? null) : null };
}

export function findLostPayment(ports: QueueDeps, content: SameContent): EarlierPayment | null {
  const earlier = ports.findPaid?.(content) ?? null;
  if (earlier === null) return null;
  const same = ports.store.findSame(content);
  return same.ok && same.value.length > 0 ? null : earlier;
}

export async function runPrepare(
  ports: QueueDeps,
  job: StoredJob,
  signal: AbortSignal,
  onShare: (share: number) => void,
): Promise<SaveResult> {
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

function sourceOf({ extractor }: QueueDeps, job: StoredJob, intent: PreparedUpload): UploadSource {
  const { preparedName, sizeBytes, mtimeMs } = intent;
  const path = preparedName === undefined ? job.path : extractor.pathOf(preparedName);
  return { path, name: nameSent(job, intent), sizeBytes, mtimeMs };
}

export async function runSend(
  ports: QueueDeps,
  job: StoredJob,
  signal: AbortSignal,
  onProgress: (sentBytes: number, totalBytes: number) => void,
): Promise<SaveResult> {
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

async function readEarlier(ports: QueueDeps, job: StoredJob, signal: AbortSignal): Promise<Result<unknown>> {
  const found = await findAtService(ports, job, signal);
  if (!found.ok) return found;
  return found.value === null ? err(localFailure('job-not-found')) : kindOf(job).poll(ports, job, found.value, signal);
}

export async function runPoll(ports: QueueDeps, job: StoredJob, signal: AbortSignal): Promise<SaveResult> {
  const { attempt, intent } = job.memory;
  const kind = kindOf(job);
  const answer = await kind.poll(ports, job, intent?.remoteId ?? '', signal);
  if (!answer.ok) {
    const failure = belongsElsewhere(ports, job, answer.error) ? localFailure('other-key') : answer.error;
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

export async function runLook(ports: QueueDeps, job: StoredJob, signal: AbortSignal): Promise<SaveResult> {
  const { attempt } = job.memory;
  const found = await findAtService(ports, job, signal);
  if (!found.ok) return failed('look-failed', job, found.error, ports.random());
  return () => ok({ event: { type: 'looked', attempt, remoteId: found.value }, output: null });
}

/** Fetches the result by its own route, when the job's record says completed but does not contain it. */
export async function runFetch(ports: QueueDeps, job: StoredJob, signal: AbortSignal): Promise<SaveResult> {
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

const named = (failure: Failure, job: StoredJob): Failure => ({
  ...failure,
  params: { name: job.name, ...failure.params },
});

/** By id, else by name and time, and only when exactly one fits that belongs to no other job. */
export async function findAtService(
  ports: QueueDeps,
  job: StoredJob,
  signal: AbortSignal,
): Promise<Result<string | null>> {
  const page = await kindOf(job).list(ports, job, signal);
  if (!page.ok) return page;
  const { intent } = job.memory;
  if (intent === null) return ok(null);
  if (intent.remoteId !== null) {
    return ok(page.value.some((item) => item.remoteId === intent.remoteId) ? intent.remoteId : null);
  }
  if (intent.firstSentAtMs === null) return ok(null);
  const earliest = intent.firstSentAtMs - clockSlackMs;
  // The service may title its work after the name under which the file was sent, with or without the extension.
  const names = new Set([job.name, nameSent(job, intent), baseName(job.name)].map((name) => name.toLowerCase()));
  const fits = page.value.filter(
    (item) =>
      item.title !== null &&
      names.has(item.title.toLowerCase()) &&
      item.createdAt !== null &&
      Date.parse(item.createdAt) >= earliest &&
      (item.language === null || job.kind !== 'transcribe' || item.language === job.language) &&
      !ports.store.isRemoteIdTaken(item.remoteId, job.id),
  );
  const [only] = fits;
  return ok(fits.length === 1 && only !== undefined ? only.remoteId : null);
}

/** The name under which the recording of a job is sent. Prepared audio has another extension, behind its hash. */
export const nameSent = ({ name }: StoredJob, { preparedName }: PreparedUpload): string =>
  preparedName === undefined ? name : nameToSend(name, preparedName.slice(65));

/** Every kind of work that the queue does. The compiler requires an entry for each name in `jobKinds`. */
const registry: { readonly [K in JobKindName]: AnyJobKind } = {
  transcribe: transcription as AnyJobKind,
  isolate: isolation as AnyJobKind,
};

/** The kind of a row. Answers of one kind always reach the same kind, because the row determines both. */
export const kindOf = ({ kind }: { readonly kind: JobKindName }): AnyJobKind => registry[kind];
