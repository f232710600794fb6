import { randomUUID } from 'node:crypto';
import { speechLanguages, type SpeechLanguage } from '../../../shared/domain/languages.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { Services } from '../services.ts';
import { monoWav } from '../../audio/encode/wav.ts';
import { charactersOf, speechUnits } from '../speech/speaker.ts';
import type { SpokenVoice } from '../speech/spoken-voice.ts';
import { legacyCaller } from './key.ts';

/** The rate of all audio of the legacy API (contract 4.15). */
export const legacyRate = 16_000;
export const mostLegacyCharacters = 1000;
/** The one model that is built in. */
export const builtInModel = 'practice-uz';

export const moods = ['neutral', 'cheerful', 'happy', 'sad'] as const;
export type Mood = (typeof moods)[number];

/** The pitch per mood, in the speech program's units; it can express a mood in no other way. */
const pitches: Readonly<Record<Mood, number>> = { neutral: 50, cheerful: 62, happy: 70, sad: 35 };
const programs: Readonly<Record<SpeechLanguage, string>> = { uz: 'uz+f2', ru: 'ru+f2', en: 'en-us+f2' };

/** A text as the legacy API speaks it. */
export interface LegacyOrder {
  readonly text: string;
  readonly language: SpeechLanguage;
  readonly mood: Mood;
  /** 0.5 to 2. */
  readonly speed: number;
  /** A voice of the account; it has no moods. */
  readonly own?: SpokenVoice;
}

export interface LegacyAudio {
  readonly wav: Buffer;
  readonly durationMs: number;
  readonly characters: number;
}

/** The sound of a text, not charged. */
export async function sayLegacy(
  order: LegacyOrder,
  { speaker }: Services,
): Promise<Result<LegacyAudio, 'unavailable'>> {
  const { text, language, mood, speed, own } = order;
  const voice = own?.program ?? programs[language];
  const spoken = await speaker.say({ text, voice, speed, pitch: own?.pitch ?? pitches[mood] }, legacyRate);
  if (!spoken.ok) return err('unavailable');
  const { samples } = spoken.value;
  return ok({
    wav: monoWav(samples, legacyRate),
    durationMs: Math.round((samples.length / legacyRate) * 1000),
    characters: charactersOf(text),
  });
}

export type TurnRefusal = 'invalid_request' | 'insufficient_balance' | 'unavailable';

/** A turn of a live connection as it was sent; nothing in it is validated. */
export interface SentTurn {
  readonly requestId: unknown;
  readonly speakerId: unknown;
  readonly language: unknown;
  readonly text: unknown;
  readonly speed: unknown;
}

/** One validated turn, whether it came by WebSocket or by gRPC. */
export interface Turn extends LegacyOrder {
  readonly requestId: string;
}

const longestId = 128;

/** Validates a turn: a new number each time, a known speaker and language, 1 to 1000 characters, a valid speed. */
export function readTurn(sent: SentTurn, seen: ReadonlySet<string>): Turn | null {
  const { requestId, text } = sent;
  const mood = moods.find((known) => known === (sent.speakerId ?? 'neutral'));
  const language = speechLanguages.find((known) => known === (sent.language ?? 'uz'));
  const speed = sent.speed ?? 1;
  if (typeof requestId !== 'string' || requestId === '' || requestId.length > longestId || seen.has(requestId))
    return null;
  if (typeof text !== 'string' || text.trim() === '' || charactersOf(text) > mostLegacyCharacters) return null;
  if (mood === undefined || language === undefined) return null;
  if (typeof speed !== 'number' || !(speed >= 0.5 && speed <= 2)) return null;
  return { requestId, text, language, mood, speed };
}

/** Speaks a turn and charges it afterwards, so that a failed one costs nothing. */
export async function speakTurn(
  turn: Turn,
  route: string,
  services: Services,
): Promise<Result<LegacyAudio, TurnRefusal>> {
  const { credits, ledger, transaction, now } = services;
  const units = speechUnits(turn.text);
  if (credits.refusal(legacyCaller, units) !== null) return err('insufficient_balance');
  const audio = await sayLegacy(turn, services);
  if (!audio.ok) return audio;
  const isCharged = transaction(() => {
    if (credits.refusal(legacyCaller, units) !== null) return false;
    const subject = `old_${randomUUID().replaceAll('-', '')}`;
    const atMs = now();
    credits.spend({
      subject,
      requestId: subject,
      keyId: legacyCaller.id,
      product: 'tts',
      operation: 'older-realtime',
      characters: audio.value.characters,
      units,
      atMs,
    });
    const fields = { language: turn.language, speaker_id: turn.mood, speed: turn.speed };
    ledger.add({ atMs, route, idempotencyKey: subject, contentSha256: subject, fields, subject });
    return true;
  });
  return isCharged ? audio : err('insufficient_balance');
}
