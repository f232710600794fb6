import type { WebSocket } from 'ws';
import { z } from 'zod';
import { speechLanguages, type SpeechLanguage } from '../../shared/domain/languages.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { monoWav } from '../audio/encode/audio-writer.ts';
import { bill, charactersOf, speechUnits, unaffordable } from './credits.ts';
import { meetLiveFaults, readMessage } from './dictation.ts';
import { newId } from './http.ts';
import { legacyCaller } from './keys.ts';
import type { Services } from './services.ts';
import type { SpokenVoice } from './speech.ts';

/** The rate of all audio of the legacy API (contract 4.15). */
export const legacyRate = 16_000;
const mostCharacters = 1000;

export const moods = ['neutral', 'cheerful', 'happy', 'sad'] as const;
type Mood = (typeof moods)[number];

/** The pitch per mood, in the speech program's units; it can express a mood in no other way. */
const pitches: Readonly<Record<Mood, number>> = { neutral: 50, cheerful: 62, happy: 70, sad: 35 };
const programs: Readonly<Record<SpeechLanguage, string>> = { uz: 'uz+f2', ru: 'ru+f2', en: 'en-us+f2' };

/** What is spoken at once; `error` tells why a text is not. */
export const spokenText = (error: string) =>
  z.string({ error }).refine((text) => text.trim() !== '' && charactersOf(text) <= mostCharacters, { error });

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

/** The sound of a text, not charged; null: it can't be said. */
export async function sayLegacy(
  { text, language, mood, speed, own }: LegacyOrder,
  { speaker }: Services,
): Promise<LegacyAudio | null> {
  const voice = own?.program ?? programs[language];
  const samples = await speaker.say({ text, voice, speed, pitch: own?.pitch ?? pitches[mood] }, legacyRate);
  if (samples === null) return null;
  const durationMs = Math.round((samples.length / legacyRate) * 1000);
  return { wav: monoWav(samples, legacyRate), durationMs, characters: charactersOf(text) };
}

export const turnRefusals = {
  invalid_request: 'A turn needs a new request_id, a known speaker and language, and 1 to 1000 characters.',
  insufficient_balance: 'There are not enough credits.',
  unavailable: 'Practice mode speaks with espeak-ng, which is not installed here or could not speak this.',
} as const;
type TurnRefusal = keyof typeof turnRefusals;

const turnMessage = z
  .object({
    request_id: z.string().min(1).max(128),
    text: spokenText('invalid_request'),
    speaker_id: z.enum(moods).default('neutral'),
    language: z.enum(speechLanguages).default('uz'),
    speed: z.number().min(0.5).max(2).default(1),
  })
  .transform(({ request_id: requestId, speaker_id: mood, ...order }) => ({ ...order, requestId, mood }));

/** One turn of a live connection, whether it came by WebSocket or by gRPC. */
export type Turn = z.output<typeof turnMessage>;

/** Validates a turn; null for one with a number that was seen before. */
export function readTurn(sent: unknown, seen: Set<string>): Turn | null {
  const turn = turnMessage.safeParse(sent).data;
  if (turn === undefined || seen.has(turn.requestId)) return null;
  seen.add(turn.requestId);
  return turn;
}

/** Speaks a turn and charges it afterwards, so that a failed one costs nothing. */
export async function speakTurn(
  turn: Turn,
  route: string,
  services: Services,
): Promise<Result<LegacyAudio, TurnRefusal>> {
  const units = speechUnits(turn.text);
  if (unaffordable(services.state, legacyCaller, units) !== null) return err('insufficient_balance');
  const audio = await sayLegacy(turn, services);
  if (audio === null) return err('unavailable');
  const subject = newId('old');
  bill(
    services,
    { requestId: subject, caller: legacyCaller },
    {
      subject,
      product: 'tts',
      operation: 'older-realtime',
      characters: audio.characters,
      units,
      state: 'settled',
      route,
      idempotencyKey: subject,
      audioSha256: subject,
      fields: { language: turn.language, speaker_id: turn.mood, speed: turn.speed },
    },
  );
  services.save();
  return ok(audio);
}

export const legacyStreamPath = '/api/v1/tts/realtime';

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
    const { error, isClosed = false } = await meetLiveFaults({ socket, services }, 'realtime-piece');
    if (isClosed) return;
    if (error !== undefined) return send({ type: 'error', code: error, message: 'Practice fault.' });
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
    const message = isBinary ? null : readMessage(z.looseObject({}), data);
    if (message?.['type'] === 'end') {
      last = last.then(() => socket.close(1000));
      return;
    }
    const turn = readTurn(message, seen);
    if (turn === null) return refuse('invalid_request');
    last = last.then(() => speak(turn)).catch(() => socket.terminate());
  });
  send({ type: 'session_started', session_id: newId('ses'), billing: 'characters' });
}
