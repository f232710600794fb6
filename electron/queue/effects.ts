import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { Logger } from '../../shared/domain/diagnostics/log-entry.ts';
import { baseName } from '../../shared/domain/exports/safe-file-name.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import {
  optionsOf,
  type Duplicate,
  type JobEvent,
  type JobOptions,
  type PreparedUpload,
} from '../../shared/domain/jobs/job-state.ts';
import type { EarlierPayment } from '../../shared/domain/ledger/paid-action.ts';
import { nameToSend } from '../../shared/domain/media/audio-plan.ts';
import { modeOf, type Origin } from '../../shared/domain/modes.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import type { Connection, ConnectionSource } from '../service/connection.ts';
import type { Downloader } from '../service/download.ts';
import { clockSlackMs, type ClientClock } from '../service/transport.ts';
import type { ServiceClient } from '../service/client.ts';
import type { SttApi } from '../service/stt.ts';
import type { FileIdentity, FilePort, JobOutput, SameContent, StoredJob } from '../services/library/store.ts';
import type { AudioExtractor, AudioFolder } from '../services/media/audio-extractor.ts';
import type { LibraryStore } from '../storage/sqlite-library-store.ts';
import { kindOf, type LongReader, type OnProgress } from './kinds.ts';

export interface QueueDeps {
  readonly store: LibraryStore;
  readonly files: FilePort;
  readonly extractor: AudioExtractor;
  readonly api: SttApi;
  readonly client: Pick<ServiceClient, 'isolate' | 'legacy' | 'missingPermission'>;
  readonly downloader: Downloader;
  readonly audio: AudioFolder;
  readonly connection: ConnectionSource;
  /** Who does the work; absent: the service. */
  readonly origin?: Origin;
  /** Whether this computer has a network at all; true proves nothing about the service. */
  readonly isOnline: () => boolean;
  readonly reader: LongReader;
  readonly findPaid?: (content: SameContent) => EarlierPayment | null;
  readonly log: Logger;
  readonly clock: ClientClock;
  readonly random: () => number;
  readonly newId: () => string;
}

/** What an effect found out, and what becomes durable with it. */
export interface Report {
  readonly event: JobEvent;
  readonly output?: JobOutput | undefined;
}

/** A failure takes the place of the event. A function looks at the other rows, so it is called when its event counts. */
type Done = Report & { readonly failure?: Failure | undefined };
type Effect = (
  deps: QueueDeps,
  job: StoredJob,
  signal: AbortSignal,
  onProgress: OnProgress,
) => Promise<Result<Done | (() => Done)>>;

const effects = { prepare, send, poll, look, export: fetchResult } satisfies Record<string, Effect>;
/** What a command makes happen; its failure is the event `{name}-failed`. */
export type EffectName = keyof typeof effects;

/** Never throws: after a bug of ours this job asks the user, and the others go on. */
export async function runEffect(
  deps: QueueDeps,
  name: EffectName,
  job: StoredJob,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<() => Report> {
  const { attempt } = job.memory;
  const failed = (failure: Failure, output?: JobOutput, failedName = name): Report => {
    const named = { ...failure, params: { name: job.name, ...failure.params } };
    return { event: { type: `${failedName}-failed`, attempt, failure: named, roll: deps.random() }, output };
  };
  try {
    const done: Awaited<ReturnType<Effect>> = await effects[name](deps, job, signal, onProgress);
    if (!done.ok) return () => failed(done.error);
    return () => {
      const { failure, ...report } = typeof done.value === 'function' ? done.value() : done.value;
      return failure === undefined ? report : failed(failure, report.output);
    };
  } catch (error) {
    const code = error instanceof Error ? error.name : 'unknown';
    deps.log.write({ event: 'job-bug', level: 'error', item: job.id, code });
    return () => failed(makeFailure('internal-error', { code: 'bug' }), undefined, name === 'export' ? 'poll' : name);
  }
}

/** Extracts the audio where needed, hashes what will be sent, and refuses what the service would refuse. */
export async function prepareContent(
  deps: QueueDeps,
  job: JobOptions & { readonly path: string },
  knownName: string | null,
  signal: AbortSignal,
  onShare: (share: number) => void,
): Promise<Result<{ readonly path: string; readonly content: FileIdentity & { readonly preparedName?: string } }>> {
  const kind = kindOf(job);
  const audio = await deps.extractor.prepare(job.path, knownName, signal, onShare, kind.prepareOptions(job));
  if (!audio.ok) return audio;
  const { path, preparedName } = audio.value;
  const hashed = await deps.files.hash(path, signal);
  if (!hashed.ok) return hashed;
  const refusal = kind.check(job, {
    name: preparedName ?? basename(path),
    sizeBytes: hashed.value.sizeBytes,
  });
  if (refusal !== null) return err(refusal);
  return ok({ path, content: { ...hashed.value, ...(preparedName === null ? {} : { preparedName }) } });
}

async function prepare(deps: QueueDeps, job: StoredJob, signal: AbortSignal, onProgress: OnProgress) {
  const { attempt, intent, acceptsNewCharge } = job.memory;
  const known = intent?.preparedName ?? null;
  const prepared = await prepareContent(deps, job, known, signal, (share) => onProgress(share, 1));
  if (!prepared.ok) return prepared;
  const { path, content } = prepared.value;
  const same = { ...optionsOf(job), sha256: content.sha256 };
  const freshKey = deps.newId();
  const listens = intent === null && kindOf(job).confirmsWithoutVoice;
  const heard = listens ? await deps.extractor.heardIn(path) : 'voice';
  const mayBeLost = intent === null && acceptsNewCharge !== true;
  return ok((): Report => {
    const earlier = mayBeLost ? findLostPayment(deps, same) : null;
    const duplicate = findDuplicate(deps, job, same) ?? findOtherLanguage(deps, job, same);
    return { event: { type: 'hashed', attempt, ...content, freshKey, duplicate, heard, earlier } };
  });
}

function findDuplicate({ store }: QueueDeps, { id }: StoredJob, content: SameContent): Duplicate | null {
  const twin = store.findTwin(content, id);
  if (!twin.ok || twin.value === null) return null;
  const { id: jobId, name, addedAtMs, memory } = twin.value;
  const { state } = memory;
  const isDone = state.tag === 'done';
  return { jobId, name, addedAtMs, isDone, transcriptId: isDone ? (state.transcriptId ?? null) : null };
}

/** The library has a text of the same content in another language; a second one is charged too. */
function findOtherLanguage({ store, origin }: QueueDeps, { memory }: StoredJob, content: SameContent) {
  if (origin === 'local' || memory.acceptsNewCharge === true) return null;
  const found = store.findOtherLanguage(content);
  return found.ok && found.value !== null ? { ...found.value, isDone: true } : null;
}

/** The same content was paid for, or may have been, by a row that the library has lost. */
export function findLostPayment({ store, findPaid }: QueueDeps, content: SameContent): EarlierPayment | null {
  const earlier = findPaid?.(content) ?? null;
  if (earlier === null) return null;
  const same = store.findSame(content);
  return same.ok && same.value.length > 0 ? null : earlier;
}

async function send(deps: QueueDeps, job: StoredJob, signal: AbortSignal, onProgress: OnProgress) {
  const { attempt, intent, state } = job.memory;
  if (intent === null) throw new Error('A job without an intent was told to send');
  const kind = kindOf(job);
  const { preparedName, sizeBytes, mtimeMs } = intent;
  const path = preparedName === undefined ? job.path : deps.extractor.pathOf(preparedName);
  const source = { path, name: nameSent(job, intent), sizeBytes, mtimeMs };
  const mayHaveArrived = state.tag === 'sending' && state.wasUnsettled && !kind.isRepeatable(job);
  if (mayHaveArrived) {
    const found = await findAtService(deps, job, signal);
    if (!found.ok) return found;
    if (found.value === null) return err(localFailure('job-not-found'));
    // Durable before anything is asked about it.
    return ok({ event: { type: 'answered' as const, attempt, answer: { ...foundThere, remoteId: found.value } } });
  }
  const answer = await kind.send(deps, { job, intent, source }, signal, onProgress);
  if (!answer.ok) return answer;
  const { facts, ...kept } = answer.value;
  return ok({ event: { type: 'answered' as const, attempt, answer: facts }, ...kept });
}

const foundThere = {
  status: 'queued',
  rawStatus: null,
  hasRawAnswer: false,
  errorCode: null,
  requestId: null,
  result: null,
} as const;

async function poll(deps: QueueDeps, job: StoredJob, signal: AbortSignal) {
  const { attempt, intent } = job.memory;
  const answer = await kindOf(job).poll(deps, job, intent?.remoteId ?? '', signal);
  if (!answer.ok) return belongsElsewhere(deps, job, answer.error) ? err(localFailure('other-key')) : answer;
  const { facts, ...kept } = answer.value;
  return ok({ event: { type: 'polled' as const, attempt, answer: facts }, ...kept });
}

async function look(deps: QueueDeps, job: StoredJob, signal: AbortSignal) {
  const { attempt } = job.memory;
  const found = await findAtService(deps, job, signal);
  return found.ok ? ok({ event: { type: 'looked' as const, attempt, remoteId: found.value } }) : found;
}

/** Fetches the result by its own route, when the job's record says completed but does not contain it. */
async function fetchResult(deps: QueueDeps, job: StoredJob, signal: AbortSignal) {
  const { attempt, intent } = job.memory;
  const fetched = await kindOf(job).fetchResult(deps, job, intent?.remoteId ?? '', signal);
  if (!fetched.ok) return fetched;
  const { result, ...kept } = fetched.value;
  return ok({ event: { type: 'exported' as const, attempt, result }, ...kept });
}

/** By id, else by name and time, and only when exactly one fits that belongs to no other job. */
export async function findAtService(
  deps: QueueDeps,
  job: StoredJob,
  signal: AbortSignal,
): Promise<Result<string | null>> {
  const page = await kindOf(job).list(deps, job, signal);
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
      !deps.store.isRemoteIdTaken(item.remoteId, job.id),
  );
  const [only] = fits;
  return ok(fits.length === 1 && only !== undefined ? only.remoteId : null);
}

/** The name under which the recording of a job is sent. Prepared audio has another extension, behind its hash. */
export const nameSent = ({ name }: StoredJob, { preparedName }: PreparedUpload): string =>
  preparedName === undefined ? name : nameToSend(name, preparedName.slice(65));

/** Tells address and key apart without revealing either (other-key). */
export const fingerprintOf = ({ kind, baseUrl }: Connection, secret: Connection['legacyKey']): string =>
  modeOf(kind).isOnThisComputer
    ? kind
    : createHash('sha256')
        .update(`${baseUrl}\0${secret?.reveal() ?? ''}`)
        .digest('hex')
        .slice(0, 16);

export function accountFingerprint(connection: Connection, job: StoredJob): string {
  const byKey = fingerprintOf(connection, connection.key);
  // Legacy jobs of earlier versions are stored with the other key.
  if (job.kind !== 'transcribe' || job.isLegacy !== true || job.memory.intent?.boundTo === byKey) return byKey;
  return fingerprintOf(connection, connection.legacyKey);
}

/** The way to the service within its origin may change; the account is the same. */
export const serviceOf = (connection: Connection | null): string | null =>
  connection === null || modeOf(connection.kind).isOnThisComputer ? null : new URL(connection.baseUrl).origin;

/** Whose credits pay for a job; undefined where nobody's do, or where it is not known yet. */
export function accountOf(connection: Connection | null, job: StoredJob): string | undefined {
  const isLegacy = job.kind === 'transcribe' && job.isLegacy === true;
  const baseUrl = serviceOf(connection);
  if (connection === null || baseUrl === null || (isLegacy && connection.legacyKey === undefined)) return undefined;
  return accountFingerprint({ ...connection, baseUrl }, job);
}

/** Ordered for the account of other settings; the user decides whether the present one pays for it. */
export function isForOther(connection: Connection | null, job: StoredJob): boolean {
  const { orderedFor } = job.memory;
  const account = accountOf(connection, job);
  return orderedFor !== undefined && account !== undefined && orderedFor !== account;
}

/** other-key where a job is hidden or forbidden because it was sent with another key than the present one. */
function belongsElsewhere(
  { connection }: QueueDeps,
  job: StoredJob,
  { kind, code, status, envelope }: Failure,
): boolean {
  const present = connection();
  const sentBy = job.memory.intent?.boundTo ?? null;
  if (present === null || sentBy === null || sentBy === accountFingerprint(present, job) || envelope === 'html')
    return false;
  return status === 404 || status === 410 || (kind === 'key-restricted' && code !== 'origin_forbidden');
}
