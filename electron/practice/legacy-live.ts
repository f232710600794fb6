import { newId } from './http.ts';
import { monoWav } from '../audio/encode/audio-writer.ts';
import type { WebSocket } from 'ws';
import { speechLanguages, type SpeechLanguage } from '../../shared/domain/languages.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { bill, charactersOf, speechUnits, unaffordable } from './credits.ts';
import { legacyCaller } from './keys.ts';
import type { Services } from './services.ts';
import type { SpokenVoice } from './speech.ts';

/** The rate of all audio of the legacy API (contract 4.15). */
export const legacyRate = 16_000;
export const mostLegacyCharacters = 1000;

export const moods = ['neutral', 'cheerful', 'happy', 'sad'] as const;
type Mood = (typeof moods)[number];

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

interface LegacyAudio {
  readonly wav: Buffer;
  readonly durationMs: number;
  readonly characters: number;
}

/** The sound of a text, not charged. */
export async function sayLegacy(
  { text, language, mood, speed, own }: LegacyOrder,
  { speaker }: Services,
): Promise<Result<LegacyAudio, 'unavailable'>> {
  const voice = own?.program ?? programs[language];
  const spoken = await speaker.say({ text, voice, speed, pitch: own?.pitch ?? pitches[mood] }, legacyRate);
  if (!spoken.ok) return err('unavailable');
  const { samples } = spoken.value;
  const durationMs = Math.round((samples.length / legacyRate) * 1000);
  return ok({ wav: monoWav(samples, legacyRate), durationMs, characters: charactersOf(text) });
}

export const turnRefusals = {
  invalid_request: 'A turn needs a new request_id, a known speaker and language, and 1 to 1000 characters.',
  insufficient_balance: 'There are not enough credits.',
  unavailable: 'Practice mode speaks with espeak-ng, which is not installed here or could not speak this.',
} as const;
type TurnRefusal = keyof typeof turnRefusals;

/** One turn of a live connection, whether it came by WebSocket or by gRPC. */
export interface Turn extends LegacyOrder {
  readonly requestId: string;
}

/** Validates a turn; one with a number that was seen before is refused. */
export function readTurn(sent: Readonly<Record<string, unknown>>, seen: Set<string>): Turn | null {
  const { request_id: requestId, text } = sent;
  const speed = sent['speed'] ?? 1;
  const mood = moods.find((known) => known === (sent['speaker_id'] ?? 'neutral'));
  const language = speechLanguages.find((known) => known === (sent['language'] ?? 'uz'));
  if (typeof requestId !== 'string' || requestId === '' || requestId.length > 128 || seen.has(requestId)) return null;
  if (typeof text !== 'string' || text.trim() === '' || charactersOf(text) > mostLegacyCharacters) return null;
  if (mood === undefined || language === undefined) return null;
  if (typeof speed !== 'number' || !(speed >= 0.5 && speed <= 2)) return null;
  seen.add(requestId);
  return { requestId, text, language, mood, speed };
}

/** Speaks a turn and charges it afterwards, so that a failed one costs nothing. */
export async function speakTurn(
  turn: Turn,
  route: string,
  services: Services,
): Promise<Result<LegacyAudio, TurnRefusal>> {
  const { state, save, now } = services;
  const units = speechUnits(turn.text);
  if (unaffordable(state, legacyCaller, units) !== null) return err('insufficient_balance');
  const audio = await sayLegacy(turn, services);
  if (!audio.ok) return audio;
  if (unaffordable(state, legacyCaller, units) !== null) return err('insufficient_balance');
  const subject = newId('old');
  bill(state, {
    subject,
    requestId: subject,
    keyId: legacyCaller.id,
    product: 'tts',
    operation: 'older-realtime',
    characters: audio.value.characters,
    units,
    state: 'settled',
    atMs: now(),
    route,
    idempotencyKey: subject,
    audioSha256: subject,
    fields: { language: turn.language, speaker_id: turn.mood, speed: turn.speed },
  });
  save();
  return audio;
}

export const legacyStreamPath = '/api/v1/tts/realtime';

function parse(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
}

/** Serves one connection of contract 4.15: turns one after another, until `end`, or until the credits run out. */
export function serveLegacySpeech(socket: WebSocket, services: Services): void {
  const seen = new Set<string>();
  let last: Promise<void> = Promise.resolve();
  const send = (message: object): void => socket.send(JSON.stringify(message));
  const refuse = (code: TurnRefusal, requestId?: string): void =>
    send({ type: 'error', code, message: turnRefusals[code], request_id: requestId });
  const idle = setTimeout(() => socket.close(1000), services.limits.dictationIdleMs);
  idle.unref();

  const speak = async (turn: Turn): Promise<void> => {
    for (const fault of services.faultPlan.meet('', 'realtime-piece', '')) {
      if (fault.fault === 'commit-close') return socket.close(fault.closeCode, 'practice fault');
      if (fault.fault === 'commit-error') return send({ type: 'error', code: fault.code, message: 'Practice fault.' });
    }
    const spoken = await speakTurn(turn, `WSS ${legacyStreamPath}`, services);
    if (!spoken.ok) {
      refuse(spoken.error, turn.requestId);
      if (spoken.error === 'insufficient_balance') socket.close(1008, 'insufficient balance');
      return;
    }
    const { wav, durationMs, characters } = spoken.value;
    send({
      type: 'audio',
      request_id: turn.requestId,
      speaker_id: turn.mood,
      sample_rate: legacyRate,
      duration_sec: durationMs / 1000,
      characters,
    });
    socket.send(wav);
  };

  socket.on('error', () => undefined);
  socket.on('close', () => clearTimeout(idle));
  socket.on('message', (data: Buffer, isBinary) => {
    idle.refresh();
    const message = isBinary ? null : parse(data.toString('utf8'));
    if (message?.['type'] === 'end') {
      last = last.then(() => socket.close(1000));
      return;
    }
    const turn = message === null ? null : readTurn(message, seen);
    if (turn === null) return refuse('invalid_request');
    last = last.then(() => speak(turn)).catch(() => socket.terminate());
  });
  send({ type: 'session_started', session_id: newId('ses'), billing: 'characters' });
}
