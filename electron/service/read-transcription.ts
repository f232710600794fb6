import type { Heard } from '../../shared/domain/jobs/time-left.ts';
import type { ReceivedTranscript } from '../../shared/domain/transcript/received.ts';
import {
  asArray,
  asFilledText,
  asId,
  asJsonObject,
  asText,
  isJsonObject,
  pick,
  pickFrom,
  unwrap,
  asMoment,
  readPage,
  type Page,
  type JsonObject,
} from './values.ts';
import { readDuration, decideUnits, toMs, readTranscript } from './read-transcript.ts';
import type { Transcript } from '../../shared/domain/transcript/transcript.ts';
import { cleanCode, cleanId } from '../../shared/domain/failures/clean-text.ts';
import { parseGuardedJson } from '../../shared/domain/failures/guarded-json.ts';

export type TranscriptionStatus = 'queued' | 'processing' | 'completed' | 'failed' | 'unknown';

/** One transcription as far as a body contains it; missing fields are null. */
export interface ReadTranscription {
  readonly remoteId: string | null;
  readonly status: TranscriptionStatus;
  readonly rawStatus: string | null;
  readonly transcript: ReceivedTranscript | null;
  readonly errorCode: string | null;
  readonly requestId: string | null;
  readonly model: string | null;
  readonly heard?: Heard;
}

export interface ReadTranscriptionItem {
  readonly remoteId: string;
  readonly title: string | null;
  readonly status: TranscriptionStatus;
  readonly createdAt: string | null;
  readonly durationMs: number | null;
  readonly language: string | null;
}

/** Some lines, in characters: the whole text comes at the end. */
const longestLatestText = 400;

const ownIdNames = ['transcription_id', 'transcriptionId'];
const idNames = ['id', 'uuid'];
const otherIdNames = ['job_id', 'task_id'];
const statusNames = ['status', 'state', 'transcription_status'];

const statusWords: ReadonlyMap<string, TranscriptionStatus> = new Map<string, TranscriptionStatus>([
  ...(['queued', 'pending', 'accepted', 'created', 'waiting', 'submitted', 'scheduled', 'new'] as const).map(
    (word) => [word, 'queued'] as const,
  ),
  ...(['processing', 'running', 'in_progress', 'started', 'transcribing', 'working', 'active'] as const).map(
    (word) => [word, 'processing'] as const,
  ),
  ...(['completed', 'complete', 'done', 'success', 'succeeded', 'finished', 'ready', 'ok'] as const).map(
    (word) => [word, 'completed'] as const,
  ),
  ...(['failed', 'failure', 'error', 'errored', 'cancelled', 'canceled', 'rejected'] as const).map(
    (word) => [word, 'failed'] as const,
  ),
]);

/** Parses the answer to an upload or a detail (assumptions: transcription-body). Never throws. */
export function readTranscription(body: unknown): ReadTranscription {
  const sources = unwrap(body);
  const holder = holderOfId(sources);
  const word = statusWord(holder === null ? sources : [holder, ...sources]);
  const known = word === undefined ? undefined : statusWords.get(word.toLowerCase().replaceAll(/[\s-]+/gu, '_'));
  const transcript = readTranscript(sources, word === undefined || known === 'completed');
  const heard = known === 'processing' ? readHeard(sources) : null;
  const hasWords = transcript !== null && (transcript.text !== '' || transcript.segments.length > 0);
  return {
    remoteId: holder === null ? null : (idIn(holder) ?? null),
    status: known ?? (word === undefined && transcript !== null ? 'completed' : 'unknown'),
    rawStatus: word !== undefined && known === undefined ? word.slice(0, 64) : null,
    transcript: hasWords || known === 'completed' || word === undefined ? transcript : null,
    errorCode:
      pickFrom(
        holder === null ? sources : [holder, ...sources],
        ['error_code', 'failure_code', 'error'],
        asErrorCode,
      ) ?? null,
    requestId: cleanId(isJsonObject(body) ? pick(body, ['request_id', 'requestId'], asText) : null) ?? null,
    model: pickFrom(sources, ['model'], asFilledText)?.slice(0, 80) ?? null,
    ...(heard === null ? {} : { heard }),
  };
}

function readHeard(sources: readonly JsonObject[]): Heard | null {
  const share = pickFrom(sources, ['progress'], asShare);
  if (share === undefined) return null;
  return { share, latestText: (pickFrom(sources, ['latest_text'], asText) ?? '').slice(-longestLatestText) };
}

const asShare = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 && value <= 1 ? value : undefined;

/** The object of the transcription: the one with its own id name, called `transcription`, or the first with an id. */
function holderOfId(sources: readonly JsonObject[]): JsonObject | null {
  const named = sources
    .map((source) => pick(source, ['transcription'], asJsonObject))
    .find((inner) => inner && idIn(inner));
  return (
    sources.find((source) => pick(source, ownIdNames, asId) !== undefined) ??
    named ??
    sources.find((source) => pick(source, idNames, asId) !== undefined) ??
    sources.find((source) => pick(source, otherIdNames, asId) !== undefined) ??
    null
  );
}

const idIn = (source: JsonObject): string | undefined =>
  pick(source, [...ownIdNames, ...idNames, ...otherIdNames], asId);

const statusWord = (sources: readonly JsonObject[]): string | undefined =>
  pickFrom(sources, statusNames, (value) =>
    isJsonObject(value) ? pick(value, ['name', 'state', 'value', 'code'], asFilledText) : asFilledText(value),
  );

function asErrorCode(value: unknown): string | undefined {
  const text = isJsonObject(value) ? pick(value, ['code', 'type'], asText) : asText(value);
  return cleanCode(text);
}

/** A page of the history (assumptions: history-body); null when the body contains no list. */
export const readTranscriptionPage = (body: unknown): Page<ReadTranscriptionItem> | null =>
  readPage(body, ['transcriptions', 'records', 'list'], readItem);

function readItem(value: unknown): ReadTranscriptionItem | null {
  const { remoteId, status } = readTranscription(value);
  if (remoteId === null) return null;
  const sources = unwrap(value);
  const duration = readDuration(sources);
  const units = decideUnits({ spans: [], duration });
  return {
    remoteId,
    title: pickFrom(sources, ['title', 'name', 'file_name'], asFilledText) ?? null,
    status,
    createdAt: pickFrom(sources, ['created_at', 'createdAt', 'created'], asMoment) ?? null,
    durationMs: duration === undefined ? null : toMs(duration, units.duration),
    language: pickFrom(sources, ['language', 'language_code', 'lang'], asFilledText) ?? null,
  };
}

const revisionNames = ['revision', 'version', 'editor_revision', 'editorRevision'];

const asRevision = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

/** The revision in a detail or in the answer to an edit; null without one (assumptions: editor-body). */
export const readRevision = (body: unknown): number | null => pickFrom(unwrap(body), revisionNames, asRevision) ?? null;

export const hasSegments = (body: unknown): boolean =>
  unwrap(body).some((source) => (asArray(source['segments'])?.length ?? 0) > 0);

/**
 * A whole text as an edit of the one with this revision (assumptions: editor-body). Segments and words have the shape
 * that the contract shows for the results of live transcription (2.10).
 */
export const writeEditorBody = (revision: number, { segments, speakers }: Transcript): object => ({
  revision,
  segments: segments.map(({ speakerId, startMs, endMs, text, words }, ordinal) => {
    const at = speakers.findIndex(({ id }) => id === speakerId);
    return {
      ordinal,
      start_ms: startMs,
      end_ms: endMs,
      text,
      ...(at < 0 ? {} : { speaker: speakers[at]?.name ?? `SPEAKER_${String(at).padStart(2, '0')}` }),
      words: words.map((word, place) => ({
        ordinal: place,
        start_ms: word.startMs,
        end_ms: word.endMs,
        text: word.text,
      })),
    };
  }),
});

export interface UnreadAnswer {
  readonly status: number;
  readonly text: string;
  readonly location: string | null;
  readonly requestId: string | null;
}

/** Reads a 2xx as far as possible. Plain data in and out, because long answers are read in a thread. */
export function readSttAnswer(answer: UnreadAnswer): ReadTranscription {
  const json = parseGuardedJson(answer.text);
  const body = readTranscription(json.isJson ? json.value : null);
  const read = { ...body, remoteId: body.remoteId ?? idInLocation(answer) };
  const isOnlyTaken = answer.status === 202 && read.transcript === null;
  return {
    ...read,
    // 202 means that the work is waiting, whatever status the envelope around it contains.
    status: isOnlyTaken && (read.status === 'completed' || isSilentOn(read)) ? 'queued' : read.status,
    requestId: read.requestId ?? answer.requestId,
  };
}

/** The transcript in a JSON export of the service, in any usual shape; null when there is none. */
export function readExportedTranscript(body: string): ReceivedTranscript | null {
  const json = parseGuardedJson(body);
  if (!json.isJson) return null;
  const { value } = json;
  return readTranscription(Array.isArray(value) ? { segments: value } : value).transcript;
}

/** The text of a plain export, except an envelope or an HTML page, which would otherwise be shown as speech. */
export function readPlainExport(body: string): ReceivedTranscript | null {
  const isText = body.trim() !== '' && !parseGuardedJson(body).isJson && !/^\s*<(?:!doctype|html|\?xml)/iu.test(body);
  return isText ? { text: body.trim(), segments: [] } : null;
}

/** A job may be identified only by its Location (RFC 9110, 10.2.2). Only the id is used, never the address. */
export function idInLocation({ status, location }: Pick<UnreadAnswer, 'status' | 'location'>): string | null {
  const part = /\/stt\/transcriptions\/([^/?#]+)\/?(?:[?#].*)?$/u.exec(location ?? '')?.[1];
  if (part === undefined || (status !== 201 && status !== 202)) return null;
  try {
    return asId(decodeURIComponent(part)) ?? null;
  } catch {
    return null;
  }
}

const isSilentOn = ({ status, rawStatus, remoteId }: ReadTranscription): boolean =>
  status === 'unknown' && rawStatus === null && remoteId !== null;
