import { extname } from 'node:path';
import { baseName } from '../../shared/domain/exports/safe-file-name.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import {
  optionsOf,
  type AnswerFacts,
  type JobKindName,
  type JobOptions,
  type JobResult,
  type PreparedUpload,
} from '../../shared/domain/jobs/job-state.ts';
import type { SpeechLanguage } from '../../shared/domain/languages.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import type { UploadSource } from '../service/upload.ts';
import { legacyLimits, legacyNewest, refusedLegacyKey } from '../service/legacy.ts';
import { isolationLimits, type IsolationJob } from '../service/isolate.ts';
import type { UnreadAnswer } from '../service/read-transcription.ts';
import type { RemoteTranscription } from '../service/stt.ts';
import {
  writeReceived,
  writeText,
  type JobOutput,
  type NewTranscript,
  type RawAnswer,
  type StoredAudio,
  type StoredJob,
  type WrittenText,
} from '../services/library/store.ts';
import { markPrepared, verifyAudio, type PrepareOptions } from '../services/media/audio-extractor.ts';
import type { QueueDeps } from './effects.ts';

export type JobOf<K extends JobKindName> = Extract<StoredJob, { readonly kind: K }>;
type TranscriptionJob = JobOf<'transcribe'>;

/** Writes what the service answered. May be repeated after a full disk; the service is asked once. */
export type Save<T> = () => Result<T>;

export interface SavedAnswer {
  readonly facts: AnswerFacts;
  readonly output: JobOutput | null;
  readonly failure?: Failure;
}

export interface SavedResult {
  readonly result: JobResult;
  readonly output: JobOutput;
}

export interface RemoteItem {
  readonly remoteId: string;
  readonly title: string | null;
  readonly createdAt: string | null;
  /** Null where the service does not say. */
  readonly language: string | null;
}

interface CheckedFile {
  readonly name: string;
  readonly sizeBytes: number;
}

type OnProgress = (sentBytes: number, totalBytes: number) => void;

export interface JobKind<K extends JobKindName = JobKindName> {
  /** Refuses files that the service would refuse, before anything is sent. */
  check(options: Extract<JobOptions, { readonly kind: K }>, file: CheckedFile): Failure | null;
  prepareOptions(options: Extract<JobOptions, { readonly kind: K }>): PrepareOptions;
  /** The user confirms before silence, or noise without a voice, is paid for. */
  readonly confirmsWithoutVoice: boolean;
  /** Otherwise nothing is sent again after a lost answer: the list is searched, or job-not-found. */
  isRepeatable(job: JobOf<K>): boolean;
  /** One attempt under the key of `intent`. */
  send(
    deps: QueueDeps,
    upload: { readonly job: JobOf<K>; readonly intent: PreparedUpload; readonly source: UploadSource },
    signal: AbortSignal,
    onProgress: OnProgress,
  ): Promise<Result<Save<SavedAnswer>>>;
  poll(deps: QueueDeps, job: JobOf<K>, remoteId: string, signal: AbortSignal): Promise<Result<Save<SavedAnswer>>>;
  /** The result by its own route; null where there is none. */
  fetchResult(
    deps: QueueDeps,
    job: JobOf<K>,
    remoteId: string,
    signal: AbortSignal,
  ): Promise<Result<Save<SavedResult | { readonly failure: Failure }> | null>>;
  list(deps: QueueDeps, job: JobOf<K>, signal: AbortSignal): Promise<Result<readonly RemoteItem[]>>;
  /** Makes the result of an earlier job with the same work the output of this job; null when there is none yet. */
  copy(deps: QueueDeps, job: JobOf<K>, sha256: string): Result<SavedResult | null>;
}

export const transcription: JobKind<'transcribe'> = {
  check: (options, file) => (options.isLegacy === true ? checkLegacy(file) : null),
  prepareOptions: () => ({}),
  confirmsWithoutVoice: false,
  isRepeatable: ({ isLegacy }) => isLegacy !== true,

  async send(deps, { job, intent, source }, signal, onProgress) {
    const answer =
      job.isLegacy === true
        ? await sendLegacy(deps, job, source, signal, onProgress)
        : await deps.api.submit({
            source,
            language: job.language,
            includeSpeakers: job.includeSpeakers,
            idempotencyKey: intent.idempotencyKey,
            sha256: intent.sha256,
            onProgress,
            signal,
          });
    return answer.ok ? ok(await readAnswer(deps, job, answer.value, 'submit', signal)) : answer;
  },

  async poll(deps, job, remoteId, signal) {
    const answer =
      job.isLegacy === true
        ? legacyAnswer(await deps.client.legacy.longTranscription(remoteId, signal))
        : await deps.api.read(remoteId, signal);
    return answer.ok ? ok(await readAnswer(deps, job, answer.value, 'read', signal)) : answer;
  },

  /** Tries the service's export files, for a record that says completed and contains no text (result-missing). */
  async fetchResult(deps, job, remoteId, signal) {
    // The legacy API has no exports: its answer is the whole result.
    if (job.isLegacy === true) return ok(null);
    for (const format of ['json', 'txt'] as const) {
      const file = await deps.api.export(remoteId, format, signal);
      if (!file.ok && format === 'json') continue;
      if (!file.ok) return file;
      const found = await deps.reader.exported(format, file.value, knownOf(job), signal);
      const written = found?.written ?? null;
      if (found !== null && written === null) continue;
      return ok(() => {
        const kept = keepRaw(deps, job, { raw: file.value, requestId: null }, 'export');
        if (!kept.ok) return kept;
        if (written === null) return ok({ failure: notRead(null) });
        return ok(transcriptResult(newTranscript(deps, job, written, remoteId, kept.value, null)));
      });
    }
    return ok(null);
  },

  async list({ api, client }, job, signal) {
    if (job.isLegacy !== true) {
      const page = await api.list({ limit: 100 }, signal);
      return page.ok ? ok(page.value.items) : page;
    }
    const page = legacyAnswer(await client.legacy.longTranscriptions(legacyNewest, signal));
    if (!page.ok) return page;
    return ok(page.value.items.flatMap(({ id, ...item }) => (id === null ? [] : [{ remoteId: id, ...item }])));
  },

  /** A separate transcript: editing one leaves the other as it is. */
  copy(deps, job, sha256) {
    const earlier = deps.store.findText({ ...optionsOf(job), sha256 }, job.id);
    if (!earlier.ok || earlier.value === null) return earlier.ok ? ok(null) : err(earlier.error);
    const known = deps.store.transcript(earlier.value);
    if (!known.ok || known.value === null) return known.ok ? ok(null) : err(known.error);
    const { remoteId, transcript, model } = known.value;
    return ok(transcriptResult(newTranscript(deps, job, writeText(transcript), remoteId, null, model)));
  },
};

const transcriptResult = (transcript: NewTranscript): SavedResult => ({
  result: { transcriptId: transcript.id, speakerCount: transcript.written.speakers.length },
  output: { transcript },
});

export interface KnownRecording {
  readonly language: SpeechLanguage;
  readonly durationMs: number | null;
}

export interface LongReading {
  readonly answer: Omit<RemoteTranscription, 'raw' | 'transcript' | 'unread'>;
  readonly written: WrittenText | null;
}

/** Reads in a thread. Never throws; null: the thread stopped working, so the content is unknown. */
export interface LongReader {
  answer(answer: UnreadAnswer, known: KnownRecording, signal: AbortSignal): Promise<LongReading | null>;
  exported(
    format: 'json' | 'txt',
    body: string,
    known: KnownRecording,
    signal: AbortSignal,
  ): Promise<{ readonly written: WrittenText | null } | null>;
}

interface WholeAnswer {
  readonly answer: RemoteTranscription;
  readonly written: WrittenText | null;
  readonly rawAnswerId: number | null;
}

/** A long answer is stored first and then parsed in a thread, which takes seconds; `unread` when that fails. */
async function readAnswer(
  deps: QueueDeps,
  job: TranscriptionJob,
  answer: RemoteTranscription,
  source: 'submit' | 'read',
  signal: AbortSignal,
): Promise<Save<SavedAnswer>> {
  const { unread, ...known } = answer;
  if (unread === undefined) return () => saveAnswer(deps, job, { answer, written: null, rawAnswerId: null }, source);
  // When the disk refuses here, the answer is stored later, together with the event.
  const kept: Result<number> = keepRaw(deps, job, answer, source);
  const rawAnswerId = kept.ok ? kept.value : null;
  const read = await deps.reader.answer(unread, knownOf(job), signal);
  const whole =
    read === null
      ? { answer, written: null, rawAnswerId }
      : { answer: { ...known, ...read.answer }, written: read.written, rawAnswerId };
  return () => saveAnswer(deps, job, whole, source);
}

/** The answer could not be read; the service has done its work, and its answer is kept. */
const notRead = (requestId: string | null): Failure =>
  makeFailure('answer-unreadable', {
    code: 'unreadable_answer',
    outcome: 'accepted',
    ...(requestId === null ? {} : { requestId }),
  });

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
  deps: QueueDeps,
  job: TranscriptionJob,
  whole: WholeAnswer,
  source: 'submit' | 'read',
): Result<SavedAnswer> {
  const { answer } = whole;
  let { rawAnswerId } = whole;
  if (rawAnswerId === null && isWorthKeeping(whole)) {
    const kept = keepRaw(deps, job, answer, source);
    if (!kept.ok) return kept;
    rawAnswerId = kept.value;
  }
  const written = whole.written ?? (answer.transcript === null ? null : writeReceived(answer.transcript, knownOf(job)));
  const saved =
    written === null
      ? null
      : transcriptResult(newTranscript(deps, job, written, answer.remoteId, rawAnswerId, answer.model));
  return ok({
    output: saved?.output ?? null,
    facts: {
      remoteId: answer.remoteId,
      status: answer.status,
      rawStatus: answer.rawStatus,
      hasRawAnswer: rawAnswerId !== null,
      errorCode: answer.errorCode,
      requestId: answer.requestId,
      ...(answer.heard === undefined ? {} : { heard: answer.heard }),
      result: saved?.result ?? null,
    },
    ...(source === 'read' && answer.unread !== undefined ? { failure: notRead(answer.requestId) } : {}),
  });
}

const knownOf = ({ language, durationMs }: TranscriptionJob): KnownRecording => ({ language, durationMs });

/** The file to play with the text: the one that the service transcribed. */
export const mediaPathOf = ({ path, memory }: StoredJob): string =>
  memory.intent?.preparedName === undefined ? path : markPrepared(memory.intent.preparedName);

const newTranscript = (
  { newId, clock }: QueueDeps,
  job: TranscriptionJob,
  written: WrittenText,
  remoteId: string | null,
  rawAnswerId: number | null,
  model: string | null,
): NewTranscript => ({
  id: newId(),
  jobId: job.id,
  title: baseName(job.name),
  sourceName: job.name,
  createdAtMs: clock.now(),
  mediaPath: mediaPathOf(job),
  mediaSha256: job.memory.intent?.sha256 ?? '',
  // What the legacy API has can be neither renamed nor edited there.
  remoteId: job.isLegacy === true ? null : (remoteId ?? job.memory.intent?.remoteId ?? null),
  rawAnswerId,
  model,
  written,
});

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

const legacyAnswer = <T>(answer: Result<T>): Result<T> => (answer.ok ? answer : err(refusedLegacyKey(answer.error)));

/** One upload to the legacy API, which knows no idempotency keys. */
export async function sendLegacy(
  deps: Pick<QueueDeps, 'client' | 'connection'>,
  job: TranscriptionJob,
  source: UploadSource,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<Result<RemoteTranscription>> {
  if (deps.connection()?.legacyKey === undefined)
    return err(localFailure('not-a-recording', { code: 'legacy_key_missing', outcome: 'not_sent' }));
  return legacyAnswer(
    await deps.client.legacy.transcribeLong({
      source,
      language: job.language,
      tellsSpeakersApart: job.includeSpeakers && !isTooShortForSpeakers(job.durationMs),
      hasOffsets: true,
      title: baseName(job.name),
      onFileBytes: (sentBytes) => onProgress(Math.min(sentBytes, source.sizeBytes), source.sizeBytes),
      ...(job.memory.intent === null ? {} : { sha256: job.memory.intent.sha256 }),
      signal,
    }),
  );
}

/** The signed address of the result is never stored: after a restart a new one is requested, free. */
const isolation: JobKind<'isolate'> = {
  check: (_options, { sizeBytes }) =>
    sizeBytes > isolationLimits.fileBytes
      ? makeFailure('file-too-large', { code: 'file_too_large', outcome: 'not_sent', layer: 'local' })
      : null,
  prepareOptions: ({ part }) => ({
    packedAboveBytes: isolationLimits.fileBytes,
    ...(part === undefined ? {} : { part }),
  }),
  confirmsWithoutVoice: true,
  isRepeatable: () => true,

  async send({ client }, { job, intent, source }, signal, onProgress) {
    // Work whose result this key may not download is not started (key-cannot-collect).
    const reason = await client.missingPermission('isolate', signal);
    if (reason !== null) return err({ ...reason, outcome: 'not_sent' });
    const answer = await client.isolate.submit({
      source,
      sha256: intent.sha256,
      title: baseName(job.name),
      speechRestoration: job.restoresSpeech,
      ...(job.restorationModel === undefined ? {} : { restorationModel: job.restorationModel }),
      idempotencyKey: intent.idempotencyKey,
      onFileBytes: (sentBytes) => onProgress(Math.min(sentBytes, source.sizeBytes), source.sizeBytes),
      signal,
    });
    return answer.ok ? ok(() => ok(isolationFacts(answer.value))) : answer;
  },

  async poll({ client }, _job, remoteId, signal) {
    const answer = await client.isolate.read(remoteId, signal);
    return answer.ok ? ok(() => ok(isolationFacts(answer.value))) : answer;
  },

  async fetchResult(deps, job, remoteId, signal) {
    const audio = await download(deps, job, remoteId, signal);
    return audio.ok ? ok(() => ok({ result: { audioId: audio.value.id }, output: { audio: audio.value } })) : audio;
  },

  async list({ client }, _job, signal) {
    const page = await client.isolate.list({ limit: isolationLimits.listed }, signal);
    if (!page.ok) return page;
    return ok(page.value.items.map(({ id, title, createdAt }) => ({ remoteId: id, title, createdAt, language: null })));
  },

  /** The file is shared, because audio in the library never changes. */
  copy({ store, newId, clock }, job, sha256) {
    const twin = store.findTwin({ sha256, ...optionsOf(job) }, job.id);
    if (!twin.ok) return err(twin.error);
    const state = twin.value?.memory.state;
    if (state?.tag !== 'done' || state.audioId === undefined) return ok(null);
    const known = store.audio(state.audioId);
    if (!known.ok || known.value === null) return known.ok ? ok(null) : err(known.error);
    const audio = { ...known.value, id: newId(), jobId: job.id, createdAtMs: clock.now() };
    return ok({ result: { audioId: audio.id }, output: { audio } });
  },
};

const isolationFacts = (answer: IsolationJob): SavedAnswer => ({
  output: null,
  facts: {
    remoteId: answer.id,
    status: statusOf(answer),
    rawStatus: phaseOf(answer),
    hasRawAnswer: false,
    errorCode: answer.errorCode,
    requestId: answer.requestId,
    result: null,
    isToDownload: answer.progress === 'completed',
  },
});

function statusOf({ progress, status }: IsolationJob): 'queued' | 'processing' | 'completed' | 'failed' {
  if (progress !== 'working') return progress;
  return /^(?:queued|held|pending|waiting|created|accepted)$/iu.test(status ?? '') ? 'queued' : 'processing';
}

/** The model finishes before the MP3 does: from then on the state of the audio is more precise. */
const phaseOf = ({ progress, status, audioStatus }: IsolationJob): string | null =>
  progress === 'working' && /^(?:completed|complete|done|succeeded)$/iu.test(status ?? '')
    ? (audioStatus ?? 'converting')
    : status;

/** Downloads the audio into the library's folder, and verifies it before anything records that it is there. */
async function download(
  deps: QueueDeps,
  job: JobOf<'isolate'>,
  remoteId: string,
  signal: AbortSignal,
): Promise<Result<StoredAudio>> {
  // Each job has its own file name: the leftover of an interrupted run is replaced, and never mistaken for the result.
  const target = await deps.audio.prepare(job.id);
  if (!target.ok) return target;
  let credits: string | null = null;
  const received = await deps.downloader.download({
    target: target.value,
    signal,
    freshUrl: async (fresh) => {
      const found = await deps.client.isolate.read(remoteId, fresh);
      if (!found.ok) return found;
      ({ credits } = found.value);
      return found.value.audio === null ? err(localFailure('result-missing')) : ok(found.value.audio);
    },
  });
  if (!received.ok) return received;
  const verified = await verifyAudio(deps, target.value);
  if (!verified.ok) return verified;
  const { durationMs, sizeBytes, format } = verified.value;
  const hashed = await deps.files.hash(target.value, signal);
  if (!hashed.ok) return hashed;
  const kept = await deps.audio.keep(job.id, format);
  if (!kept.ok) return kept;
  return ok({
    id: deps.newId(),
    jobId: job.id,
    title: baseName(job.name),
    sourceName: job.name,
    createdAtMs: deps.clock.now(),
    fileName: kept.value,
    format,
    sha256: hashed.value.sha256,
    sizeBytes,
    durationMs,
    remoteId,
    credits,
  });
}

/** Every kind of work that the queue does. The compiler requires an entry for each name. */
const kinds: { readonly [K in JobKindName]: JobKind } = {
  transcribe: transcription as JobKind,
  isolate: isolation as JobKind,
};

/** The kind of a row. Answers of one kind always reach the same kind, because the row determines both. */
export const kindOf = ({ kind }: { readonly kind: JobKindName }): JobKind => kinds[kind];
