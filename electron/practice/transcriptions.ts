import {
  newId,
  found,
  inTurn,
  json,
  keyed,
  noContent,
  pageOf,
  problem,
  readIdempotencyKey,
  readJson,
  refuse,
  Refusal,
  validate,
  type Answer,
  type Exchange,
  type Route,
} from './http.ts';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { speechLanguages, type SpeechLanguage } from '../../shared/domain/languages.ts';
import type { ReceivedSegment } from '../../shared/domain/transcript/received.ts';
import type { HeardWord } from '../recogniser/greedy-words.ts';
import { refuseUndecodable } from './analyst.ts';
import { bill, refuseUnaffordable, release, sttUnits } from './credits.ts';
import { titleOf, withForm, type UploadedFile } from './form.ts';
import { transcribe, type Transcribed } from './samples.ts';
import type { Services } from './services.ts';
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
export function readPieces(folders: Folders, id: string): readonly Piece[] {
  const path = piecesFile(folders, id);
  if (!existsSync(path)) return [];
  const bytes = readFileSync(path);
  const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
  if (whole.length < bytes.length) truncateSync(path, whole.length);
  return whole
    .toString('utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Piece);
}

export const addPiece = (folders: Folders, id: string, piece: Piece): void =>
  writeAndFlush(piecesFile(folders, id), `${JSON.stringify(piece)}\n`, 'a');

export const dropPieces = (folders: Folders, id: string): void => rmSync(piecesFile(folders, id), { force: true });

export function complete(record: Transcription, result: Transcribed, services: Services): void {
  writeSegments(services, record.id, result.segments);
  const { language, durationMs } = result;
  Object.assign(record, { status: 'completed', language, durationMs, updatedAtMs: services.now() });
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

const orderFields = z.object({
  language: z.enum(speechLanguages, { error: 'must be uz, en or ru' }),
  include_speakers: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default('false')
    .transform((value) => value === 'true'),
});

function accepted(record: Transcription, status: number, exchange: Exchange, services: Services, headers = {}): Answer {
  const shown: Transcription = status === 202 ? { ...record, status: 'queued', errorCode: null } : record;
  return json(status, writeTranscription(shown, readSegments(services, record.id), exchange.shape), headers);
}

async function admit(
  upload: UploadedFile,
  order: z.output<typeof orderFields>,
  idempotencyKey: string,
  exchange: Exchange,
  services: Services,
): Promise<Answer> {
  const { state, save, now, recogniser, limits } = services;
  const { language, include_speakers: includeSpeakers } = order;
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([upload.sha256, language, includeSpeakers]))
    .digest('hex');
  const used = get(state.used, `stt ${idempotencyKey}`);
  if (used !== null) {
    // A repeated request is never billed and never starts work again.
    const conflict = 'This Idempotency-Key was used for another recording or other fields.';
    if (used.fingerprint !== fingerprint) refuse(409, 'idempotency_conflict', conflict);
    const [subject = '', status] = used.subject.split(' ');
    const deleted = 'The transcription made with this Idempotency-Key was deleted.';
    const record = found(get(state.transcriptions, subject), problem(409, 'transcription_deleted', deleted));
    return accepted(record, Number(status), exchange, services, { 'idempotency-replayed': 'true' });
  }
  if (upload.sizeBytes === 0) refuse(400, 'validation_error', 'The recording is empty.', { audio: 'is empty' });
  if (recogniser !== null && !(await recogniser.hasModel(language)))
    refuse(503, 'model_missing', 'There is no model for this language on this computer.');
  // What is recognised takes its time, however short it is.
  const shortMs = recogniser === null ? limits.shortAudioMs : 0;
  const outcome = await services.admission.analyse(upload.path, shortMs);
  if (outcome.kind === 'undecodable') return refuseUndecodable(outcome);
  const id = newId('tr');
  const done =
    outcome.kind === 'measured'
      ? transcribe(outcome.sound, { language, includeSpeakers, audioSha256: upload.sha256 })
      : null;
  // The length of what is queued is known only after decoding; until then the part heard so far is paid for.
  const durationMs = done?.durationMs ?? shortMs;
  const units = sttUnits(durationMs, includeSpeakers);
  refuseUnaffordable(state, exchange.caller, units);
  // The audio and the words are in place before the record that promises them exists.
  if (done === null) await rename(upload.path, acceptedPath(services, id));
  const atMs = now();
  const record: Transcription = {
    seq: (state.seq += 1),
    id,
    title: titleOf(upload.fileName),
    language,
    includeSpeakers,
    status: 'queued',
    errorCode: null,
    durationMs: null,
    revision: 1,
    createdAtMs: atMs,
    updatedAtMs: atMs,
    audioSha256: upload.sha256,
    model: null,
  };
  if (done !== null) complete(record, done, services);
  const status = done === null ? 202 : 200;
  state.transcriptions[id] = record;
  state.used[`stt ${idempotencyKey}`] = { fingerprint, subject: `${id} ${status}` };
  bill(state, {
    subject: id,
    requestId: exchange.requestId,
    keyId: exchange.caller.id,
    product: 'stt',
    operation: 'transcribe',
    durationMs,
    units,
    state: done === null ? 'held' : 'settled',
    atMs,
    route: 'POST /v1/stt',
    idempotencyKey,
    audioSha256: upload.sha256,
    fields: { language, include_speakers: includeSpeakers },
  });
  save();
  if (done === null) services.queue.add(id);
  return accepted(record, status, exchange, services);
}

async function submitRecording(exchange: Exchange, services: Services): Promise<Answer> {
  const key = readIdempotencyKey(exchange.request, uuid);
  const rules = {
    field: 'audio',
    maxFiles: 1,
    maxBytes: services.limits.maxBodyBytes,
    tooLargeCode: 'audio_too_large',
  };
  return withForm(exchange, services.uploadsDir, rules, ({ files: [upload], fields }) => {
    const order = validate(orderFields, fields);
    return inTurn(`stt ${key}`, () => admit(upload, order, key, exchange, services));
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
  find(exchange, services);
  const { title } = await readJson(exchange.request, titleBody);
  const record = find(exchange, services);
  Object.assign(record, { title, updatedAtMs: services.now() });
  services.save();
  return json(200, written(record, exchange, services));
}

const time = z.int().min(0);
const editorBody = z.object({
  revision: z.int().min(1),
  segments: z
    .array(
      z
        .object({
          start_ms: time,
          end_ms: time,
          text: z.string().max(20_000),
          speaker: z.string().max(80).nullish(),
          words: z.array(z.object({ text: z.string().max(200), start_ms: time, end_ms: time })).default([]),
        })
        .refine((segment) => segment.end_ms >= segment.start_ms, { error: 'ends before it starts' }),
    )
    .max(100_000),
});

const toStored = (segment: z.output<typeof editorBody>['segments'][number]): StoredSegment => ({
  startMs: segment.start_ms,
  endMs: segment.end_ms,
  text: segment.text,
  ...(segment.speaker === null || segment.speaker === undefined ? {} : { speaker: segment.speaker }),
  words: segment.words.map((word) => ({ text: word.text, startMs: word.start_ms, endMs: word.end_ms })),
});

/** Replaces the text, if its revision is still the given one. */
async function editTranscription(exchange: Exchange, services: Services): Promise<Answer> {
  find(exchange, services);
  const body = await readJson(exchange.request, editorBody);
  const record = find(exchange, services);
  if (record.status !== 'completed')
    refuse(409, 'transcription_not_completed', 'Only a completed transcription can be edited.');
  if (record.revision !== body.revision)
    refuse(409, 'transcription_revision_conflict', 'The text was changed after it was read.', {
      revision: `is ${record.revision} now`,
    });
  writeSegments(services, record.id, body.segments.map(toStored));
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
const cueText = (segment: StoredSegment): string =>
  segment.text
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('-->', '→')
    .trim();
const vttText = (segment: StoredSegment): string => {
  const text = cueText(segment).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const speaker = segment.speaker?.replaceAll(/[<>&\n]/g, ' ');
  return speaker === undefined ? text : `<v ${speaker}>${text}`;
};

const pad = (value: number, length: number): string => String(value).padStart(length, '0');

function timecode(ms: number, separator: ',' | '.'): string {
  const seconds = Math.floor(ms / 1000);
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return `${clock.map((part) => pad(part, 2)).join(':')}${separator}${pad(ms % 1000, 3)}`;
}
const cueTimes = ({ startMs, endMs }: StoredSegment, separator: ',' | '.'): string =>
  `${timecode(startMs, separator)} --> ${timecode(endMs, separator)}`;

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

function exportTranscription(exchange: Exchange, services: Services): Answer {
  const record = find(exchange, services);
  const format = z.enum(['txt', 'json', 'srt', 'vtt']).safeParse(exchange.query.get('format')).data;
  const wrong = problem(400, 'validation_error', 'format is txt, json, srt or vtt.', {
    format: 'must be txt, json, srt or vtt',
  });
  if (format === undefined) throw new Refusal(wrong);
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
  keyed('POST', '/v1/stt', 'speech_to_text:write', submitRecording),
  keyed('GET', '/v1/stt/transcriptions', 'speech_to_text:read', listTranscriptions),
  keyed('GET', one, 'speech_to_text:read', readTranscription),
  keyed('PATCH', one, 'speech_to_text:write', renameTranscription),
  keyed('DELETE', one, 'speech_to_text:write', deleteTranscription),
  keyed('PUT', `${one}/editor`, 'speech_to_text:write', editTranscription),
  keyed('GET', `${one}/export`, 'speech_to_text:read', exportTranscription),
];
