import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { speechLanguages, type SpeechLanguage } from '../../../shared/domain/languages.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { fileKindOf } from '../../audio/decode/file-kind.ts';
import { sttUnits } from '../billing/units.ts';
import { json, type Answer } from '../http/answer.ts';
import { receiveForm, type UploadedFile, titleOf } from '../http/receive-upload.ts';
import type { Exchange } from '../http/route.ts';
import { legacyCaller } from '../legacy/key.ts';
import { readLegacyPage } from '../legacy/form.ts';
import type { LegacyTranscriptionRecord } from '../legacy/records.ts';
import { legacyProblem, type LegacyError } from '../legacy/words.ts';
import { transcribe } from '../queue/transcribe.ts';
import { acceptedPath } from '../queue/work-queue.ts';
import type { Services } from '../services.ts';

const longFileBytes = 500_000_000;
const shortestDiarizedMs = 15_000;
const kinds = new Set(['mp3', 'wav', 'ogg', 'mp4']);

interface Order {
  readonly language: SpeechLanguage;
  readonly title: string;
  readonly hasDiarization: boolean;
  readonly hasOffset: boolean;
  readonly isSummary: boolean;
  readonly isMeeting: boolean;
}

type Refusal = { readonly status: number; readonly error: LegacyError };
const refuse = (status: number, error: LegacyError): Result<never, Refusal> => err({ status, error });

function readOrder(fields: ReadonlyMap<string, string>, fileName: string, isLong: boolean): Result<Order, Refusal> {
  const language = speechLanguages.find((known) => known === (fields.get('language') ?? 'uz'));
  if (language === undefined) return refuse(400, 'invalid_language');
  const flags = ['has_diarization', 'has_offset', 'is_summary', ...(isLong ? ['is_meeting'] : [])];
  if (flags.some((name) => !['true', 'false'].includes(fields.get(name) ?? 'false')))
    return refuse(400, 'invalid_form');
  const isSet = (name: string): boolean => flags.includes(name) && fields.get(name) === 'true';
  return ok({
    language,
    title: (fields.get('title') ?? '').slice(0, 200) || titleOf(fileName),
    hasDiarization: isSet('has_diarization'),
    hasOffset: isSet('has_offset'),
    isSummary: isSet('is_summary'),
    isMeeting: isSet('is_meeting'),
  });
}

/** Recognised by its first bytes, because the contract names file types and no codecs. */
async function isKnownKind(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const head = Buffer.alloc(16 * 1024);
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    const kind = fileKindOf(head.subarray(0, bytesRead));
    return kind !== null && kinds.has(kind);
  } finally {
    await file.close();
  }
}

async function receive(
  { request, body }: Exchange,
  services: Services,
  isLong: boolean,
  answer: (upload: UploadedFile, order: Order) => Promise<Answer>,
): Promise<Answer | null> {
  const { limits, uploadsDir } = services;
  const received = await receiveForm(request, body, uploadsDir, {
    field: 'audio',
    maxFiles: 1,
    maxBytes: isLong ? longFileBytes : limits.maxBodyBytes,
    tooLargeCode: 'audio_too_large',
  });
  if (!received.ok) {
    if (received.error === null) return null;
    const status = received.error.kind === 'json' ? received.error.status : 400;
    if (status === 413) return legacyProblem(request, 400, 'audio_too_large');
    return legacyProblem(request, 400, status === 415 ? 'invalid_form' : 'missing_audio');
  }
  const [upload] = received.value.files;
  try {
    const order = readOrder(received.value.fields, upload.fileName, isLong);
    if (!order.ok) return legacyProblem(request, order.error.status, order.error.error);
    if (upload.sizeBytes === 0) return legacyProblem(request, 400, 'missing_audio');
    if (!(await isKnownKind(upload.path))) return legacyProblem(request, 400, 'invalid_format');
    return await answer(upload, order.value);
  } finally {
    await rm(upload.path, { force: true });
  }
}

function charge(taskId: string, durationMs: number, order: Order, exchange: Exchange, services: Services) {
  return {
    subject: taskId,
    requestId: exchange.requestId,
    keyId: legacyCaller.id,
    product: 'stt' as const,
    operation: 'older',
    durationMs,
    units: sttUnits(durationMs, order.hasDiarization),
    atMs: services.now(),
  };
}

function accept(upload: UploadedFile, order: Order, taskId: string, isLong: boolean, services: Services): number {
  const atMs = services.now();
  services.ledger.add({
    atMs,
    route: isLong ? 'POST /api/v2/stt/post/' : 'POST /api/v1/stt/post/',
    idempotencyKey: taskId,
    contentSha256: upload.sha256,
    fields: { language: order.language, has_diarization: order.hasDiarization },
    subject: taskId,
  });
  return services.legacyRecords.addTranscription({ ...order, taskId, isLong, createdAtMs: atMs });
}

/** POST /api/v1/stt/post/: short audio, answered at once */
export function transcribeLegacy(exchange: Exchange, services: Services): Promise<Answer | null> {
  const { request } = exchange;
  return receive(exchange, services, false, async (upload, order) => {
    const { admission, limits, credits, transaction, legacyRecords } = services;
    const outcome = await admission.analyse(upload.path, limits.shortAudioMs);
    if (outcome.kind === 'undecodable') return legacyProblem(request, 400, 'invalid_format');
    if (outcome.kind === 'longer') return legacyProblem(request, 403, 'duration_limit');
    const { durationMs } = outcome.sound;
    if (order.hasDiarization && durationMs < shortestDiarizedMs)
      return legacyProblem(request, 400, 'diarization_too_short');
    const done = transcribe(outcome.sound, {
      language: order.language,
      includeSpeakers: order.hasDiarization,
      audioSha256: upload.sha256,
    });
    const taskId = randomUUID();
    const paid = charge(taskId, durationMs, order, exchange, services);
    const id = transaction(() => {
      if (credits.refusal(legacyCaller, paid.units) !== null) return null;
      credits.spend(paid);
      const added = accept(upload, order, taskId, false, services);
      legacyRecords.completeTranscription(added, done);
      return added;
    });
    const record = id === null ? null : legacyRecords.transcription(id);
    if (record === null) return legacyProblem(request, 402, 'insufficient_balance');
    const { id: number, gender, title, created_at: createdAt, duration, transcript } = asDetail(record);
    return json(200, { id: number, gender, title, created_at: createdAt, duration, transcript });
  });
}

/** POST /api/v2/stt/post/: long audio, as a task */
export function transcribeLegacyLong(exchange: Exchange, services: Services): Promise<Answer | null> {
  const { request } = exchange;
  return receive(exchange, services, true, async (upload, order) => {
    const { credits, transaction, legacyWork, uploadsDir, limits } = services;
    const taskId = randomUUID();
    // Its length is known only after decoding; until then the credits for a short recording are held.
    const held = charge(taskId, limits.shortAudioMs, order, exchange, services);
    const path = acceptedPath(uploadsDir, taskId);
    await rename(upload.path, path);
    const id = transaction(() => {
      if (credits.refusal(legacyCaller, held.units) !== null) return null;
      credits.hold(held);
      return accept(upload, order, taskId, true, services);
    });
    if (id === null) {
      await rm(path, { force: true });
      return legacyProblem(request, 402, 'insufficient_balance');
    }
    notify('queued', { id: String(id), status: 'queued', duration_ms: null }, services);
    void legacyWork.run(() => work(id, taskId, path, upload.sha256, order, services));
    return json(200, {
      id,
      task_id: taskId,
      status: 'PENDING',
      title: order.title,
      audio_url: null,
      has_diarization: order.hasDiarization,
      is_meeting: order.isMeeting,
    });
  });
}

/** Only this pipeline has transcription events (contract 6.1). */
function notify(
  what: 'queued' | 'completed' | 'failed',
  data: Readonly<Record<string, unknown>>,
  { deliverer }: Services,
): void {
  deliverer.emit(`stt.transcription.${what}`, { object: 'transcription', ...data });
}

async function work(
  id: number,
  taskId: string,
  path: string,
  audioSha256: string,
  order: Order,
  services: Services,
): Promise<void> {
  const { measuring, legacyRecords, credits } = services;
  const outcome = await measuring.analyse(path);
  await rm(path, { force: true });
  const isDone =
    outcome.kind === 'measured' && (!order.hasDiarization || outcome.sound.durationMs >= shortestDiarizedMs);
  if (!isDone) {
    legacyRecords.failTranscription(id);
    credits.release(taskId);
    const code = outcome.kind === 'undecodable' ? outcome.code : 'diarization_too_short';
    notify('failed', { id: String(id), status: 'failed', error_code: code }, services);
    return;
  }
  const { language, hasDiarization: includeSpeakers } = order;
  const done = transcribe(outcome.sound, { language, includeSpeakers, audioSha256 });
  legacyRecords.completeTranscription(id, done);
  const { durationMs } = done;
  credits.settle(taskId, { units: sttUnits(durationMs, includeSpeakers), durationMs });
  notify(
    'completed',
    { id: String(id), status: 'completed', language: done.language, duration_ms: durationMs },
    services,
  );
}

/** The field names of the contract (contract 2.11); practice mode can't know a speaker's gender. */
function asDetail(record: LegacyTranscriptionRecord) {
  const text = record.segments.map((segment) => segment.text).join('\n');
  const isDone = record.status === 'SUCCESS';
  const speakers = new Set(record.segments.flatMap(({ speaker }) => speaker ?? []));
  return {
    id: record.id,
    task_id: record.taskId,
    title: record.title,
    status: record.status,
    language: record.language,
    created_at: new Date(record.createdAtMs).toISOString(),
    duration: record.durationMs === null ? null : record.durationMs / 1000,
    transcript: isDone ? text : null,
    summary: isDone && record.isSummary ? (record.segments[0]?.text ?? null) : null,
    diarization:
      isDone && (record.hasDiarization || record.hasOffset)
        ? record.segments.map(({ startMs, endMs, text: words, speaker }) => ({
            start: startMs / 1000,
            end: endMs / 1000,
            text: words,
            ...(speaker === undefined ? {} : { speaker }),
          }))
        : null,
    speakers: record.hasDiarization ? speakers.size : null,
    gender: null,
    audio_url: null,
    has_diarization: record.hasDiarization,
    is_meeting: record.isMeeting,
  };
}

const listOf =
  (isLong: boolean) =>
  ({ query }: Exchange, { legacyRecords }: Services): Answer => {
    const { page, limit } = readLegacyPage(query);
    const { items, count } = legacyRecords.transcriptions(isLong, page, limit);
    return json(200, { count, page, limit, results: items.map(asDetail) });
  };

/** GET /api/v1/stt/get/ and /api/v1/stt/audios/, newest first */
export const listLegacyTranscriptions = listOf(false);
/** GET /api/v2/stt/get/, newest first */
export const listLegacyLongTranscriptions = listOf(true);

/** GET /api/v2/stt/get/{id}/ */
export function readLegacyTranscription({ request, params }: Exchange, { legacyRecords }: Services): Answer {
  const id = /^\d{1,15}$/.test(params['id'] ?? '') ? Number(params['id']) : 0;
  const record = legacyRecords.transcription(id);
  return record === null || !record.isLong ? legacyProblem(request, 404, 'not_found') : json(200, asDetail(record));
}
