import { asArray, asText, isJsonObject, pick, pickFrom, unwrap, type JsonObject } from '../json-access.ts';
import { readSegments, type RawSegment } from '../read-segments.ts';
import { readState, type ReadState } from '../states.ts';
import { asCount, fieldsOf, readNamed } from '../values.ts';

/** A generated speech or a task of the legacy API (contract 2.11, 4.14). */
export interface LegacySpeech {
  readonly id: string | null;
  readonly status: ReadState<'legacy-task'> | null;
  readonly transcript: string | null;
  readonly mood: string | null;
  /** Joined to the service's own address before use; never an address by itself. */
  readonly audioPath: string | null;
  readonly characters: number | null;
  readonly createdAt: string | null;
}

/** A transcription of the legacy API (contract 2.11, 4.16). */
export interface LegacyTranscription {
  readonly id: string | null;
  readonly status: ReadState<'legacy-task'> | null;
  readonly title: string | null;
  readonly language: string | null;
  readonly durationMs: number | null;
  readonly transcript: string | null;
  readonly summary: string | null;
  /** Who said what and when, as far as the answer contains it (assumptions: transcription body). */
  readonly segments: readonly RawSegment[];
  /** Named in the answer, in its order. */
  readonly speakers: readonly string[];
  readonly gender: string | null;
  readonly audioUrl: string | null;
  readonly hasDiarization: boolean | null;
  readonly isMeeting: boolean | null;
  readonly createdAt: string | null;
}

export interface LegacyPage<T> {
  readonly items: readonly T[];
  readonly total: number | null;
}

/** A speech; null when it has neither an identifier nor a path. */
export function readLegacySpeech(body: unknown): LegacySpeech | null {
  const source = readNamed(body, [], ['audio_path', 'audio_url', 'task_id', 'id']);
  if (source === null) return null;
  const { id, text, count, moment } = fieldsOf(source);
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

/** A transcription; null when it has neither an identifier nor words. */
export function readLegacyTranscription(body: unknown): LegacyTranscription | null {
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
