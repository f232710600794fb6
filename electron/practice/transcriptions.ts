import { existsSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { speechLanguages, type SpeechLanguage } from '../../shared/domain/languages.ts';
import type { ReceivedSegment } from '../../shared/domain/transcript/received.ts';
import type { HeardWord } from '../recogniser/greedy-words.ts';
import type { Recogniser } from '../recogniser/recogniser.ts';
import { bill, refuseUnaffordable, release, settle, sttUnits } from './credits.ts';
import { flag, refuseSound, titleOf, withForm, type UploadedFile } from './form.ts';
import {
  createOnce,
  found,
  json,
  newId,
  noContent,
  pageOf,
  problem,
  readIdempotencyKey,
  readJson,
  refuse,
  route,
  validate,
  type Answer,
  type Exchange,
  type Once,
  type Route,
} from './http.ts';
import { transcribe, type Transcribed } from './samples.ts';
import type { Services } from './services.ts';
import type { SoundThread } from './sound-worker.ts';
import { get, writeAndFlush, writeDurably } from './state.ts';
import { shapeVariants, writePage, writeTranscription } from './transcription-shapes.ts';

/** Segments as stored and served; a stored segment always has its times. */
export interface StoredSegment extends ReceivedSegment {
  readonly startMs: number;
  readonly endMs: number;
}

/** What is known of a transcription; its segments are in a file of their own. */
export interface Transcription {
  readonly seq: number;
  readonly id: string;
  title: string;
  language: SpeechLanguage;
  readonly includeSpeakers: boolean;
  status: 'queued' | 'processing' | 'completed' | 'failed';
  errorCode: string | null;
  durationMs: number | null;
  revision: number;
  readonly createdAtMs: number;
  updatedAtMs: number;
  readonly audioSha256: string;
  /** The model that recognised it; null for words that were looked up. */
  model: string | null;
}

type Folders = Pick<Services, 'folder'>;

/** Where the audio of an accepted transcription waits for its turn. */
export const acceptedPath = ({ folder }: Folders, id: string): string => join(folder, 'uploads', `${id}.audio`);

const segmentsFile = ({ folder }: Folders, id: string): string => join(folder, 'transcripts', `${id}.json`);
const piecesFile = ({ folder }: Folders, id: string): string => join(folder, 'transcripts', `${id}.pieces`);

const readSegments = (folders: Folders, id: string): readonly StoredSegment[] =>
  existsSync(segmentsFile(folders, id))
    ? (JSON.parse(readFileSync(segmentsFile(folders, id), 'utf8')) as readonly StoredSegment[])
    : [];

const writeSegments = (folders: Folders, id: string, segments: readonly StoredSegment[]): void =>
  writeDurably(segmentsFile(folders, id), JSON.stringify(segments));

/** The words of a stretch of a recording, and where it ends. */
interface Piece {
  readonly heardMs: number;
  readonly words: readonly HeardWord[];
}

/** What was recognised so far, a line each; a line that was cut off by the end of the process is removed. */
function readPieces(folders: Folders, id: string): readonly Piece[] {
  const path = piecesFile(folders, id);
  if (!existsSync(path)) return [];
  const bytes = readFileSync(path);
  const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
  if (whole.length < bytes.length) truncateSync(path, whole.length);
  const lines = whole.toString('utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Piece);
}

const addPiece = (folders: Folders, id: string, piece: Piece): void =>
  writeAndFlush(piecesFile(folders, id), `${JSON.stringify(piece)}\n`, 'a');

const dropPieces = (folders: Folders, id: string): void => rmSync(piecesFile(folders, id), { force: true });

function keepResult(record: Transcription, result: Transcribed, services: Services): void {
  writeSegments(services, record.id, result.segments);
  const { language, durationMs } = result;
  Object.assign(record, { status: 'completed', language, durationMs, updatedAtMs: services.now() });
}

/** A silence this long ends a segment; a shorter one does when the segment is long already. */
const pauseMs = 700;
const breathMs = 250;
const longMs = 10_000;
const longestMs = 20_000;

/** Works on one long recording after another. All that matters is on disk, so a restart resumes it. */
export class TranscriptionQueue {
  readonly #thread: SoundThread;
  readonly #services: Services;
  readonly #stop = new AbortController();
  #current: { readonly id: string; readonly controller: AbortController } | null = null;
  #running: Promise<void> = Promise.resolve();

  constructor(thread: SoundThread, services: Services) {
    this.#thread = thread;
    this.#services = services;
  }

  resume(): void {
    for (const { id, status } of Object.values(this.#services.state.transcriptions))
      if (status === 'queued' || status === 'processing') this.add(id);
  }

  add(id: string): void {
    this.#running = this.#running.then(() => this.#work(id));
  }

  /** Ends the work on one that was deleted. */
  cancel(id: string): void {
    if (this.#current?.id === id) this.#current.controller.abort();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#current?.controller.abort();
    await this.#running;
  }

  async #pause(ms: number): Promise<void> {
    await wait(ms, undefined, { signal: this.#stop.signal }).catch(() => undefined);
  }

  async #work(id: string): Promise<void> {
    const services = this.#services;
    const { state, pace, recogniser, now } = services;
    const record = get(state.transcriptions, id);
    if (record === null) return;
    await this.#pause(Math.max(0, record.createdAtMs + pace.queuedMs - now()));
    // It may have been deleted while it waited.
    if (get(state.transcriptions, id) === null || this.#stop.signal.aborted) return;
    Object.assign(record, { status: 'processing', updatedAtMs: now() });
    const path = acceptedPath(services, id);
    if (recogniser !== null) return this.#recognise(recogniser, record, path);
    const [outcome] = await Promise.all([this.#thread.run({ kind: 'measure', path }), this.#pause(pace.processingMs)]);
    // A shutdown ends the decoder's thread, which looks like a bad file: the next start repeats this work.
    if (this.#stop.signal.aborted) return;
    const planned = services.faultPlan.failureOf('queue');
    if (planned !== null) this.#fail(record, planned);
    else if (outcome.kind === 'measured') this.#complete(record, transcribe(outcome.sound, record));
    else this.#fail(record, outcome.kind === 'undecodable' ? outcome.code : 'invalid_audio');
    await rm(path, { force: true });
  }

  /** Each piece is on disk before the next begins, so a restart repeats at most one. */
  async #recognise(recogniser: Recogniser, record: Transcription, path: string): Promise<void> {
    const { id, language } = record;
    const services = this.#services;
    const controller = new AbortController();
    this.#current = { id, controller };
    record.model = (await recogniser.modelLabel(language)) ?? record.model;
    let durationMs = 0;
    let ends: readonly number[] = [];
    let done = readPieces(services, id).length;
    const outcome = await recogniser.hearFile(
      { path, language, done },
      {
        onPlan: (plan) => {
          durationMs = plan.durationMs;
          ends = plan.pieces.map(({ endMs }) => endMs);
          record.durationMs = durationMs;
        },
        onPiece: (words) => {
          if (controller.signal.aborted) return;
          addPiece(services, id, { words, heardMs: ends[done] ?? durationMs });
          done += 1;
        },
      },
      controller.signal,
    );
    this.#current = null;
    if (outcome.kind === 'canceled' || this.#stop.signal.aborted) return;
    if (outcome.kind === 'failed') this.#fail(record, outcome.code);
    else {
      const words = readPieces(services, id).flatMap((piece) => piece.words);
      this.#complete(record, { language, durationMs, segments: segmentsOf(words) });
    }
    dropPieces(services, id);
    await rm(path, { force: true });
  }

  #complete(record: Transcription, result: Transcribed): void {
    const services = this.#services;
    // It may have been deleted at the last moment.
    if (get(services.state.transcriptions, record.id) === null) return;
    keepResult(record, result, services);
    settle(services.state, record.id, sttUnits(result.durationMs, record.includeSpeakers), result.durationMs);
    services.save();
  }

  #fail(record: Transcription, errorCode: string): void {
    const { state, save, now } = this.#services;
    Object.assign(record, { status: 'failed', errorCode, updatedAtMs: now() });
    release(state, record.id);
    save();
  }
}

/** The segments of a text without full stops: they end where the speaker pauses. */
function segmentsOf(words: readonly HeardWord[]): readonly StoredSegment[] {
  const segments: { startMs: number; endMs: number; words: HeardWord[] }[] = [];
  for (const word of words) {
    const open = segments.at(-1);
    const gapMs = open === undefined ? Infinity : word.startMs - open.endMs;
    const lengthMs = open === undefined ? 0 : word.endMs - open.startMs;
    if (open === undefined || gapMs >= pauseMs || (gapMs >= breathMs && lengthMs > longMs) || lengthMs > longestMs)
      segments.push({ startMs: word.startMs, endMs: word.endMs, words: [word] });
    else {
      open.endMs = word.endMs;
      open.words.push(word);
    }
  }
  return segments.map((segment) => ({ ...segment, text: segment.words.map(({ text }) => text).join(' ') }));
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

const orderFields = z.object({
  language: z.enum(speechLanguages, { error: 'must be uz, en or ru' }),
  include_speakers: flag.default(false),
});

function accepted(record: Transcription, status: number, exchange: Exchange, services: Services, headers = {}): Answer {
  const shown: Transcription = status === 202 ? { ...record, status: 'queued', errorCode: null } : record;
  return json(status, writeTranscription(shown, readSegments(services, record.id), exchange.shape), headers);
}

async function admit(
  upload: UploadedFile,
  { language, include_speakers: includeSpeakers }: z.output<typeof orderFields>,
  once: Once,
  exchange: Exchange,
  services: Services,
): Promise<Answer> {
  const { state, save, now, recogniser, limits } = services;
  if (upload.sizeBytes === 0) refuse(400, 'validation_error', 'The recording is empty.', { audio: 'is empty' });
  if (recogniser !== null && !(await recogniser.hasModel(language)))
    refuse(503, 'model_missing', 'There is no model for this language on this computer.');
  // What is recognised takes its time, however short it is.
  const shortMs = recogniser === null ? limits.shortAudioMs : 0;
  const outcome = await services.admission.run({ kind: 'measure', path: upload.path, stopAfterMs: shortMs });
  if (outcome.kind !== 'measured' && outcome.kind !== 'longer') return refuseSound(outcome);
  const id = newId('tr');
  const order = { language, includeSpeakers, audioSha256: upload.sha256 };
  const done = outcome.kind === 'measured' ? transcribe(outcome.sound, order) : null;
  // The length of what is queued is known only after decoding; until then the part heard so far is paid for.
  const durationMs = done?.durationMs ?? shortMs;
  const units = sttUnits(durationMs, includeSpeakers);
  refuseUnaffordable(state, exchange.caller, units);
  // The audio and the words are in place before the record that promises them exists.
  if (done === null) await rename(upload.path, acceptedPath(services, id));
  const atMs = now();
  const record: Transcription = {
    ...order,
    seq: (state.seq += 1),
    id,
    title: titleOf(upload.fileName),
    status: 'queued',
    errorCode: null,
    durationMs: null,
    revision: 1,
    createdAtMs: atMs,
    updatedAtMs: atMs,
    model: null,
  };
  if (done !== null) keepResult(record, done, services);
  const status = done === null ? 202 : 200;
  state.transcriptions[id] = record;
  once.use(`${id} ${status}`);
  bill(services, exchange, {
    subject: id,
    product: 'stt',
    operation: 'transcribe',
    durationMs,
    units,
    state: done === null ? 'held' : 'settled',
    route: 'POST /v1/stt',
    idempotencyKey: once.key,
    audioSha256: upload.sha256,
    fields: { language, include_speakers: includeSpeakers },
  });
  save();
  if (done === null) services.queue.add(id);
  return accepted(record, status, exchange, services);
}

function submitRecording(exchange: Exchange, services: Services): Promise<Answer> {
  const { limits, uploadsDir: folder, state } = services;
  const key = readIdempotencyKey(exchange.request, uuid);
  const rules = { folder, field: 'audio', maxFiles: 1, maxBytes: limits.maxBodyBytes, tooLargeCode: 'audio_too_large' };
  return withForm(exchange, rules, ({ files: [upload], fields }) => {
    const order = validate(orderFields, fields);
    const replay = (subject: string): Answer => {
      const [id = '', status] = subject.split(' ');
      const deleted = 'The transcription made with this Idempotency-Key was deleted.';
      const record = found(get(state.transcriptions, id), problem(409, 'transcription_deleted', deleted));
      return accepted(record, Number(status), exchange, services, { 'idempotency-replayed': 'true' });
    };
    const content = [upload.sha256, order.language, order.include_speakers];
    const create = (once: Once): Promise<Answer> => admit(upload, order, once, exchange, services);
    return createOnce(services, 'stt', key, content, create, replay);
  });
}

const notFound = problem(404, 'not_found', 'There is no transcription with this identifier.');

const find = ({ id }: Exchange, { state }: Services): Transcription => found(get(state.transcriptions, id), notFound);

const written = (record: Transcription, { shape }: Exchange, services: Services) =>
  writeTranscription(record, readSegments(services, record.id), shape);

function listTranscriptions({ query, shape }: Exchange, { state }: Services): Answer {
  const { items, nextCursor } = pageOf(Object.values(state.transcriptions), query, { usual: 10, most: 100 });
  return json(200, writePage(items, nextCursor, shape));
}

function readTranscription(exchange: Exchange, services: Services): Answer {
  const record = find(exchange, services);
  // The length is known before the first piece is heard, and only where words are recognised.
  const { durationMs, status, model } = record;
  const isHearing = status === 'processing' && durationMs !== null;
  const last = isHearing ? readPieces(services, record.id).at(-1) : undefined;
  const progress = isHearing
    ? {
        progress: Math.min(1, (last?.heardMs ?? 0) / durationMs),
        latest_text: (last?.words ?? []).map(({ text }) => text).join(' '),
      }
    : {};
  return json(200, { ...written(record, exchange, services), ...progress, ...(model === null ? {} : { model }) });
}

const titleBody = z.strictObject({
  title: z.string().trim().min(1, 'must not be empty').max(200, 'at most 200 characters'),
});

async function renameTranscription(exchange: Exchange, services: Services): Promise<Answer> {
  const { title } = await readJson(exchange.request, titleBody);
  const record = find(exchange, services);
  Object.assign(record, { title, updatedAtMs: services.now() });
  services.save();
  return json(200, written(record, exchange, services));
}

const timeMs = z.int().min(0);
const editedSegment = z
  .object({
    start_ms: timeMs,
    end_ms: timeMs,
    text: z.string().max(20_000),
    speaker: z.string().max(80).nullish(),
    words: z.array(z.object({ text: z.string().max(200), start_ms: timeMs, end_ms: timeMs })).default([]),
  })
  .refine((segment) => segment.end_ms >= segment.start_ms, { error: 'ends before it starts' })
  .transform(({ start_ms: startMs, end_ms: endMs, text, speaker, words }): StoredSegment => ({
    startMs,
    endMs,
    text,
    ...(speaker === null || speaker === undefined ? {} : { speaker }),
    words: words.map((word) => ({ text: word.text, startMs: word.start_ms, endMs: word.end_ms })),
  }));
const editorBody = z.object({ revision: z.int().min(1), segments: z.array(editedSegment).max(100_000) });

/** Replaces the text, if its revision is still the given one. */
async function editTranscription(exchange: Exchange, services: Services): Promise<Answer> {
  const body = await readJson(exchange.request, editorBody);
  const record = find(exchange, services);
  if (record.status !== 'completed')
    refuse(409, 'transcription_not_completed', 'Only a completed transcription can be edited.');
  if (record.revision !== body.revision)
    refuse(409, 'transcription_revision_conflict', 'The text was changed after it was read.', {
      revision: `is ${record.revision} now`,
    });
  writeSegments(services, record.id, body.segments);
  Object.assign(record, { revision: record.revision + 1, updatedAtMs: services.now() });
  services.save();
  return json(200, written(record, exchange, services));
}

/** The text and the audio are deleted; the key stays used, so that a late repeat can't be billed again. */
async function deleteTranscription(exchange: Exchange, services: Services): Promise<Answer> {
  const { id } = find(exchange, services);
  const { state, save, queue } = services;
  delete state.transcriptions[id];
  release(state, id);
  save();
  queue.cancel(id);
  dropPieces(services, id);
  await rm(segmentsFile(services, id), { force: true });
  await rm(acceptedPath(services, id), { force: true });
  return noContent;
}

const contentTypes = {
  txt: 'text/plain; charset=utf-8',
  json: 'application/json; charset=utf-8',
  srt: 'application/x-subrip; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
} as const;
type ExportFormat = keyof typeof contentTypes;

/** An empty line ends a cue and an arrow starts one, so the text must contain neither. */
const cueText = ({ text }: StoredSegment): string =>
  text
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('-->', '→')
    .trim();

function vttText(segment: StoredSegment): string {
  const text = cueText(segment).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const speaker = segment.speaker?.replaceAll(/[<>&\n]/g, ' ');
  return speaker === undefined ? text : `<v ${speaker}>${text}`;
}

const cueTimes = ({ startMs, endMs }: StoredSegment, separator: ',' | '.'): string =>
  [startMs, endMs]
    .map((ms) => {
      const hours = String(Math.floor(ms / 3_600_000)).padStart(2, '0');
      return `${hours}${new Date(ms).toISOString().slice(13, 23).replace('.', separator)}`;
    })
    .join(' --> ');

function render(record: Transcription, segments: readonly StoredSegment[], format: ExportFormat): string {
  switch (format) {
    case 'txt':
      return segments.map(({ speaker, text }) => `${speaker === undefined ? '' : `${speaker}: `}${text}\n`).join('');
    case 'json':
      return `${JSON.stringify(writeTranscription(record, segments, shapeVariants.plain), null, 2)}\n`;
    case 'srt':
      return segments.map((one, at) => `${at + 1}\n${cueTimes(one, ',')}\n${cueText(one)}\n`).join('\n');
    case 'vtt':
      return ['WEBVTT\n', ...segments.map((one) => `${cueTimes(one, '.')}\n${vttText(one)}\n`)].join('\n');
  }
}

const exportQuery = z.object({
  format: z.enum(['txt', 'json', 'srt', 'vtt'], { error: 'must be txt, json, srt or vtt' }),
});

function exportTranscription(exchange: Exchange, services: Services): Answer {
  const record = find(exchange, services);
  const { format } = validate(exportQuery, Object.fromEntries(exchange.query));
  if (record.status !== 'completed')
    refuse(409, 'transcription_not_completed', 'Only a completed transcription can be exported.');
  const name = `${record.title.replaceAll(/[\\/:*?"<>|]/g, '_')}.${format}`;
  return {
    status: 200,
    headers: {
      'content-type': contentTypes[format],
      // RFC 6266 with an ASCII fallback: names may contain Uzbek or Russian letters.
      'content-disposition': `attachment; filename="${name.replaceAll(/[^\w. -]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name)}`,
    },
    body: Buffer.from(render(record, readSegments(services, record.id), format)),
  };
}

const one = '/v1/stt/transcriptions/:transcriptionId';

export const transcriptionRoutes: readonly Route[] = [
  route('POST', '/v1/stt', submitRecording, 'speech_to_text:write'),
  route('GET', '/v1/stt/transcriptions', listTranscriptions, 'speech_to_text:read'),
  route('GET', one, readTranscription, 'speech_to_text:read'),
  route('PATCH', one, renameTranscription, 'speech_to_text:write'),
  route('DELETE', one, deleteTranscription, 'speech_to_text:write'),
  route('PUT', `${one}/editor`, editTranscription, 'speech_to_text:write'),
  route('GET', `${one}/export`, exportTranscription, 'speech_to_text:read'),
];
