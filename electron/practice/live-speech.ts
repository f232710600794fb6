import { z } from 'zod';
import { speechLanguages } from '../../shared/domain/languages.ts';
import { interleave16 } from '../audio/encode/audio-writer.ts';
import { charactersOf, speechUnits } from './credits.ts';
import {
  chargeLive,
  errorEvent,
  fieldOf,
  meetLiveFaults,
  readMessage,
  sendEvent,
  serveConnection,
  type Connection,
  type Event,
} from './dictation.ts';
import { findSpokenVoice, utteranceOf, type SpokenVoice } from './speech.ts';

const sampleRate = 24_000;
/** A tenth of a second. */
const pieceBytes = (sampleRate / 10) * 2;
const mostCharacters = 5000;

/** The contract does not show these messages; they are the ones the client assumes. */
const message = z.union([
  z.looseObject({ type: z.enum(['start', 'text', 'commit']) }).transform(({ type, ...sent }) => ({ kind: type, sent })),
  z.looseObject({ action: z.enum(['stop', 'interrupt']) }).transform(({ action, ...sent }) => ({ kind: action, sent })),
]);
const start = z.strictObject({
  language: z.enum(speechLanguages),
  voice_id: z.string().min(1),
  speed: z.number().min(0.5).max(2).default(1),
  audio_format: z.literal('pcm_s16le').default('pcm_s16le'),
  sample_rate: z.literal(sampleRate).default(sampleRate),
  channels: z.literal(1).default(1),
});
const textMessage = z.strictObject({ text: z.string() });

type Settings = z.output<typeof start>;
type Order = Settings & { readonly text: string };

/** Splits a text into sentences, so that the first is heard while the next are made. */
const sentencesOf = (text: string): readonly string[] =>
  text.match(/[^.!?…\n]+(?:[.!?…\n]+["»”)]?\s*|$)/gu)?.filter((part) => part.trim() !== '') ?? [text];

/** Speaks sentence by sentence; resolves with the last event, null: nobody waits for it. */
async function speakOut(
  { text, speed }: Order,
  voice: SpokenVoice,
  connection: Connection,
  isWanted: () => boolean,
): Promise<Event | null> {
  const { socket, services } = connection;
  let bytes = 0;
  for (const sentence of sentencesOf(text)) {
    const samples = await services.speaker.say(utteranceOf(sentence, speed, voice), sampleRate);
    if (samples === null) return errorEvent('service_unavailable', 'The program espeak-ng could not speak this text.');
    const pcm = interleave16([samples]);
    for (let at = 0; at < pcm.length; at += pieceBytes) {
      if (!isWanted()) return null;
      const { error, isClosed = false } = await meetLiveFaults(connection, 'realtime-piece');
      if (isClosed) return null;
      if (error !== undefined) return errorEvent(error, 'Practice fault.');
      const piece = pcm.subarray(at, at + pieceBytes);
      // One frame at a time, so that a slow reader slows down the stream.
      const isGone = await new Promise((resolve) => socket.send(piece, (failure) => resolve(failure instanceof Error)));
      if (isGone === true) return null;
      bytes += piece.length;
    }
  }
  if (!isWanted()) return null;
  const durationMs = Math.round((bytes / 2 / sampleRate) * 1000);
  return { event: 'final', characters: charactersOf(text), duration_ms: durationMs };
}

/** One connection of the live stream of speech: a text is started, sent in parts, and spoken after its commit. */
export function serveSpeech(connection: Connection): void {
  const { socket, services } = connection;
  let started: { readonly settings: Settings; text: string } | null = null;
  let spokenNow: Order | null = null;
  const fail = (code: string, words: string): void => sendEvent(connection, errorEvent(code, words));

  const lastEvent = async (order: Order): Promise<Event | null> => {
    const { text, language, voice_id: voiceId, speed } = order;
    const voice = findSpokenVoice(voiceId, services);
    if (voice === null || voice.language !== language)
      return errorEvent('validation_error', 'This voice does not speak this language, or is not in the catalogue.');
    if (!services.speaker.isAvailable)
      return errorEvent('service_unavailable', 'Practice mode speaks with espeak-ng, which is not installed here.');
    const amount = { units: speechUnits(text), characters: charactersOf(text) };
    const content = JSON.stringify([text, language, voiceId, speed]);
    const refusal = chargeLive(connection, 'tts', amount, content, { language, voice_id: voiceId, speed });
    const isWanted = (): boolean => spokenNow === order && socket.readyState === socket.OPEN;
    return refusal ?? speakOut(order, voice, connection, isWanted);
  };

  const speak = async (order: Order): Promise<void> => {
    spokenNow = order;
    const last = await lastEvent(order);
    if (spokenNow !== order) return;
    spokenNow = null;
    refreshIdle();
    if (last !== null) sendEvent(connection, last);
  };

  const takeText = (sent: unknown): void => {
    const added = textMessage.safeParse(sent).data?.text;
    if (added === undefined) return fail('validation_error', 'text is not right.');
    if (started === null) return fail('not_started', 'Send start before the text.');
    if (charactersOf(started.text + added) > mostCharacters)
      return fail('validation_error', 'A text has at most 5000 characters.');
    started.text += added;
  };

  const takeStart = (sent: unknown): void => {
    const parsed = start.safeParse(sent);
    if (!parsed.success) return fail('validation_error', `start is not right: ${fieldOf(parsed.error)}.`);
    started = { settings: parsed.data, text: '' };
  };

  const takeCommit = (): void => {
    if (started === null) return fail('not_started', 'Send start and text before commit.');
    const { settings, text } = started;
    if (text.trim() === '') return fail('validation_error', 'There is no text.');
    started = null;
    speak({ ...settings, text }).catch(() => socket.terminate());
  };

  socket.on('close', () => (spokenNow = null));
  const refreshIdle = serveConnection(connection, sampleRate, (data, isBinary) => {
    const taken = isBinary ? null : readMessage(message, data);
    if (taken?.kind === 'interrupt') {
      started = null;
      spokenNow = null;
    } else if (taken === null) fail('invalid_message', 'Send start, text, commit, stop or interrupt.');
    else if (spokenNow !== null) fail('busy', 'The last text is still being spoken.');
    else if (taken.kind === 'start') takeStart(taken.sent);
    else if (taken.kind === 'text') takeText(taken.sent);
    else takeCommit();
  });
}
