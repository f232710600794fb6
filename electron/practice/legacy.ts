import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { z } from 'zod';
import { speechLanguages, type SpeechLanguage } from '../../shared/domain/languages.ts';
import { fileKindOf } from '../audio/decode/file-kind.ts';
import { bill, charactersOf, release, settle, speechUnits, sttUnits, unaffordable, type Charge } from './credits.ts';
import { flag, readFields, titleOf, withForm, type UploadedFile } from './form.ts';
import { inTurn, json, route, type Answer, type Exchange, type Route } from './http.ts';
import { legacyCaller } from './keys.ts';
import { moods, sayLegacy, spokenText, type LegacyOrder } from './legacy-live.ts';
import { isLegacyError, refuseLegacy } from './legacy-words.ts';
import { transcribe } from './samples.ts';
import type { Services } from './services.ts';
import { findSpokenVoice, type SpokenVoice } from './speech.ts';
import { wire } from './state.ts';
import { writeObject } from './storage.ts';
import { acceptedPath, type StoredSegment } from './transcriptions.ts';
import { isCallback } from './webhooks.ts';

type Status = 'PENDING' | 'SUCCESS' | 'FAILED';

/** Numbered in order, from 1 on. */
export interface LegacySpeech {
  readonly id: number;
  readonly taskId: string;
  status: Status;
  readonly transcript: string;
  readonly model: string;
  readonly mood: string;
  readonly characters: number;
  readonly createdAtMs: number;
}

interface TranscriptionOrder {
  readonly title: string;
  readonly hasDiarization: boolean;
  readonly hasOffset: boolean;
  readonly isSummary: boolean;
  readonly isMeeting: boolean;
}

export interface LegacyTranscription extends TranscriptionOrder {
  readonly id: number;
  readonly taskId: string;
  status: Status;
  language: SpeechLanguage;
  durationMs: number | null;
  segments: readonly StoredSegment[];
  readonly isLong: boolean;
  readonly createdAtMs: number;
}

/** One task after another. */
const inLegacyTurn = <T>(work: () => Promise<T>): Promise<T> => inTurn('legacy', work);

/** Resolves when all tasks are done. */
export const finishLegacy = (): Promise<void> => inLegacyTurn(() => Promise.resolve());

/** Work that an earlier process left is not resumed. */
export function failUnfinishedLegacy({ state }: Services): void {
  for (const task of [...state.legacySpeeches, ...state.legacyTranscriptions]) {
    if (task.status !== 'PENDING') continue;
    task.status = 'FAILED';
    release(state, task.taskId);
  }
}

const pageQuery = z.object({
  page: z.coerce.number().int().min(1).catch(1),
  limit: z.coerce.number().int().min(1).max(100).catch(10),
});

/** The page that a list asks for, newest first; an invalid number counts as the default. */
function pageOf<T>(records: readonly T[], { query }: Exchange, write: (record: T) => object): Answer {
  const { page, limit } = pageQuery.parse(Object.fromEntries(query));
  const results = records.toReversed().slice((page - 1) * limit, page * limit);
  return json(200, { count: records.length, page, limit, results: results.map(write) });
}

/** A voice of the account by its number (`older_id` in the catalogue). */
function ownVoice(number: string, language: SpeechLanguage, services: Services): SpokenVoice | null {
  const voice = Object.values(services.state.voices).find((one) => String(one.number) === number);
  return voice?.language === language ? findSpokenVoice(voice.id, services) : null;
}

const builtInModel = 'practice-uz';

/** The fields of a form; a message of the schema is the key of the refusal. */
function readForm<T>(schema: z.ZodType<T>, fields: unknown, { request }: Exchange): T {
  const parsed = schema.safeParse(fields);
  if (parsed.success) return parsed.data;
  const message = parsed.error.issues[0]?.message ?? '';
  return refuseLegacy(request, 400, isLegacyError(message) ? message : 'invalid_form');
}

const language = z.enum(speechLanguages, { error: 'invalid_language' }).default('uz');

/** Contract 4.14; model, mood and speed are for Uzbek only, and a mood is for the built-in voice. */
const speechFields = z
  .object({
    transcript: spokenText('invalid_transcript'),
    language,
    model: z.literal(builtInModel, { error: 'invalid_model' }).optional(),
    mood: z
      .string()
      .toLowerCase()
      .pipe(z.enum(moods, { error: 'invalid_model' }))
      .optional(),
    speed: z.coerce
      .number({ error: 'invalid_speed' })
      .refine((speed) => speed === 0 || (speed >= 0.5 && speed <= 2), { error: 'invalid_speed' })
      .optional(),
    voice_id: z.string().optional(),
    webhook_notification_url: z.string().refine(isCallback, { error: 'invalid_notification_url' }).optional(),
  })
  .refine((sent) => sent.language === 'uz' || (sent.model === undefined && sent.mood === undefined), {
    error: 'invalid_model',
  })
  .refine((sent) => sent.language === 'uz' || sent.speed === undefined, { error: 'invalid_speed' })
  .refine((sent) => sent.voice_id === undefined || sent.mood === undefined, { error: 'invalid_model' });

async function readSpeechOrder(exchange: Exchange, services: Services): Promise<LegacyOrder & { isTask: boolean }> {
  const fields = (await readFields(exchange)) ?? refuseLegacy(exchange.request, 400, 'invalid_form');
  const {
    transcript: text,
    mood = 'neutral',
    speed,
    voice_id: voice,
    ...sent
  } = readForm(speechFields, fields, exchange);
  const own = voice === undefined ? undefined : ownVoice(voice, sent.language, services);
  if (own === null) return refuseLegacy(exchange.request, 403, 'voice_not_found');
  const isTask = sent.webhook_notification_url !== undefined;
  // Zero and nothing are the usual speed.
  return { text, language: sent.language, mood, speed: speed || 1, isTask, ...(own === undefined ? {} : { own }) };
}

const audioOf = ({ id }: LegacySpeech): string => `older_${id}`;

/** Signed, and without the host: the client joins it to the address of the service. */
const pathOf = (speech: LegacySpeech, { links }: Services): string => {
  const { pathname, search } = new URL(links.linkTo(audioOf(speech), 'wav'));
  return `${pathname}${search}`;
};

async function speak(speech: LegacySpeech, order: LegacyOrder, services: Services): Promise<void> {
  const { state, save } = services;
  const audio = await sayLegacy(order, services);
  if (audio === null) release(state, speech.taskId);
  else {
    await writeObject(services, audioOf(speech), 'wav', audio.wav);
    settle(state, speech.taskId, undefined, audio.durationMs);
  }
  speech.status = audio === null ? 'FAILED' : 'SUCCESS';
  save();
}

/** The audio at once, or a task when there is a callback address. No callback leaves this computer. */
async function postSpeech(exchange: Exchange, services: Services): Promise<Answer> {
  const { request } = exchange;
  const { state, save, speaker, now } = services;
  const order = await readSpeechOrder(exchange, services);
  if (!speaker.isAvailable) refuseLegacy(request, 503, 'unavailable');
  const { text, language: spoken, mood, speed, isTask } = order;
  const units = speechUnits(text);
  if (unaffordable(state, legacyCaller, units) !== null) refuseLegacy(request, 402, 'insufficient_balance');
  const taskId = randomUUID();
  const characters = charactersOf(text);
  const speech: LegacySpeech = {
    id: state.legacySpeeches.length + 1,
    taskId,
    status: 'PENDING',
    transcript: text,
    model: builtInModel,
    mood,
    characters,
    createdAtMs: now(),
  };
  state.legacySpeeches.push(speech);
  bill(services, exchange, {
    subject: taskId,
    product: 'tts',
    operation: 'older',
    characters,
    units,
    state: 'held',
    route: 'POST /api/v1/tts/post/',
    idempotencyKey: taskId,
    audioSha256: taskId,
    fields: { language: spoken, mood, speed },
  });
  save();
  const done = inLegacyTurn(() => speak(speech, order, services));
  if (isTask) return json(202, { id: speech.id, task_id: taskId, status: 'PENDING' });
  await done;
  if (speech.status === 'FAILED') refuseLegacy(request, 503, 'unavailable');
  return json(201, { audio_path: pathOf(speech, services) });
}

function readSpeech({ request, id }: Exchange, services: Services): Answer {
  const speech = services.state.legacySpeeches.find((one) => String(one.id) === id);
  if (speech === undefined) return refuseLegacy(request, 404, 'not_found');
  const { status, taskId, characters } = speech;
  const path = status === 'SUCCESS' ? pathOf(speech, services) : null;
  return json(200, { id: speech.id, status, task_id: taskId, audio_path: path, characters });
}

const listSpeeches = (exchange: Exchange, { state, links }: Services): Answer =>
  pageOf(state.legacySpeeches, exchange, (speech) => {
    const { taskId: _task, characters: _count, status, ...shown } = speech;
    return { ...wire(shown), audio_url: status === 'SUCCESS' ? links.linkTo(audioOf(speech), 'wav') : null };
  });

const longFileBytes = 500_000_000;
const shortestDiarizedMs = 15_000;
const kinds = new Set(['mp3', 'wav', 'ogg', 'mp4']);

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

const recordingFields = z.object({
  language,
  title: z.string().default(''),
  has_diarization: flag.default(false),
  has_offset: flag.default(false),
  is_summary: flag.default(false),
  is_meeting: flag.default(false),
});
type Order = TranscriptionOrder & { readonly language: SpeechLanguage };

/** Receives a recording and its fields, which differ a little for long ones. */
function withRecording(
  exchange: Exchange,
  { limits, uploadsDir: folder }: Services,
  isLong: boolean,
  work: (upload: UploadedFile, order: Order) => Promise<Answer>,
): Promise<Answer> {
  const { request } = exchange;
  const refusal = ({ status }: Answer): never =>
    refuseLegacy(request, 400, status === 413 ? 'audio_too_large' : status === 415 ? 'invalid_form' : 'missing_audio');
  const maxBytes = isLong ? longFileBytes : limits.maxBodyBytes;
  const rules = { folder, field: 'audio', maxFiles: 1, maxBytes, tooLargeCode: 'audio_too_large', refusal };
  return withForm(exchange, rules, async ({ files: [upload], fields }) => {
    const sent = readForm(recordingFields, fields, exchange);
    if (upload.sizeBytes === 0) refuseLegacy(request, 400, 'missing_audio');
    if (!(await isKnownKind(upload.path))) refuseLegacy(request, 400, 'invalid_format');
    return work(upload, {
      language: sent.language,
      title: sent.title.slice(0, 200) || titleOf(upload.fileName),
      hasDiarization: sent.has_diarization,
      hasOffset: sent.has_offset,
      isSummary: sent.is_summary,
      isMeeting: isLong && sent.is_meeting,
    });
  });
}

function accept(
  { sha256 }: UploadedFile,
  order: Order,
  isLong: boolean,
  charge: Required<Pick<Charge, 'state' | 'durationMs'>>,
  exchange: Exchange,
  services: Services,
): LegacyTranscription {
  const { state, now } = services;
  const { language: spoken, hasDiarization } = order;
  const units = sttUnits(charge.durationMs, hasDiarization);
  if (unaffordable(state, legacyCaller, units) !== null) refuseLegacy(exchange.request, 402, 'insufficient_balance');
  const taskId = randomUUID();
  const transcription: LegacyTranscription = {
    ...order,
    id: state.legacyTranscriptions.length + 1,
    taskId,
    status: 'PENDING',
    durationMs: null,
    segments: [],
    isLong,
    createdAtMs: now(),
  };
  state.legacyTranscriptions.push(transcription);
  bill(services, exchange, {
    ...charge,
    subject: taskId,
    product: 'stt',
    operation: 'older',
    units,
    route: isLong ? 'POST /api/v2/stt/post/' : 'POST /api/v1/stt/post/',
    idempotencyKey: taskId,
    audioSha256: sha256,
    fields: { language: spoken, has_diarization: hasDiarization },
  });
  return transcription;
}

/** Short audio, answered at once. */
const postTranscription = (exchange: Exchange, services: Services): Promise<Answer> =>
  withRecording(exchange, services, false, async (upload, order) => {
    const { request } = exchange;
    const { shortAudioMs: stopAfterMs } = services.limits;
    const outcome = await services.admission.run({ kind: 'measure', path: upload.path, stopAfterMs });
    if (outcome.kind === 'longer') return refuseLegacy(request, 403, 'duration_limit');
    if (outcome.kind !== 'measured') return refuseLegacy(request, 400, 'invalid_format');
    const { durationMs } = outcome.sound;
    const { language: spoken, hasDiarization: includeSpeakers } = order;
    if (includeSpeakers && durationMs < shortestDiarizedMs) refuseLegacy(request, 400, 'diarization_too_short');
    const done = transcribe(outcome.sound, { language: spoken, includeSpeakers, audioSha256: upload.sha256 });
    const transcription = accept(upload, order, false, { state: 'settled', durationMs }, exchange, services);
    Object.assign(transcription, { status: 'SUCCESS', ...done });
    services.save();
    const { gender, duration, transcript } = written(transcription);
    const { id, title, createdAtMs } = transcription;
    return json(200, { ...wire({ id, title, createdAtMs }), gender, duration, transcript });
  });

/** Only this pipeline has transcription events (contract 6.1). */
const notify = (what: 'queued' | 'completed' | 'failed', id: number, more: object, { deliverer }: Services): void =>
  deliverer.emit(`stt.transcription.${what}`, { object: 'transcription', id: String(id), status: what, ...more });

/** Long audio, as a task. */
const postLongTranscription = (exchange: Exchange, services: Services): Promise<Answer> =>
  withRecording(exchange, services, true, async (upload, order) => {
    // Its length is known only after decoding; until then the credits for a short recording are held.
    const held = { state: 'held', durationMs: services.limits.shortAudioMs } as const;
    const transcription = accept(upload, order, true, held, exchange, services);
    const { id, taskId } = transcription;
    const path = acceptedPath(services, taskId);
    await rename(upload.path, path);
    services.save();
    notify('queued', id, { duration_ms: null }, services);
    void inLegacyTurn(() => transcribeLater(transcription, path, upload.sha256, services));
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

async function transcribeLater(
  transcription: LegacyTranscription,
  path: string,
  audioSha256: string,
  services: Services,
): Promise<void> {
  const { state, save, measuring } = services;
  const { id, taskId, hasDiarization: includeSpeakers, language: spoken } = transcription;
  const outcome = await measuring.run({ kind: 'measure', path });
  await rm(path, { force: true });
  if (outcome.kind !== 'measured' || (includeSpeakers && outcome.sound.durationMs < shortestDiarizedMs)) {
    transcription.status = 'FAILED';
    release(state, taskId);
    save();
    const code = outcome.kind === 'undecodable' ? outcome.code : 'diarization_too_short';
    notify('failed', id, { error_code: code }, services);
    return;
  }
  const done = transcribe(outcome.sound, { language: spoken, includeSpeakers, audioSha256 });
  Object.assign(transcription, { status: 'SUCCESS', ...done });
  settle(state, taskId, sttUnits(done.durationMs, includeSpeakers), done.durationMs);
  save();
  notify('completed', id, { language: done.language, duration_ms: done.durationMs }, services);
}

/** The field names of contract 2.11; practice mode can't know a speaker's gender. */
function written({ segments, durationMs, isLong: _isLong, hasOffset, isSummary, ...record }: LegacyTranscription) {
  const isDone = record.status === 'SUCCESS';
  const parts = segments.map(({ startMs, endMs, text, speaker }) => ({
    start: startMs / 1000,
    end: endMs / 1000,
    text,
    ...(speaker === undefined ? {} : { speaker }),
  }));
  return {
    ...wire(record),
    duration: durationMs === null ? null : durationMs / 1000,
    transcript: isDone ? segments.map(({ text }) => text).join('\n') : null,
    summary: isDone && isSummary ? (segments[0]?.text ?? null) : null,
    diarization: isDone && (record.hasDiarization || hasOffset) ? parts : null,
    speakers: record.hasDiarization ? new Set(segments.flatMap(({ speaker }) => speaker ?? [])).size : null,
    gender: null,
    audio_url: null,
  };
}

const listTranscriptions =
  (isLong: boolean) =>
  (exchange: Exchange, { state }: Services): Answer =>
    pageOf(
      state.legacyTranscriptions.filter((one) => one.isLong === isLong),
      exchange,
      written,
    );

function readTranscription({ request, id }: Exchange, { state }: Services): Answer {
  const record = state.legacyTranscriptions.find((one) => String(one.id) === id && one.isLong);
  return record === undefined ? refuseLegacy(request, 404, 'not_found') : json(200, written(record));
}

export const legacyRoutes: readonly Route[] = [
  route('POST', '/api/v1/tts/post/', postSpeech),
  route('GET', '/api/v1/tts/status/:id/', readSpeech),
  route('GET', '/api/v1/tts/get/', listSpeeches),
  route('POST', '/api/v1/stt/post/', postTranscription),
  route('GET', '/api/v1/stt/get/', listTranscriptions(false)),
  route('GET', '/api/v1/stt/audios/', listTranscriptions(false)),
  route('POST', '/api/v2/stt/post/', postLongTranscription),
  route('GET', '/api/v2/stt/get/', listTranscriptions(true)),
  route('GET', '/api/v2/stt/get/:id/', readTranscription),
];
