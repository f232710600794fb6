import type { UploadSource } from '../../../service/upload.ts';
import { extname } from 'node:path';
import { baseName } from '../../../../shared/domain/exports/safe-file-name.ts';
import { optionsOf } from '../../../../shared/domain/jobs/job-state.ts';
import { makeFailure } from '../../../../shared/domain/failures/make-failure.ts';
import { localFailure } from '../../../../shared/domain/jobs/job-failures.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../../shared/result/result.ts';
import { legacyLimits, legacyNewest, refusedLegacyKey } from '../../../service/legacy.ts';
import type { RemoteTranscription } from '../../../service/stt.ts';
import type { CheckedFile, JobKind, JobOf, RemoteItem, SavedAnswer } from './job-kind.ts';
import type { KnownRecording, QueueDeps } from '../ports.ts';
import {
  writeReceived,
  writeText,
  type NewTranscript,
  type RawAnswer,
  type StoredJob,
  type WrittenText,
} from '../../library/store.ts';
import { markPrepared } from '../../media/audio-extractor.ts';

type TranscriptionJob = JobOf<'transcribe'>;

export const transcription: JobKind<'transcribe', WholeAnswer> = {
  name: 'transcribe',
  check: (options, file) => (options.isLegacy === true ? checkLegacy(file) : null),
  prepareOptions: () => ({}),
  confirmsWithoutVoice: false,
  isRepeatable: ({ isLegacy }) => isLegacy !== true,

  async send(ports, { job, intent }, source, signal, onProgress) {
    if (job.isLegacy === true) {
      const taken = await sendLegacy(ports, job, source, signal, onProgress);
      return taken.ok ? ok(await readLongAnswer(ports, job, taken.value, 'submit', signal)) : taken;
    }
    const answer = await ports.api.submit({
      source,
      language: job.language,
      includeSpeakers: job.includeSpeakers,
      idempotencyKey: intent.idempotencyKey,
      sha256: intent.sha256,
      onProgress,
      signal,
    });
    return answer.ok ? ok(await readLongAnswer(ports, job, answer.value, 'submit', signal)) : answer;
  },

  async poll(ports, job, remoteId, signal) {
    const answer = await (job.isLegacy === true
      ? pollLegacy(ports, remoteId, signal)
      : ports.api.read(remoteId, signal));
    return answer.ok ? ok(await readLongAnswer(ports, job, answer.value, 'read', signal)) : answer;
  },

  save(ports, job, whole, source) {
    const saved = saveAnswer(ports, job, whole, source);
    if (!saved.ok || source === 'submit' || whole.answer.unread === undefined) return saved;
    return ok({ ...saved.value, failure: notRead(whole.answer.requestId) });
  },

  /** Tries the service's export files, for a record that says completed and contains no text (result-missing). */
  async fetchResult(ports, job, remoteId, signal) {
    // The legacy API has no exports: its answer is the whole result.
    if (job.isLegacy === true) return ok(null);
    for (const format of ['json', 'txt'] as const) {
      const file = await ports.api.export(remoteId, format, signal);
      if (!file.ok && format === 'json') continue;
      if (!file.ok) return file;
      const found = await ports.reader.exported(format, file.value, knownOf(job), signal);
      const written = found?.written ?? null;
      if (found !== null && written === null) continue;
      return ok(() => {
        const kept = keepRaw(ports, job, { raw: file.value, requestId: null }, 'export');
        if (!kept.ok) return kept;
        if (written === null) return ok(notRead(null));
        const transcript = newTranscript(ports, job, written, remoteId, kept.value, null);
        const speakerCount = transcript.written.speakers.length;
        return ok({ result: { transcriptId: transcript.id, speakerCount }, output: { transcript } });
      });
    }
    return ok(null);
  },

  async list(ports, job, signal) {
    if (job.isLegacy === true) return listLegacy(ports, signal);
    const page = await ports.api.list({ limit: 100 }, signal);
    return page.ok ? ok(page.value.items) : page;
  },

  /** A separate transcript: editing one leaves the other as it is. */
  copy(ports, job, sha256) {
    const earlier = ports.store.findText({ ...optionsOf(job), sha256 }, job.id);
    if (!earlier.ok || earlier.value === null) return earlier.ok ? ok(null) : err(earlier.error);
    const known = ports.store.transcript(earlier.value);
    if (!known.ok || known.value === null) return known.ok ? ok(null) : err(known.error);
    const { remoteId, transcript: text } = known.value;
    const transcript = newTranscript(ports, job, writeText(text), remoteId, null, known.value.model);
    return ok({
      result: { transcriptId: transcript.id, speakerCount: text.speakers.length },
      output: { transcript },
    });
  },
};

/** Stored first and then parsed in a thread, which takes seconds; `unread` when that fails. */
async function readLongAnswer(
  ports: QueueDeps,
  job: TranscriptionJob,
  answer: RemoteTranscription,
  source: 'submit' | 'read',
  signal: AbortSignal,
): Promise<WholeAnswer> {
  const { unread, ...known } = answer;
  if (unread === undefined) return { answer, written: null, rawAnswerId: null };
  // When the disk refuses here, the answer is stored later, together with the event.
  const kept: Result<number> = keepRaw(ports, job, answer, source);
  const rawAnswerId = kept.ok ? kept.value : null;
  const read = await ports.reader.answer(unread, knownOf(job), signal);
  if (read === null) return { answer, written: null, rawAnswerId };
  return { answer: { ...known, ...read.answer }, written: read.written, rawAnswerId };
}

/** The answer could not be read; the service has done its work, and its answer is kept. */
const notRead = (requestId: string | null): Failure =>
  makeFailure('answer-unreadable', {
    code: 'unreadable_answer',
    outcome: 'accepted',
    ...(requestId === null ? {} : { requestId }),
  });

interface WholeAnswer {
  readonly answer: RemoteTranscription;
  readonly written: WrittenText | null;
  readonly rawAnswerId: number | null;
}

/** Receipts and "still working" contain nothing that could be lost. */
const isWorthKeeping = ({ answer, written }: WholeAnswer): boolean =>
  answer.raw.trim() !== '' &&
  (written !== null ||
    answer.transcript !== null ||
    answer.remoteId === null ||
    answer.status === 'completed' ||
    answer.status === 'failed' ||
    answer.status === 'unknown');

const keepRaw = (
  { store, clock }: QueueDeps,
  job: StoredJob,
  { raw, requestId }: Pick<RemoteTranscription, 'raw' | 'requestId'>,
  source: RawAnswer['source'],
): Result<number> => store.saveRawAnswer({ jobId: job.id, atMs: clock.now(), source, requestId, body: raw });

/** The body is stored before it is read: an answer that was paid for survives any parsing error. */
function saveAnswer(
  ports: QueueDeps,
  job: TranscriptionJob,
  whole: WholeAnswer,
  source: RawAnswer['source'],
): Result<SavedAnswer> {
  const { answer } = whole;
  let { rawAnswerId } = whole;
  if (rawAnswerId === null && isWorthKeeping(whole)) {
    const kept = keepRaw(ports, job, answer, source);
    if (!kept.ok) return kept;
    rawAnswerId = kept.value;
  }
  const written = whole.written ?? (answer.transcript === null ? null : writeReceived(answer.transcript, knownOf(job)));
  const text = written === null ? null : newTranscript(ports, job, written, answer.remoteId, rawAnswerId, answer.model);
  return ok({
    output: text === null ? null : { transcript: text },
    facts: {
      remoteId: answer.remoteId,
      status: answer.status,
      rawStatus: answer.rawStatus,
      hasRawAnswer: rawAnswerId !== null,
      errorCode: answer.errorCode,
      requestId: answer.requestId,
      ...(answer.heard === undefined ? {} : { heard: answer.heard }),
      result: text === null ? null : { transcriptId: text.id, speakerCount: text.written.speakers.length },
    },
  });
}

const knownOf = ({ language, durationMs }: TranscriptionJob): KnownRecording => ({ language, durationMs });

/** The file to play with the text: the one that the service transcribed. */
export const mediaPathOf = ({ path, memory }: StoredJob): string =>
  memory.intent?.preparedName === undefined ? path : markPrepared(memory.intent.preparedName);

const isLegacyJob = (job: StoredJob): boolean => job.kind === 'transcribe' && job.isLegacy === true;

function newTranscript(
  ports: QueueDeps,
  job: StoredJob,
  written: WrittenText,
  remoteId: string | null,
  rawAnswerId: number | null,
  model: string | null,
): NewTranscript {
  return {
    id: ports.newId(),
    jobId: job.id,
    title: baseName(job.name),
    sourceName: job.name,
    createdAtMs: ports.clock.now(),
    mediaPath: mediaPathOf(job),
    mediaSha256: job.memory.intent?.sha256 ?? '',
    // What the legacy API has can be neither renamed nor edited there.
    remoteId: isLegacyJob(job) ? null : (remoteId ?? job.memory.intent?.remoteId ?? null),
    rawAnswerId,
    model,
    written,
  };
}

/** The types that the legacy API takes (contract 4.16), by extension. */
const legacyTypes = new Set(['.mp3', '.wav', '.ogg', '.oga', '.m4a', '.mp4']);

/** Refuses what the legacy API would refuse (contract 4.16, 8), before anything is sent. */
export function checkLegacy({ name, sizeBytes }: CheckedFile): Failure | null {
  if (sizeBytes > legacyLimits.longFileBytes)
    return makeFailure('file-too-large', {
      code: 'file_too_large',
      outcome: 'not_sent',
      layer: 'local',
      params: { size: sizeBytes },
    });
  return legacyTypes.has(extname(name).toLowerCase()) ? null : localFailure('not-a-recording', { code: 'legacy_type' });
}

/** Shorter audio is refused when speakers are to be told apart in it (contract 4.16). */
export const isTooShortForSpeakers = (durationMs: number | null): boolean =>
  durationMs !== null && durationMs < legacyLimits.diarizationMinMs;

/** One upload to the legacy API, which knows no idempotency keys. */
export async function sendLegacy(
  ports: Pick<QueueDeps, 'client' | 'connection'>,
  job: JobOf<'transcribe'>,
  source: UploadSource,
  signal: AbortSignal,
  onProgress: (sentBytes: number, totalBytes: number) => void,
): Promise<Result<RemoteTranscription>> {
  if (ports.connection()?.legacyKey === undefined)
    return err(localFailure('not-a-recording', { code: 'legacy_key_missing', outcome: 'not_sent' }));
  const taken = await ports.client.legacy.transcribeLong({
    source,
    language: job.language,
    tellsSpeakersApart: job.includeSpeakers && !isTooShortForSpeakers(job.durationMs),
    hasOffsets: true,
    title: baseName(job.name),
    onFileBytes: (sentBytes) => onProgress(Math.min(sentBytes, source.sizeBytes), source.sizeBytes),
    ...(job.memory.intent === null ? {} : { sha256: job.memory.intent.sha256 }),
    signal,
  });
  return taken.ok ? taken : err(refusedLegacyKey(taken.error));
}

export async function pollLegacy(
  { client }: QueueDeps,
  remoteId: string,
  signal: AbortSignal,
): Promise<Result<RemoteTranscription>> {
  const read = await client.legacy.longTranscription(remoteId, signal);
  return read.ok ? read : err(refusedLegacyKey(read.error));
}

export async function listLegacy({ client }: QueueDeps, signal: AbortSignal): Promise<Result<readonly RemoteItem[]>> {
  const page = await client.legacy.longTranscriptions(legacyNewest, signal);
  if (!page.ok) return err(refusedLegacyKey(page.error));
  return ok(
    page.value.items.flatMap(({ id, title, createdAt, language }) =>
      id === null ? [] : [{ remoteId: id, title, createdAt, language }],
    ),
  );
}
