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
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import type { UploadSource } from '../service/upload.ts';
import { checkLegacy, isTooShortForSpeakers, legacyNewest, refusedLegacyKey } from '../service/legacy.ts';
import { isolationLimits, type IsolationJob } from '../service/isolate.ts';
import type { UnreadAnswer } from '../service/read-transcription.ts';
import type { RemoteTranscription, RemoteTranscriptionItem } from '../service/stt.ts';
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

/** What becomes durable with the event that an answer of the service leads to; `failure`: it could not be read. */
interface Kept {
  readonly output?: JobOutput;
  readonly failure?: Failure | undefined;
}
type Answered = Kept & { readonly facts: AnswerFacts };
/** `result`: null where there is none. */
type Fetched = Kept & { readonly result: JobResult | null };
type RemoteItem = Pick<RemoteTranscriptionItem, 'remoteId' | 'title' | 'createdAt' | 'language'>;
/** Bytes of an upload, or the share of a video's audio that is extracted, of 1. */
export type OnProgress = (done: number, total: number) => void;

interface JobKind<K extends JobKindName = JobKindName> {
  /** Refuses files that the service would refuse, before anything is sent. */
  check(
    options: Extract<JobOptions, { readonly kind: K }>,
    file: Pick<UploadSource, 'name' | 'sizeBytes'>,
  ): Failure | null;
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
  ): Promise<Result<Answered>>;
  poll(deps: QueueDeps, job: JobOf<K>, remoteId: string, signal: AbortSignal): Promise<Result<Answered>>;
  /** The result by its own route. */
  fetchResult(deps: QueueDeps, job: JobOf<K>, remoteId: string, signal: AbortSignal): Promise<Result<Fetched>>;
  list(deps: QueueDeps, job: JobOf<K>, signal: AbortSignal): Promise<Result<readonly RemoteItem[]>>;
  /** Makes the result of an earlier job with the same work the output of this job. */
  copy(deps: QueueDeps, job: JobOf<K>, sha256: string): Result<Fetched>;
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
    if (job.isLegacy === true) return ok(noResult);
    for (const format of ['json', 'txt'] as const) {
      const file = await deps.api.export(remoteId, format, signal);
      if (!file.ok && format === 'json') continue;
      if (!file.ok) return file;
      const found = await deps.reader.exported(format, file.value, knownOf(job), signal);
      const written = found?.written ?? null;
      if (found !== null && written === null) continue;
      const raw = rawAnswer(deps, job, { raw: file.value, requestId: null }, 'export');
      if (written === null) return ok({ ...noResult, failure: notRead(null), output: { raw } });
      const { result, output } = transcriptResult(newTranscript(deps, job, written, remoteId, null, null));
      return ok({ result, output: { ...output, raw } });
    }
    return ok(noResult);
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
    if (!earlier.ok || earlier.value === null) return earlier.ok ? ok(noResult) : earlier;
    const known = deps.store.transcript(earlier.value);
    if (!known.ok || known.value === null) return known.ok ? ok(noResult) : known;
    const { remoteId, transcript, model } = known.value;
    return ok(transcriptResult(newTranscript(deps, job, writeText(transcript), remoteId, null, model)));
  },
};

const noResult = { result: null } as const;

const transcriptResult = (transcript: NewTranscript) => ({
  result: { transcriptId: transcript.id, speakerCount: transcript.written.speakers.length },
  output: { transcript },
});

export type KnownRecording = Parameters<typeof writeReceived>[1];

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

/** The answer could not be read; the service has done its work, and its answer is kept. */
const notRead = (requestId: string | null): Failure =>
  makeFailure('answer-unreadable', {
    code: 'unreadable_answer',
    outcome: 'accepted',
    ...(requestId === null ? {} : { requestId }),
  });

const rawAnswer = (
  { clock }: QueueDeps,
  job: StoredJob,
  { raw, requestId }: Pick<RemoteTranscription, 'raw' | 'requestId'>,
  source: RawAnswer['source'],
): RawAnswer => ({ jobId: job.id, atMs: clock.now(), source, requestId, body: raw });

/** A long answer is stored first and then parsed in a thread, which takes seconds. */
async function readAnswer(
  deps: QueueDeps,
  job: TranscriptionJob,
  answer: RemoteTranscription,
  source: 'submit' | 'read',
  signal: AbortSignal,
): Promise<Answered> {
  const { unread, transcript } = answer;
  const raw = rawAnswer(deps, job, answer, source);
  // When the disk refuses here, the answer is stored later, together with the event.
  const stored = unread === undefined ? null : deps.store.saveRawAnswer(raw);
  const rawAnswerId = stored?.ok === true ? stored.value : null;
  const read = unread === undefined ? null : await deps.reader.answer(unread, knownOf(job), signal);
  const { remoteId, status, rawStatus, errorCode, requestId, heard, model } = read?.answer ?? answer;
  const written = read?.written ?? (transcript === null ? null : writeReceived(transcript, knownOf(job)));
  const isWorking = remoteId !== null && (status === 'queued' || status === 'processing');
  // Receipts and "still working" contain nothing that could be lost.
  const isKept = rawAnswerId !== null || (raw.body.trim() !== '' && (written !== null || !isWorking));
  const made =
    written === null ? null : transcriptResult(newTranscript(deps, job, written, remoteId, rawAnswerId, model));
  return {
    output: { ...made?.output, ...(isKept && rawAnswerId === null ? { raw } : {}) },
    facts: {
      remoteId,
      status,
      rawStatus,
      hasRawAnswer: isKept,
      errorCode,
      requestId,
      ...(heard === undefined ? {} : { heard }),
      result: made?.result ?? null,
    },
    failure: source === 'read' && unread !== undefined && read === null ? notRead(requestId) : undefined,
  };
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
    return answer.ok ? ok(isolationFacts(answer.value)) : answer;
  },

  async poll({ client }, _job, remoteId, signal) {
    const answer = await client.isolate.read(remoteId, signal);
    return answer.ok ? ok(isolationFacts(answer.value)) : answer;
  },

  async fetchResult(deps, job, remoteId, signal) {
    const audio = await download(deps, job, remoteId, signal);
    return audio.ok ? ok(audioResult(audio.value)) : audio;
  },

  async list({ client }, _job, signal) {
    const page = await client.isolate.list({ limit: isolationLimits.listed }, signal);
    if (!page.ok) return page;
    return ok(page.value.items.map(({ id, title, createdAt }) => ({ remoteId: id, title, createdAt, language: null })));
  },

  /** The file is shared, because audio in the library never changes. */
  copy({ store, newId, clock }, job, sha256) {
    const twin = store.findTwin({ sha256, ...optionsOf(job) }, job.id);
    if (!twin.ok) return twin;
    const state = twin.value?.memory.state;
    if (state?.tag !== 'done' || state.audioId === undefined) return ok(noResult);
    const known = store.audio(state.audioId);
    if (!known.ok || known.value === null) return known.ok ? ok(noResult) : known;
    return ok(audioResult({ ...known.value, id: newId(), jobId: job.id, createdAtMs: clock.now() }));
  },
};

const audioResult = (audio: StoredAudio): Fetched => ({ result: { audioId: audio.id }, output: { audio } });

const isolationFacts = (answer: IsolationJob): Answered => ({
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
