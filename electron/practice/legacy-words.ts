import type { IncomingMessage } from 'node:http';
import { speechLanguages, type SpeechLanguage } from '../../shared/domain/languages.ts';
import { json, Refusal } from './http.ts';

const wrongField = { en: 'A field is not right.', ru: 'Одно из полей неверно.', uz: 'Maydonlardan biri notoʻgʻri.' };

/** The refusals of the legacy API, in the language that was asked for (contract 5.4, 7). */
const words = {
  invalid_key: {
    en: 'This is the practice service: send its own legacy key as X-Api-Key.',
    ru: 'Это учебный сервис: отправьте его собственный старый ключ в X-Api-Key.',
    uz: 'Bu mashq xizmati: X-Api-Key da uning oʻz eski kalitini yuboring.',
  },
  rate_limited: {
    en: 'Too many requests in one second.',
    ru: 'Слишком много запросов за одну секунду.',
    uz: 'Bir soniyada soʻrovlar juda koʻp.',
  },
  not_found: { en: 'There is no such record.', ru: 'Такой записи нет.', uz: 'Bunday yozuv yoʻq.' },
  insufficient_balance: {
    en: 'There are not enough credits.',
    ru: 'Недостаточно кредитов.',
    uz: 'Kreditlar yetarli emas.',
  },
  invalid_transcript: {
    en: 'The text must have 1 to 1000 characters.',
    ru: 'В тексте должно быть от 1 до 1000 символов.',
    uz: 'Matnda 1 dan 1000 gacha belgi boʻlishi kerak.',
  },
  voice_not_found: {
    en: 'You have no such voice of your own.',
    ru: 'У вас нет такого собственного голоса.',
    uz: 'Sizda bunday shaxsiy ovoz yoʻq.',
  },
  missing_audio: { en: 'The recording is missing.', ru: 'Нет записи.', uz: 'Yozuv yoʻq.' },
  invalid_form: wrongField,
  invalid_language: wrongField,
  invalid_model: wrongField,
  invalid_speed: wrongField,
  invalid_notification_url: wrongField,
  invalid_format: {
    en: 'The recording must be MP3, WAV, OGG or M4A.',
    ru: 'Запись должна быть в MP3, WAV, OGG или M4A.',
    uz: 'Yozuv MP3, WAV, OGG yoki M4A boʻlishi kerak.',
  },
  audio_too_large: {
    en: 'The recording is too large.',
    ru: 'Запись слишком велика.',
    uz: 'Yozuv juda katta.',
  },
  duration_limit: {
    en: 'This recording is too long for an answer at once.',
    ru: 'Эта запись слишком длинна для немедленного ответа.',
    uz: 'Bu yozuv darhol javob berish uchun juda uzun.',
  },
  diarization_too_short: {
    en: 'Speakers are told apart in at least 15 seconds of sound.',
    ru: 'Говорящих различают не менее чем за 15 секунд звука.',
    uz: 'Soʻzlovchilarni ajratish uchun kamida 15 soniya ovoz kerak.',
  },
  unavailable: {
    en: 'Practice mode speaks with the program espeak-ng, which is not installed or could not speak this.',
    ru: 'Учебный режим говорит программой espeak-ng: она не установлена или не смогла это сказать.',
    uz: 'Mashq rejimi espeak-ng dasturi bilan gapiradi: u oʻrnatilmagan yoki buni ayta olmadi.',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<SpeechLanguage, string>>>>;

type LegacyError = keyof typeof words;
export const isLegacyError = (text: string): text is LegacyError => Object.hasOwn(words, text);

/** The first supported language in the header; otherwise English. */
function languageOf(request: IncomingMessage): SpeechLanguage {
  const wanted = (request.headers['accept-language'] ?? '').split(',').map((part) => part.trim().slice(0, 2));
  return (
    wanted.map((code) => speechLanguages.find((known) => known === code)).find((found) => found !== undefined) ?? 'en'
  );
}

/** Refuses in the envelope of the legacy API (contract 7). */
export function refuseLegacy(request: IncomingMessage, status: number, error: LegacyError, headers = {}): never {
  throw new Refusal(json(status, { detail: words[error][languageOf(request)], error_key: error }, headers));
}
