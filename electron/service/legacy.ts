import { extname } from 'node:path';
import { parseGuardedJson } from '../../shared/domain/failures/guarded-json.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import { joinLegacyPath } from '../../shared/domain/urls/judge-address.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { limits } from './limits.ts';
import { SignedUrl } from './download.ts';
import { bodyOf, unreadable } from './http.ts';
import type { Caller, NamedCall } from './caller.ts';
import { readSttAnswer } from './read-transcription.ts';
import type { RemoteTranscription } from './stt.ts';
import type { UploadSource } from './upload.ts';
import {
  asArray,
  asText,
  isJsonObject,
  pick,
  pickFrom,
  unwrap,
  asCount,
  fieldsOf,
  msOfSeconds,
  readNamed,
  type JsonObject,
  readState,
} from './values.ts';
import { readSegments } from './read-transcript.ts';

/** What the legacy API takes (contract 4.14, 4.16, 8), for checks before anything is sent. */
export const legacyLimits = limits.legacy;
/** The newest entries of its lists, among which the work of a lost answer is searched. */
export const legacyNewest = { page: 1, limit: 50 } as const;

/** A refused legacy key concerns one piece of work: everything else has another key and goes on. */
export const refusedLegacyKey = (failure: Failure): Failure =>
  failure.kind === 'key-refused' || failure.kind === 'permission-missing'
    ? localFailure('not-a-recording', { code: 'legacy_key_refused', outcome: 'refused', requestId: failure.requestId })
    : failure;

/** The types that the legacy API takes (contract 4.16), by extension. */
const legacyTypes = new Set(['.mp3', '.wav', '.ogg', '.oga', '.m4a', '.mp4']);

/** Refuses what the legacy API would refuse (contract 4.16, 8), before anything is sent. */
export function checkLegacy({ name, sizeBytes }: Pick<UploadSource, 'name' | 'sizeBytes'>): Failure | null {
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

type Language = 'uz' | 'en' | 'ru';

export interface LegacySpeechInput {
  readonly transcript: string;
  readonly language: Language;
  readonly speed?: number;
  readonly model?: string;
  readonly mood?: 'Neutral' | 'Cheerful' | 'Happy' | 'Sad';
  readonly voiceId?: number;
  readonly notifyUrl?: string;
}

export interface LegacyRecordingInput {
  readonly source: UploadSource;
  readonly language: Language;
  readonly tellsSpeakersApart?: boolean;
  readonly hasOffsets?: boolean;
  readonly summarizes?: boolean;
  readonly title?: string;
  readonly isMeeting?: boolean;
  readonly onFileBytes?: (sentBytes: number) => void;
  readonly sha256?: string;
  readonly signal?: AbortSignal;
}

interface LegacyPageQuery {
  readonly page: number;
  readonly limit: number;
}

/** Its creations are never repeated: after a lost answer the lists are consulted (contract 4.14, 4.16). */
export function createLegacyApi(caller: Caller, baseUrl: () => string | null) {
  const pageOf = ({ page, limit }: LegacyPageQuery, signal: AbortSignal | undefined): NamedCall => ({
    query: { page: Math.max(1, Math.trunc(page)), limit: Math.max(1, Math.trunc(limit)) },
    signal,
  });
  const recording = (input: LegacyRecordingInput, isLong: boolean): NamedCall => ({
    form: {
      fields: {
        language: input.language,
        has_diarization: input.tellsSpeakersApart,
        has_offset: input.hasOffsets,
        is_summary: input.summarizes,
        is_meeting: isLong ? input.isMeeting : undefined,
        title: input.title,
      },
      files: [{ field: 'audio', source: input.source }],
      onFileBytes: input.onFileBytes,
    },
    contentSha256: input.sha256,
    attempts: 'once',
    signal: input.signal,
  });

  const readLong = async (
    name: 'legacy.stt.submit-long' | 'legacy.stt.read-long',
    call: NamedCall,
  ): Promise<Result<RemoteTranscription>> => {
    const reply = await caller.send(name, call);
    if (!reply.ok) return reply;
    const { status, text, location, requestId } = reply.value;
    const read = readLegacyTranscription(bodyOf(reply.value));
    if (read === null) return err(unreadable(reply.value, name === 'legacy.stt.read-long'));
    const answer = readSttAnswer({ status, text, location, requestId });
    return ok({ ...answer, remoteId: read.id, raw: text });
  };

  return {
    speak: (input: LegacySpeechInput, signal?: AbortSignal) =>
      caller.read('legacy.speak.submit', {
        form: { fields: speechFields(input), files: [] },
        attempts: 'once',
        signal,
      }),
    speechStatus: (id: string, signal?: AbortSignal) => caller.read('legacy.speak.status', { values: { id }, signal }),
    /** Joined to the address of the service, whose origin it must not leave (download-unsafe). */
    audioAddress(audioPath: string): Result<SignedUrl> {
      const joined = joinLegacyPath(baseUrl() ?? '', audioPath);
      return joined.ok
        ? ok(new SignedUrl(joined.value.href))
        : err(makeFailure('download-unsafe', { code: joined.error.replaceAll('-', '_') }));
    },
    speeches: (query: LegacyPageQuery, signal?: AbortSignal) => caller.read('legacy.speak.list', pageOf(query, signal)),
    transcribe: (input: LegacyRecordingInput) => caller.read('legacy.stt.submit', recording(input, false)),
    transcribeLong: (input: LegacyRecordingInput) => readLong('legacy.stt.submit-long', recording(input, true)),
    transcriptions: (query: LegacyPageQuery, signal?: AbortSignal) =>
      caller.read('legacy.stt.list', pageOf(query, signal)),
    longTranscriptions: (query: LegacyPageQuery, signal?: AbortSignal) =>
      caller.read('legacy.stt.list-long', pageOf(query, signal)),
    longTranscription: (id: string, signal?: AbortSignal) =>
      readLong('legacy.stt.read-long', { values: { id }, signal }),
  };
}

function speechFields({ transcript, language, speed, model, mood, voiceId, notifyUrl }: LegacySpeechInput) {
  const isUzbek = language === 'uz';
  return {
    transcript,
    language,
    model: isUzbek ? model : undefined,
    mood: isUzbek && voiceId === undefined ? mood : undefined,
    speed: isUzbek ? speed?.toString() : undefined,
    voice_id: voiceId?.toString(),
    webhook_notification_url: notifyUrl,
  };
}

export interface LegacyFacts {
  readonly gender: string | null;
  readonly summary: string | null;
}

export function readLegacyFacts(answer: string): LegacyFacts {
  const json = parseGuardedJson(answer);
  const { gender = null, summary = null } = readLegacyTranscription(json.isJson ? json.value : null) ?? {};
  return { gender, summary };
}

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
  return {
    id: id('id', 'task_id'),
    status: readState('legacy-task', source['status']),
    title: text('title'),
    language: text('language'),
    durationMs: msOfSeconds(count('duration')),
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
