import { randomUUID } from 'node:crypto';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { joinOlderPath } from '../../../shared/domain/urls/judge-address.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { SignedUrl } from '../../../shared/wire/signed-url.ts';
import {
  readOlderSpeech,
  readOlderSpeeches,
  readOlderTranscription,
  readOlderTranscriptions,
  type OlderPage,
  type OlderSpeech,
  type OlderTranscription,
} from '../../../shared/wire/legacy/read-answers.ts';
import type { Caller, NamedCall } from '../http/resource-call.ts';
import type { UploadSource } from '../stt-api.ts';

type Language = 'uz' | 'en' | 'ru';

export interface OlderSpeechWish {
  readonly transcript: string;
  readonly language: Language;
  /** Uzbek only, as `model` and `mood`; not sent for other languages. */
  readonly speed?: number;
  readonly model?: string;
  readonly mood?: 'Neutral' | 'Cheerful' | 'Happy' | 'Sad';
  /** A voice of one's own; then no mood is sent. */
  readonly voiceId?: number;
  /** Makes it a task to be asked for. */
  readonly notifyUrl?: string;
}

export interface OlderRecordingWish {
  readonly source: UploadSource;
  readonly language: Language;
  readonly tellsSpeakersApart?: boolean;
  readonly hasOffsets?: boolean;
  readonly summarizes?: boolean;
  readonly title?: string;
  /** Long recordings only. */
  readonly isMeeting?: boolean;
  readonly signal?: AbortSignal;
}

interface OlderPageQuery {
  readonly page: number;
  readonly limit: number;
}

/**
 * The older generation by its own key (service-api 4.14, 4.16). Its creations are never repeated: after a lost answer
 * the lists are looked at (reliability 3.3). Messages come in the language that was asked for.
 */
export interface OlderApi {
  speak(wish: OlderSpeechWish, signal?: AbortSignal): Promise<Result<OlderSpeech, Failure>>;
  speechStatus(id: string, signal?: AbortSignal): Promise<Result<OlderSpeech, Failure>>;
  /**
   * Where a made speech is fetched from, by the guarded download: its path joined to the address of the service, which
   * it may not leave (E-174).
   */
  soundAddress(audioPath: string): Result<SignedUrl, Failure>;
  speeches(query: OlderPageQuery, signal?: AbortSignal): Promise<Result<OlderPage<OlderSpeech>, Failure>>;
  transcribe(wish: OlderRecordingWish): Promise<Result<OlderTranscription, Failure>>;
  transcribeLong(wish: OlderRecordingWish): Promise<Result<OlderTranscription, Failure>>;
  transcriptions(query: OlderPageQuery, signal?: AbortSignal): Promise<Result<OlderPage<OlderTranscription>, Failure>>;
  longTranscriptions(
    query: OlderPageQuery,
    signal?: AbortSignal,
  ): Promise<Result<OlderPage<OlderTranscription>, Failure>>;
  longTranscription(id: string, signal?: AbortSignal): Promise<Result<OlderTranscription, Failure>>;
}

/** `messageLanguage`: what the service may write its messages in. `baseUrl`: its address, null while there is none. */
export function createOlderApi(caller: Caller, messageLanguage: Language, baseUrl: () => string | null): OlderApi {
  const spoken = { messageLanguage } as const;
  const pageOf = ({ page, limit }: OlderPageQuery, signal: AbortSignal | undefined): NamedCall => ({
    ...spoken,
    query: { page: Math.max(1, Math.trunc(page)), limit: Math.max(1, Math.trunc(limit)) },
    signal,
  });
  const recording = (wish: OlderRecordingWish, isLong: boolean): NamedCall => ({
    ...spoken,
    form: {
      fields: {
        language: wish.language,
        ...flag('has_diarization', wish.tellsSpeakersApart),
        ...flag('has_offset', wish.hasOffsets),
        ...flag('is_summary', wish.summarizes),
        ...flag('is_meeting', isLong ? wish.isMeeting : undefined),
        ...(wish.title === undefined ? {} : { title: wish.title }),
      },
      files: [{ field: 'audio', source: wish.source }],
      boundary: `ovoz-${randomUUID()}`,
    },
    attempts: 'once',
    signal: wish.signal,
  });

  return {
    speak: (wish, signal) =>
      caller.read('older.speak.submit', readOlderSpeech, {
        ...spoken,
        form: { fields: speechFields(wish), files: [], boundary: `ovoz-${randomUUID()}` },
        attempts: 'once',
        signal,
      }),
    speechStatus: (id, signal) =>
      caller.read('older.speak.status', readOlderSpeech, { ...spoken, target: 'job', values: { id }, signal }),
    soundAddress(audioPath) {
      const joined = joinOlderPath(baseUrl() ?? '', audioPath);
      return joined.ok
        ? ok(new SignedUrl(joined.value.href))
        : err(makeFailure('E-174', { code: joined.error.replaceAll('-', '_') }));
    },
    speeches: (query, signal) => caller.read('older.speak.list', readOlderSpeeches, pageOf(query, signal)),
    transcribe: (wish) => caller.read('older.stt.submit', readOlderTranscription, recording(wish, false)),
    transcribeLong: (wish) => caller.read('older.stt.submit-long', readOlderTranscription, recording(wish, true)),
    transcriptions: (query, signal) => caller.read('older.stt.list', readOlderTranscriptions, pageOf(query, signal)),
    longTranscriptions: (query, signal) =>
      caller.read('older.stt.list-long', readOlderTranscriptions, pageOf(query, signal)),
    longTranscription: (id, signal) =>
      caller.read('older.stt.read-long', readOlderTranscription, { ...spoken, target: 'job', values: { id }, signal }),
  };
}

const flag = (name: string, value: boolean | undefined): Readonly<Record<string, string>> =>
  value === undefined ? {} : { [name]: String(value) };

function speechFields(wish: OlderSpeechWish): Readonly<Record<string, string>> {
  const { transcript, language, speed, model, mood, voiceId, notifyUrl } = wish;
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
