import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { speechLanguages, type SpeechLanguage } from '../../shared/domain/languages.ts';
import { fileKindOf } from '../audio/decode/file-kind.ts';
import { bill, charactersOf, release, settle, speechUnits, sttUnits, unaffordable, type Charge } from './credits.ts';
import { readFields, titleOf, withForm, type UploadedFile } from './form.ts';
import { json, Refusal, unkeyed, type Answer, type Exchange, type Route } from './http.ts';
import { legacyCaller } from './keys.ts';
import { moods, mostLegacyCharacters, sayLegacy, type LegacyOrder } from './legacy-live.ts';
import { refuseLegacy } from './legacy-words.ts';
import { transcribe } from './samples.ts';
import type { Services } from './services.ts';
import { findSpokenVoice, type SpokenVoice } from './speech.ts';
import { writeObject } from './storage.ts';
import { acceptedPath, type StoredSegment } from './transcriptions.ts';
import { callbackTrouble } from './webhooks.ts';

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

/** Runs legacy work one task after another. */
export class LegacyWork {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async stop(): Promise<void> {
    await this.#last;
  }
}

/** Work that an earlier process left is not resumed. */
export function failUnfinishedLegacy({ state }: Services): void {
  for (const task of [...state.legacySpeeches, ...state.legacyTranscriptions]) {
    if (task.status !== 'PENDING') continue;
    task.status = 'FAILED';
    release(state, task.taskId);
  }
}

/** The page that a list asks for, newest first; an invalid number counts as the default. */
function pageOf<T>(records: readonly T[], { query }: Exchange, write: (record: T) => object): Answer {
  const whole = (name: string, usual: number, most: number): number => {
    const text = query.get(name) ?? '';
    return /^\d{1,9}$/.test(text) && Number(text) >= 1 ? Math.min(most, Number(text)) : usual;
  };
  const [page, limit] = [whole('page', 1, 1_000_000), whole('limit', 10, 100)];
  const results = records.toReversed().slice((page - 1) * limit, page * limit);
  return json(200, { count: records.length, page, limit, results: results.map(write) });
}

/** A voice of the account by its number (`older_id` in the catalogue). */
function ownVoice(number: string, language: SpeechLanguage, services: Services): SpokenVoice | null {
  const voice = Object.values(services.state.voices).find((one) => String(one.number) === number);
  return voice?.language === language ? findSpokenVoice(voice.id, services) : null;
}

const builtInModel = 'practice-uz';

/** Validates the fields by contract 4.14; those for Uzbek are refused for other languages. */
async function readSpeechOrder({ request }: Exchange, services: Services): Promise<LegacyOrder & { isTask: boolean }> {
  const fields = (await readFields(request)) ?? refuseLegacy(request, 400, 'invalid_form');
  const text = fields['transcript'] ?? '';
  if (text.trim() === '' || charactersOf(text) > mostLegacyCharacters) refuseLegacy(request, 400, 'invalid_transcript');
  const language = speechLanguages.find((known) => known === (fields['language'] ?? 'uz'));
  if (language === undefined) return refuseLegacy(request, 400, 'invalid_language');
  const isUzbek = language === 'uz';
  const { model, mood, speed, voice_id: voice, webhook_notification_url: notice } = fields;
  if (model !== undefined && (!isUzbek || model !== builtInModel)) refuseLegacy(request, 400, 'invalid_model');
  const known = moods.find((one) => one === (mood ?? 'neutral').toLowerCase());
  if (known === undefined || (mood !== undefined && (!isUzbek || voice !== undefined)))
    return refuseLegacy(request, 400, 'invalid_model');
  const pace = speed === undefined || speed === '0' ? 1 : Number(speed);
  if ((speed !== undefined && !isUzbek) || !(pace >= 0.5 && pace <= 2)) refuseLegacy(request, 400, 'invalid_speed');
  const own = voice === undefined ? undefined : ownVoice(voice, language, services);
  if (own === null) return refuseLegacy(request, 403, 'voice_not_found');
  if (notice !== undefined && callbackTrouble(notice) !== null) refuseLegacy(request, 400, 'invalid_notification_url');
  const isTask = notice !== undefined;
  return { text, language, mood: known, speed: pace, isTask, ...(own === undefined ? {} : { own }) };
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
  if (audio.ok) {
    await writeObject(services, audioOf(speech), 'wav', audio.value.wav);
    settle(state, speech.taskId, undefined, audio.value.durationMs);
  } else release(state, speech.taskId);
  speech.status = audio.ok ? 'SUCCESS' : 'FAILED';
  save();
}

/** The audio at once, or a task when there is a callback address. No callback leaves this computer. */
async function postSpeech(exchange: Exchange, services: Services): Promise<Answer> {
  const { request, requestId } = exchange;
  const { state, save, legacyWork, speaker, now } = services;
  const order = await readSpeechOrder(exchange, services);
  if (!speaker.isAvailable) refuseLegacy(request, 503, 'unavailable');
  const { text, language, mood, speed, isTask } = order;
  const units = speechUnits(text);
  if (unaffordable(state, legacyCaller, units) !== null) refuseLegacy(request, 402, 'insufficient_balance');
  const taskId = randomUUID();
  const characters = charactersOf(text);
  const atMs = now();
  const speech: LegacySpeech = {
    id: state.legacySpeeches.length + 1,
    taskId,
    status: 'PENDING',
    transcript: text,
    model: builtInModel,
    mood,
    characters,
    createdAtMs: atMs,
  };
  state.legacySpeeches.push(speech);
  bill(state, {
    subject: taskId,
    requestId,
    keyId: legacyCaller.id,
    product: 'tts',
    operation: 'older',
    characters,
    units,
    state: 'held',
    atMs,
    route: 'POST /api/v1/tts/post/',
    idempotencyKey: taskId,
    audioSha256: taskId,
    fields: { language, mood, speed },
  });
  save();
  const done = legacyWork.run(() => speak(speech, order, services));
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
  pageOf(state.legacySpeeches, exchange, (speech) => ({
    id: speech.id,
    transcript: speech.transcript,
    audio_url: speech.status === 'SUCCESS' ? links.linkTo(audioOf(speech), 'wav') : null,
    model: speech.model,
    mood: speech.mood,
    created_at: new Date(speech.createdAtMs).toISOString(),
  }));

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

type Order = TranscriptionOrder & { readonly language: SpeechLanguage };

/** Receives a recording and its fields, which differ a little for long ones. */
async function withRecording(
  exchange: Exchange,
  { limits, uploadsDir }: Services,
  isLong: boolean,
  work: (upload: UploadedFile, order: Order) => Promise<Answer>,
): Promise<Answer> {
  const { request } = exchange;
  const maxBytes = isLong ? longFileBytes : limits.maxBodyBytes;
  const rules = { field: 'audio', maxFiles: 1, maxBytes, tooLargeCode: 'audio_too_large' };
  let isReceived = false;
  try {
    return await withForm(exchange, uploadsDir, rules, async ({ files: [upload], fields }) => {
      isReceived = true;
      const language = speechLanguages.find((known) => known === (fields['language'] ?? 'uz'));
      if (language === undefined) return refuseLegacy(request, 400, 'invalid_language');
      const flags = ['has_diarization', 'has_offset', 'is_summary', ...(isLong ? ['is_meeting'] : [])];
      if (flags.some((name) => !['true', 'false'].includes(fields[name] ?? 'false')))
        refuseLegacy(request, 400, 'invalid_form');
      if (upload.sizeBytes === 0) refuseLegacy(request, 400, 'missing_audio');
      if (!(await isKnownKind(upload.path))) refuseLegacy(request, 400, 'invalid_format');
      return work(upload, {
        language,
        title: (fields['title'] ?? '').slice(0, 200) || titleOf(upload.fileName),
        hasDiarization: fields['has_diarization'] === 'true',
        hasOffset: fields['has_offset'] === 'true',
        isSummary: fields['is_summary'] === 'true',
        isMeeting: isLong && fields['is_meeting'] === 'true',
      });
    });
  } catch (error) {
    if (isReceived || !(error instanceof Refusal) || error.answer === null) throw error;
    if (error.answer.status === 413) return refuseLegacy(request, 400, 'audio_too_large');
    return refuseLegacy(request, 400, error.answer.status === 415 ? 'invalid_form' : 'missing_audio');
  }
}

function accept(
  { sha256 }: UploadedFile,
  order: Order,
  isLong: boolean,
  { state: chargeState, durationMs }: Required<Pick<Charge, 'state' | 'durationMs'>>,
  { request, requestId }: Exchange,
  { state, now }: Services,
): LegacyTranscription {
  const { language, hasDiarization } = order;
  const units = sttUnits(durationMs, hasDiarization);
  if (unaffordable(state, legacyCaller, units) !== null) refuseLegacy(request, 402, 'insufficient_balance');
  const taskId = randomUUID();
  const atMs = now();
  const transcription: LegacyTranscription = {
    ...order,
    id: state.legacyTranscriptions.length + 1,
    taskId,
    status: 'PENDING',
    durationMs: null,
    segments: [],
    isLong,
    createdAtMs: atMs,
  };
  state.legacyTranscriptions.push(transcription);
  bill(state, {
    subject: taskId,
    requestId,
    keyId: legacyCaller.id,
    product: 'stt',
    operation: 'older',
    durationMs,
    units,
    state: chargeState,
    atMs,
    route: isLong ? 'POST /api/v2/stt/post/' : 'POST /api/v1/stt/post/',
    idempotencyKey: taskId,
    audioSha256: sha256,
    fields: { language, has_diarization: hasDiarization },
  });
  return transcription;
}

/** Short audio, answered at once. */
const postTranscription = (exchange: Exchange, services: Services): Promise<Answer> =>
  withRecording(exchange, services, false, async (upload, order) => {
    const { request } = exchange;
    const outcome = await services.admission.analyse(upload.path, services.limits.shortAudioMs);
    if (outcome.kind === 'undecodable') return refuseLegacy(request, 400, 'invalid_format');
    if (outcome.kind === 'longer') return refuseLegacy(request, 403, 'duration_limit');
    const { durationMs } = outcome.sound;
    const { language, hasDiarization: includeSpeakers } = order;
    if (includeSpeakers && durationMs < shortestDiarizedMs) refuseLegacy(request, 400, 'diarization_too_short');
    const done = transcribe(outcome.sound, { language, includeSpeakers, audioSha256: upload.sha256 });
    const transcription = accept(upload, order, false, { state: 'settled', durationMs }, exchange, services);
    Object.assign(transcription, { status: 'SUCCESS', ...done });
    services.save();
    const { id, gender, title, created_at: createdAt, duration, transcript } = written(transcription);
    return json(200, { id, gender, title, created_at: createdAt, duration, transcript });
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
    void services.legacyWork.run(() => transcribeLater(transcription, path, upload.sha256, services));
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
  const { id, taskId, hasDiarization: includeSpeakers, language } = transcription;
  const outcome = await measuring.analyse(path);
  await rm(path, { force: true });
  if (outcome.kind !== 'measured' || (includeSpeakers && outcome.sound.durationMs < shortestDiarizedMs)) {
    transcription.status = 'FAILED';
    release(state, taskId);
    save();
    const code = outcome.kind === 'undecodable' ? outcome.code : 'diarization_too_short';
    notify('failed', id, { error_code: code }, services);
    return;
  }
  const done = transcribe(outcome.sound, { language, includeSpeakers, audioSha256 });
  Object.assign(transcription, { status: 'SUCCESS', ...done });
  settle(state, taskId, sttUnits(done.durationMs, includeSpeakers), done.durationMs);
  save();
  notify('completed', id, { language: done.language, duration_ms: done.durationMs }, services);
}

/** The field names of contract 2.11; practice mode can't know a speaker's gender. */
function written(record: LegacyTranscription) {
  const { segments, durationMs } = record;
  const isDone = record.status === 'SUCCESS';
  const parts = segments.map(({ startMs, endMs, text, speaker }) => ({
    start: startMs / 1000,
    end: endMs / 1000,
    text,
    ...(speaker === undefined ? {} : { speaker }),
  }));
  return {
    id: record.id,
    task_id: record.taskId,
    title: record.title,
    status: record.status,
    language: record.language,
    created_at: new Date(record.createdAtMs).toISOString(),
    duration: durationMs === null ? null : durationMs / 1000,
    transcript: isDone ? segments.map(({ text }) => text).join('\n') : null,
    summary: isDone && record.isSummary ? (segments[0]?.text ?? null) : null,
    diarization: isDone && (record.hasDiarization || record.hasOffset) ? parts : null,
    speakers: record.hasDiarization ? new Set(segments.flatMap(({ speaker }) => speaker ?? [])).size : null,
    gender: null,
    audio_url: null,
    has_diarization: record.hasDiarization,
    is_meeting: record.isMeeting,
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
  unkeyed('legacy-key', 'POST', '/api/v1/tts/post/', postSpeech),
  unkeyed('legacy-key', 'GET', '/api/v1/tts/status/:id/', readSpeech),
  unkeyed('legacy-key', 'GET', '/api/v1/tts/get/', listSpeeches),
  unkeyed('legacy-key', 'POST', '/api/v1/stt/post/', postTranscription),
  unkeyed('legacy-key', 'GET', '/api/v1/stt/get/', listTranscriptions(false)),
  unkeyed('legacy-key', 'GET', '/api/v1/stt/audios/', listTranscriptions(false)),
  unkeyed('legacy-key', 'POST', '/api/v2/stt/post/', postLongTranscription),
  unkeyed('legacy-key', 'GET', '/api/v2/stt/get/', listTranscriptions(true)),
  unkeyed('legacy-key', 'GET', '/api/v2/stt/get/:id/', readTranscription),
];
