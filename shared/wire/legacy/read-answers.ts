import {
  asArray,
  asText,
  isJsonObject,
  pick,
  pickFrom,
  unwrap,
  asCount,
  fieldsOf,
  readNamed,
  asFilledText,
  type JsonObject,
  readState,
} from '../values.ts';
import { readSegments } from '../read-segments.ts';
import { readStreamError, readStreamMessage } from '../read-dictation.ts';

export interface LegacyPage<T> {
  readonly items: readonly T[];
  readonly total: number | null;
}

/** A speech; null when it has neither an identifier nor a path. */
export function readLegacySpeech(body: unknown) {
  const source = readNamed(body, [], ['audio_path', 'audio_url', 'task_id', 'id']);
  if (source === null) return null;
  const { id, text, count, moment } = fieldsOf(source);
  /** The path is joined to the service's own address before use; it is never an address by itself. */
  const speech = { id: id('id', 'task_id'), audioPath: text('audio_path', 'audio_url') };
  if (speech.id === null && speech.audioPath === null) return null;
  return {
    ...speech,
    status: readState('legacy-task', source['status']),
    transcript: text('transcript'),
    mood: text('mood'),
    characters: count('characters'),
    createdAt: moment('created_at'),
  };
}

/** A generated speech or a task of the legacy API (contract 2.11, 4.14). */
export type LegacySpeech = NonNullable<ReturnType<typeof readLegacySpeech>>;

/** A transcription; null when it has neither an identifier nor words. */
export function readLegacyTranscription(body: unknown) {
  const source = readNamed(body, [], ['id', 'transcript', 'task_id']);
  if (source === null) return null;
  const { id, text, texts, count, flag, moment } = fieldsOf(source);
  const seconds = count('duration');
  return {
    id: id('id', 'task_id'),
    status: readState('legacy-task', source['status']),
    title: text('title'),
    language: text('language'),
    durationMs: seconds === null ? null : Math.round(seconds * 1000),
    transcript: pick(source, ['transcript'], asText) ?? null,
    summary: text('summary'),
    segments: readSegments([{ diarization: source['diarization'] }]).segments,
    speakers: texts('speakers'),
    gender: text('gender'),
    audioUrl: text('audio_url'),
    hasDiarization: flag('has_diarization'),
    isMeeting: flag('is_meeting'),
    createdAt: moment('created_at'),
  };
}

/** A transcription of the legacy API (contract 2.11, 4.16). */
export type LegacyTranscription = NonNullable<ReturnType<typeof readLegacyTranscription>>;

/** A page of speeches of the legacy API (contract 2.11, 4.14); null when there is no list. */
export const readLegacySpeeches = (body: unknown): LegacyPage<LegacySpeech> | null =>
  readLegacyPage(body, readLegacySpeech);
/** A page of transcriptions of the legacy API (contract 2.11, 4.16); null when there is no list. */
export const readLegacyTranscriptions = (body: unknown): LegacyPage<LegacyTranscription> | null =>
  readLegacyPage(body, readLegacyTranscription);

/** A page (assumptions: legacy-page); null when there is no list. */
function readLegacyPage<T>(body: unknown, readItem: (item: unknown) => T | null): LegacyPage<T> | null {
  const sources: readonly JsonObject[] = unwrap(body);
  const list = Array.isArray(body) ? body : pickFrom(sources, ['results', 'items', 'data'], asArray);
  if (list === undefined) return null;
  return {
    items: list.filter(isJsonObject).flatMap((item) => readItem(item) ?? []),
    total: pickFrom(sources, ['count', 'total', 'total_count'], asCount) ?? null,
  };
}

/** The metadata of a turn's audio, which precede the audio itself (contract 4.15). */
export interface LegacyAudio {
  /** Null: not given; the audio belongs to the turn in progress. */
  readonly requestId: string | null;
  readonly sampleRate: number | null;
  readonly durationMs: number | null;
  readonly characters: number | null;
}

/** One message of the legacy live stream of speech. */
export type LegacyStreamMessage =
  | { readonly kind: 'started'; readonly sessionId: string | null }
  | { readonly kind: 'sound'; readonly sound: LegacyAudio }
  | {
      readonly kind: 'error';
      readonly code: string;
      readonly message: string | null;
      readonly requestId: string | null;
    }
  | { readonly kind: 'unknown' };

/** Parses a text frame. Never throws, whatever the frame contains. */
export function readLegacyStreamMessage(text: string): LegacyStreamMessage {
  const message = readStreamMessage(text);
  if (message === null) return { kind: 'unknown' };
  const { name, body } = message;
  const { id } = fieldsOf(body);
  if (name === 'error') return { kind: 'error', ...readStreamError(body), requestId: id('request_id') };
  if (name === 'session_started') return { kind: 'started', sessionId: id('session_id') };
  if (name !== 'audio') return { kind: 'unknown' };
  return {
    kind: 'sound',
    sound: {
      requestId: pick(body, ['request_id'], asFilledText) ?? null,
      sampleRate: pick(body, ['sample_rate'], asCount) ?? null,
      durationMs: secondsToMs(pick(body, ['duration_sec'], asCount)),
      characters: pick(body, ['characters'], asCount) ?? null,
    },
  };
}

/** Whole milliseconds; null when not given. */
export const secondsToMs = (seconds: number | undefined): number | null =>
  seconds === undefined ? null : Math.round(seconds * 1000);
