import { randomUUID } from 'node:crypto';
import { parseGuardedJson } from '../../../shared/domain/failures/guarded-json.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { joinLegacyPath } from '../../../shared/domain/urls/judge-address.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { limits } from '../../../shared/wire/limits.ts';
import { SignedUrl } from '../../../shared/wire/signed-url.ts';
import {
  readLegacySpeech,
  readLegacySpeeches,
  readLegacyTranscription,
  readLegacyTranscriptions,
  type LegacyPage,
  type LegacySpeech,
  type LegacyTranscription,
} from '../../../shared/wire/legacy/read-answers.ts';
import { bodyOf, unreadable, type Caller, type NamedCall } from '../http/resource-call.ts';
import { readSttAnswer } from '../resources/read-stt-answer.ts';
import type { RemoteTranscription, UploadSource } from '../stt-api.ts';

/** What the legacy API takes (contract 4.14, 4.16, 8), for checks before anything is sent. */
export const legacyLimits = limits.legacy;
/** The newest entries of its lists, among which the work of a lost answer is searched. */
export const legacyNewest = { page: 1, limit: 50 } as const;

/** A refused legacy key concerns one piece of work: everything else has another key and goes on. */
export const refusedLegacyKey = (failure: Failure): Failure =>
  failure.row === 'E-032' || failure.row === 'E-037'
    ? localFailure('E-211', { code: 'legacy_key_refused', outcome: 'refused', requestId: failure.requestId })
    : failure;

type Language = 'uz' | 'en' | 'ru';

export interface LegacySpeechInput {
  readonly transcript: string;
  readonly language: Language;
  /** Uzbek only, as `model` and `mood`; not sent for other languages. */
  readonly speed?: number;
  readonly model?: string;
  readonly mood?: 'Neutral' | 'Cheerful' | 'Happy' | 'Sad';
  /** The user's own voice; no mood is sent with it. */
  readonly voiceId?: number;
  /** Makes it a task to be asked for. */
  readonly notifyUrl?: string;
}

export interface LegacyRecordingInput {
  readonly source: UploadSource;
  readonly language: Language;
  readonly tellsSpeakersApart?: boolean;
  readonly hasOffsets?: boolean;
  readonly summarizes?: boolean;
  readonly title?: string;
  /** Long recordings only. */
  readonly isMeeting?: boolean;
  /** Called with the bytes of the file that were sent. */
  readonly onFileBytes?: (sentBytes: number) => void;
  /** The SHA-256 of the content, by which the ledger recognises the recording. */
  readonly sha256?: string;
  readonly signal?: AbortSignal;
}

interface LegacyPageQuery {
  readonly page: number;
  readonly limit: number;
}

/**
 * The legacy API with its own key (contract 4.14, 4.16). Its creations are never repeated: after a lost answer the
 * lists are consulted. Messages come in the requested language.
 */
export interface LegacyApi {
  speak(input: LegacySpeechInput, signal?: AbortSignal): Promise<Result<LegacySpeech, Failure>>;
  speechStatus(id: string, signal?: AbortSignal): Promise<Result<LegacySpeech, Failure>>;
  /**
   * The address of generated speech, for the guarded download: its path joined to the address of the service, whose
   * origin it must not leave (E-174).
   */
  audioAddress(audioPath: string): Result<SignedUrl, Failure>;
  speeches(query: LegacyPageQuery, signal?: AbortSignal): Promise<Result<LegacyPage<LegacySpeech>, Failure>>;
  transcribe(input: LegacyRecordingInput): Promise<Result<LegacyTranscription, Failure>>;
  transcribeLong(input: LegacyRecordingInput): Promise<Result<RemoteTranscription, Failure>>;
  transcriptions(
    query: LegacyPageQuery,
    signal?: AbortSignal,
  ): Promise<Result<LegacyPage<LegacyTranscription>, Failure>>;
  longTranscriptions(
    query: LegacyPageQuery,
    signal?: AbortSignal,
  ): Promise<Result<LegacyPage<LegacyTranscription>, Failure>>;
  longTranscription(id: string, signal?: AbortSignal): Promise<Result<RemoteTranscription, Failure>>;
}

/**
 * `messageLanguage`: the language in which the service may write messages. `baseUrl`: its address, null while there is
 * none.
 */
export function createLegacyApi(caller: Caller, messageLanguage: Language, baseUrl: () => string | null): LegacyApi {
  const spoken = { messageLanguage } as const;
  const pageOf = ({ page, limit }: LegacyPageQuery, signal: AbortSignal | undefined): NamedCall => ({
    ...spoken,
    query: { page: Math.max(1, Math.trunc(page)), limit: Math.max(1, Math.trunc(limit)) },
    signal,
  });
  const recording = (input: LegacyRecordingInput, isLong: boolean): NamedCall => ({
    ...spoken,
    form: {
      fields: {
        language: input.language,
        ...flag('has_diarization', input.tellsSpeakersApart),
        ...flag('has_offset', input.hasOffsets),
        ...flag('is_summary', input.summarizes),
        ...flag('is_meeting', isLong ? input.isMeeting : undefined),
        ...(input.title === undefined ? {} : { title: input.title }),
      },
      files: [{ field: 'audio', source: input.source }],
      boundary: `ovoz-${randomUUID()}`,
      ...(input.onFileBytes === undefined ? {} : { onFileBytes: input.onFileBytes }),
    },
    contentSha256: input.sha256,
    attempts: 'once',
    signal: input.signal,
  });

  const readLong = async (
    name: 'legacy.stt.submit-long' | 'legacy.stt.read-long',
    call: NamedCall,
  ): Promise<Result<RemoteTranscription, Failure>> => {
    const reply = await caller.send(name, call);
    if (!reply.ok) return reply;
    const { status, text, location, requestId } = reply.value;
    const read = readLegacyTranscription(bodyOf(reply.value, caller.wire));
    if (read === null) return err(unreadable(reply.value, name === 'legacy.stt.read-long'));
    const answer = readSttAnswer({ status, text, location, requestId }, caller.wire.aliases);
    return ok({ ...answer, remoteId: read.id, raw: text });
  };

  return {
    speak: (input, signal) =>
      caller.read('legacy.speak.submit', readLegacySpeech, {
        ...spoken,
        form: { fields: speechFields(input), files: [], boundary: `ovoz-${randomUUID()}` },
        attempts: 'once',
        signal,
      }),
    speechStatus: (id, signal) =>
      caller.read('legacy.speak.status', readLegacySpeech, { ...spoken, target: 'job', values: { id }, signal }),
    audioAddress(audioPath) {
      const joined = joinLegacyPath(baseUrl() ?? '', audioPath);
      return joined.ok
        ? ok(new SignedUrl(joined.value.href))
        : err(makeFailure('E-174', { code: joined.error.replaceAll('-', '_') }));
    },
    speeches: (query, signal) => caller.read('legacy.speak.list', readLegacySpeeches, pageOf(query, signal)),
    transcribe: (input) => caller.read('legacy.stt.submit', readLegacyTranscription, recording(input, false)),
    transcribeLong: (input) => readLong('legacy.stt.submit-long', recording(input, true)),
    transcriptions: (query, signal) => caller.read('legacy.stt.list', readLegacyTranscriptions, pageOf(query, signal)),
    longTranscriptions: (query, signal) =>
      caller.read('legacy.stt.list-long', readLegacyTranscriptions, pageOf(query, signal)),
    longTranscription: (id, signal) =>
      readLong('legacy.stt.read-long', { ...spoken, target: 'job', values: { id }, signal }),
  };
}

const flag = (name: string, value: boolean | undefined): Readonly<Record<string, string>> =>
  value === undefined ? {} : { [name]: String(value) };

function speechFields(input: LegacySpeechInput): Readonly<Record<string, string>> {
  const { transcript, language, speed, model, mood, voiceId, notifyUrl } = input;
  const isUzbek = language === 'uz';
  return {
    transcript,
    language,
    ...(isUzbek && model !== undefined ? { model } : {}),
    ...(isUzbek && mood !== undefined && voiceId === undefined ? { mood } : {}),
    ...(isUzbek && speed !== undefined ? { speed: String(speed) } : {}),
    ...(voiceId === undefined ? {} : { voice_id: String(voiceId) }),
    ...(notifyUrl === undefined ? {} : { webhook_notification_url: notifyUrl }),
  };
}

/** What an answer of the legacy API tells beside the text; null: it does not tell. */
export interface LegacyFacts {
  readonly gender: string | null;
  readonly summary: string | null;
}

export function readLegacyFacts(answer: string): LegacyFacts {
  const json = parseGuardedJson(answer);
  const { gender = null, summary = null } = readLegacyTranscription(json.isJson ? json.value : null) ?? {};
  return { gender, summary };
}
