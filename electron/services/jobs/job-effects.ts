import { modeOf } from '../../../shared/domain/modes.ts';
import { createHash } from 'node:crypto';
import type { Failure } from '../../../shared/result/failure.ts';
import { ok, type Result } from '../../../shared/result/result.ts';
import { nameToSend } from '../../../shared/domain/media/sound-plan.ts';
import type { Duplicate, JobEvent } from '../../../shared/domain/jobs/job-state.ts';
import type { EarlierPayment } from '../../../shared/domain/ledger/paid-action.ts';
import type { Connection } from '../../api/connection.ts';
import type { NewTranscript, SameContent, StoredJob } from '../library/store.ts';
import { findAtService } from './find-at-service.ts';
import type { QueuePorts } from './ports.ts';
import { notRead, readLongAnswer } from './read-long-answer.ts';
import { keepRaw, knownOf, newTranscript, saveAnswer } from './save-answer.ts';

/** What a command led to, as the machine is told of it. */
export interface Report {
  readonly event: JobEvent;
  readonly text: NewTranscript | null;
}

/**
 * Writes down what a finished command brought and says what to report. Kept apart from the command itself: when the
 * disk refuses, it is called again later, and nothing is asked of the service twice.
 */
export type PersistOutcome = () => Result<Report>;

const failed =
  (
    type: 'prepare-failed' | 'send-failed' | 'poll-failed' | 'look-failed' | 'export-failed',
    attempt: number,
    failure: Failure,
    roll: number,
  ): PersistOutcome =>
  () =>
    ok({ event: { type, attempt, failure, roll }, text: null });

/** Says where requests go without saying it: to notice that a key or address was changed in between (E-042). */
export const boundTo = (connection: Connection): string =>
  modeOf(connection.kind).isOnThisComputer
    ? connection.kind
    : createHash('sha256').update(`${connection.baseUrl}\0${connection.key.reveal()}`).digest('hex').slice(0, 16);

/** An earlier item with the same content and fields that is done or under way. */
export function findDuplicate(ports: QueuePorts, job: StoredJob, sha256: string): Duplicate | null {
  const { language, includeSpeakers } = job;
  const twin = ports.store.findTwin({ sha256, language, includeSpeakers }, job.id);
  if (!twin.ok || twin.value === null) return null;
  const { addedAtMs, memory } = twin.value;
  const { state } = memory;
  return { addedAtMs, transcriptId: state.tag === 'done' ? state.transcriptId : null };
}

/** A payment for this content that the library has no row of: it was damaged since. */
export function findLostPayment(ports: QueuePorts, content: SameContent): EarlierPayment | null {
  const earlier = ports.findPaid?.(content) ?? null;
  if (earlier === null) return null;
  const same = ports.store.findSame(content);
  return same.ok && same.value.length > 0 ? null : earlier;
}

/** Takes the sound out where it has to be, hashes what will be sent and looks whether its content is known. */
export async function runPrepare(
  ports: QueuePorts,
  job: StoredJob,
  signal: AbortSignal,
  onShare: (share: number) => void,
): Promise<PersistOutcome> {
  const { attempt, intent } = job.memory;
  const sound = await ports.sounds.prepare(job.path, intent?.preparedName ?? null, signal, onShare);
  if (!sound.ok) return failed('prepare-failed', attempt, named(sound.error, job), ports.random());
  const { path, preparedName } = sound.value;
  const hashed = await ports.files.hash(path, signal);
  if (!hashed.ok) return failed('prepare-failed', attempt, named(hashed.error, job), ports.random());
  const freshKey = ports.newId();
  const { language, includeSpeakers } = job;
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
        earlier: mayBeLost ? findLostPayment(ports, { sha256: hashed.value.sha256, language, includeSpeakers }) : null,
      },
      text: null,
    });
}

/** The bytes of a job and the name they go under. */
function sentAs({ sounds }: QueuePorts, { path, name, memory }: StoredJob): { path: string; name: string } {
  const preparedName = memory.intent?.preparedName;
  if (preparedName === undefined) return { path, name };
  return { path: sounds.pathOf(preparedName), name: nameToSend(name, preparedName.slice(65)) };
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
  const answer = await ports.api.submit({
    source: { ...sentAs(ports, job), sizeBytes: intent.sizeBytes, mtimeMs: intent.mtimeMs },
    language: job.language,
    includeSpeakers: job.includeSpeakers,
    idempotencyKey: intent.idempotencyKey,
    sha256: intent.sha256,
    onProgress,
    signal,
  });
  if (!answer.ok) return failed('send-failed', attempt, named(answer.error, job), ports.random());
  const whole = await readLongAnswer(ports, job, answer.value, 'submit', signal);
  return () => {
    const saved = saveAnswer(ports, job, whole, 'submit');
    if (!saved.ok) return saved;
    return ok({ event: { type: 'answered', attempt, answer: saved.value.facts }, text: saved.value.text });
  };
}

/** One read of a job the service has. */
export async function runPoll(ports: QueuePorts, job: StoredJob, signal: AbortSignal): Promise<PersistOutcome> {
  const { attempt, intent } = job.memory;
  const answer = await ports.api.read(intent?.remoteId ?? '', signal);
  if (!answer.ok) return failed('poll-failed', attempt, named(answer.error, job), ports.random());
  const whole = await readLongAnswer(ports, job, answer.value, 'read', signal);
  return () => {
    const saved = saveAnswer(ports, job, whole, 'read');
    if (!saved.ok) return saved;
    if (whole.answer.unread !== undefined) {
      const failure = notRead(whole.answer.requestId);
      return ok({ event: { type: 'poll-failed', attempt, failure, roll: ports.random() }, text: null });
    }
    return ok({ event: { type: 'polled', attempt, answer: saved.value.facts }, text: saved.value.text });
  };
}

/** One look through the service's list. */
export async function runLook(ports: QueuePorts, job: StoredJob, signal: AbortSignal): Promise<PersistOutcome> {
  const { attempt } = job.memory;
  const found = await findAtService(ports, job, signal);
  if (!found.ok) return failed('look-failed', attempt, named(found.error, job), ports.random());
  return () => ok({ event: { type: 'looked', attempt, remoteId: found.value }, text: null });
}

/** The service's own export files, when the job's record says completed and shows no text (E-028). */
export async function runExport(ports: QueuePorts, job: StoredJob, signal: AbortSignal): Promise<PersistOutcome> {
  const { attempt, intent } = job.memory;
  const remoteId = intent?.remoteId ?? '';
  for (const format of ['json', 'txt'] as const) {
    const file = await ports.api.export(remoteId, format, signal);
    if (!file.ok && format === 'json') continue;
    if (!file.ok) return failed('export-failed', attempt, named(file.error, job), ports.random());
    const found = await ports.reader.exported(format, file.value, knownOf(job), signal);
    const written = found?.written ?? null;
    if (found !== null && written === null) continue;
    return () => {
      const kept = keepRaw(ports, job, { raw: file.value, requestId: null }, 'export');
      if (!kept.ok) return kept;
      if (written === null) {
        const failure = named(notRead(null), job);
        return ok({ event: { type: 'export-failed', attempt, failure, roll: ports.random() }, text: null });
      }
      const text = newTranscript(ports, job, written, remoteId, kept.value);
      const saved = { transcriptId: text.id, speakerCount: text.written.speakers.length };
      return ok({ event: { type: 'exported', attempt, text: saved }, text });
    };
  }
  return () => ok({ event: { type: 'exported', attempt, text: null }, text: null });
}

/** Words of these rows mention the file. */
const named = (failure: Failure, job: StoredJob): Failure => ({
  ...failure,
  params: { name: job.name, ...failure.params },
});
