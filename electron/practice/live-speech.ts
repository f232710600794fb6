import { newId } from './http.ts';
import { interleave16 } from '../audio/encode/audio-writer.ts';
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { z } from 'zod';
import { speechLanguages } from '../../shared/domain/languages.ts';
import { bill, charactersOf, speechUnits, unaffordable } from './credits.ts';
import { errorEvent, livePaths, sendEvent, serveConnection, type Connection, type Event } from './realtime.ts';
import { findSpokenVoice, utteranceOf, type SpokenVoice } from './speech.ts';
import { get } from './state.ts';

const sampleRate = 24_000;
/** A tenth of a second. */
const pieceBytes = (sampleRate / 10) * 2;
const mostCharacters = 5000;

interface SpeechOrder {
  readonly language: z.output<typeof start>['language'];
  readonly voiceId: string;
  readonly speed: number;
  readonly text: string;
}

/** What a message of the client leads to. */
type SpeechStep =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'error'; readonly code: string; readonly message: string }
  | { readonly kind: 'speak'; readonly order: SpeechOrder }
  | { readonly kind: 'interrupt' };

const message = z.union([
  z.looseObject({ type: z.enum(['start', 'text', 'commit']) }),
  z.looseObject({ action: z.enum(['stop', 'interrupt']) }),
]);
const start = z.strictObject({
  type: z.literal('start'),
  language: z.enum(speechLanguages),
  voice_id: z.string().min(1),
  speed: z.number().min(0.5).max(2).default(1),
  audio_format: z.literal('pcm_s16le').default('pcm_s16le'),
  sample_rate: z.literal(sampleRate).default(sampleRate),
  channels: z.literal(1).default(1),
});
const textMessage = z.strictObject({ type: z.literal('text'), text: z.string() });

type State =
  | { readonly tag: 'ready' }
  | { readonly tag: 'started'; readonly settings: z.output<typeof start>; readonly text: string }
  | { readonly tag: 'speaking' };

const nothing: SpeechStep = { kind: 'nothing' };
const refuse = (code: string, words: string): SpeechStep => ({ kind: 'error', code, message: words });

/**
 * One connection of the live stream of speech, without its socket. The contract does not show these messages; they are
 * the ones the client assumes, so this tests the client and not the assumption.
 */
class SpeechTurn {
  #state: State = { tag: 'ready' };

  take(text: string): SpeechStep {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return refuse('invalid_message', 'This is not JSON.');
    }
    const parsed = message.safeParse(value);
    if (!parsed.success) return refuse('invalid_message', 'Send start, text, commit, stop or interrupt.');
    if ('action' in parsed.data && parsed.data.action === 'interrupt') {
      this.#state = { tag: 'ready' };
      return { kind: 'interrupt' };
    }
    if (this.#state.tag === 'speaking') return refuse('busy', 'The last text is still being spoken.');
    const type = 'type' in parsed.data ? parsed.data.type : 'commit';
    if (type === 'start') return this.#start(parsed.data);
    return type === 'text' ? this.#text(parsed.data) : this.#commit();
  }

  #start(value: unknown): SpeechStep {
    const parsed = start.safeParse(value);
    if (!parsed.success) {
      const field = parsed.error.issues[0]?.path.join('.') ?? '';
      return refuse('validation_error', `start is not right: ${field === '' ? 'unknown field' : field}.`);
    }
    this.#state = { tag: 'started', settings: parsed.data, text: '' };
    return nothing;
  }

  #text(value: unknown): SpeechStep {
    const parsed = textMessage.safeParse(value);
    if (!parsed.success) return refuse('validation_error', 'text is not right.');
    if (this.#state.tag !== 'started') return refuse('not_started', 'Send start before the text.');
    const text = this.#state.text + parsed.data.text;
    if (charactersOf(text) > mostCharacters) return refuse('validation_error', 'A text has at most 5000 characters.');
    this.#state = { ...this.#state, text };
    return nothing;
  }

  #commit(): SpeechStep {
    const state = this.#state;
    if (state.tag !== 'started') return refuse('not_started', 'Send start and text before commit.');
    if (state.text.trim() === '') return refuse('validation_error', 'There is no text.');
    this.#state = { tag: 'speaking' };
    const { language, voice_id: voiceId, speed } = state.settings;
    return { kind: 'speak', order: { language, voiceId, speed, text: state.text } };
  }

  /** The text was spoken, or never will be. */
  finish(): void {
    if (this.#state.tag === 'speaking') this.#state = { tag: 'ready' };
  }
}

/** Splits a text into sentences, so that the first is heard while the next are made. */
const sentencesOf = (text: string): readonly string[] =>
  text.match(/[^.!?…\n]+(?:[.!?…\n]+["»”)]?\s*|$)/gu)?.filter((part) => part.trim() !== '') ?? [text];

/** Charges and records a text before it is spoken; the failure is the event to send. */
function account(order: SpeechOrder, { services, requestId, keyId }: Connection): Event | null {
  const { state, save, now } = services;
  const caller = get(state.keys, keyId);
  if (caller === null) return errorEvent('service_unavailable', 'The key of this connection is gone.');
  const { language, voiceId, speed, text } = order;
  const units = speechUnits(text);
  if (unaffordable(state, caller, units) !== null)
    return errorEvent('insufficient_credits', 'There are not enough credits.');
  const subject = newId('spk');
  bill(state, {
    subject,
    requestId,
    keyId,
    product: 'tts',
    operation: 'realtime',
    characters: charactersOf(text),
    units,
    state: 'settled',
    atMs: now(),
    route: `WSS ${livePaths.tts}`,
    idempotencyKey: subject,
    audioSha256: createHash('sha256')
      .update(JSON.stringify([text, language, voiceId, speed]))
      .digest('hex'),
    fields: { language, voice_id: voiceId, speed },
  });
  save();
  return null;
}

/** Sends one frame at a time, so that a slow reader slows down the stream. */
const deliver = (socket: WebSocket, bytes: Buffer): Promise<boolean> =>
  new Promise((resolve) => socket.send(bytes, (error) => resolve(error === undefined || error === null)));

/** Speaks sentence by sentence; resolves with the last event, null: nobody waits for it. */
async function speakOut(
  order: SpeechOrder,
  voice: SpokenVoice,
  { socket, services }: Connection,
  isWanted: () => boolean,
): Promise<Event | null> {
  let bytes = 0;
  for (const sentence of sentencesOf(order.text)) {
    const spoken = await services.speaker.say(utteranceOf(sentence, order.speed, voice), sampleRate);
    if (!spoken.ok) return errorEvent('service_unavailable', 'The program espeak-ng could not speak this text.');
    const pcm = interleave16([spoken.value.samples]);
    for (let at = 0; at < pcm.length; at += pieceBytes) {
      if (!isWanted()) return null;
      for (const fault of services.faultPlan.meet('', 'realtime-piece', '')) {
        if (fault.fault === 'commit-error') return errorEvent(fault.code, 'Practice fault.');
        if (fault.fault === 'commit-delay') await wait(fault.ms, undefined, { ref: false });
        if (fault.fault === 'commit-close') {
          socket.close(fault.closeCode, 'practice fault');
          return null;
        }
      }
      if (!(await deliver(socket, pcm.subarray(at, at + pieceBytes)))) return null;
      bytes += Math.min(pieceBytes, pcm.length - at);
    }
  }
  if (!isWanted()) return null;
  const durationMs = Math.round((bytes / 2 / sampleRate) * 1000);
  return { event: 'final', characters: charactersOf(order.text), duration_ms: durationMs };
}

export function serveSpeech(connection: Connection): void {
  const { socket, services } = connection;
  const turn = new SpeechTurn();
  let spokenNow: SpeechOrder | null = null;

  const speak = async (order: SpeechOrder): Promise<void> => {
    const voice = findSpokenVoice(order.voiceId, services);
    const isWanted = (): boolean => spokenNow === order && socket.readyState === socket.OPEN;
    spokenNow = order;
    let last: Event | null;
    if (voice === null || voice.language !== order.language)
      last = errorEvent('validation_error', 'This voice does not speak this language, or is not in the catalogue.');
    else if (!services.speaker.isAvailable)
      last = errorEvent('service_unavailable', 'Practice mode speaks with espeak-ng, which is not installed here.');
    else last = account(order, connection) ?? (await speakOut(order, voice, connection, isWanted));
    if (spokenNow !== order) return;
    spokenNow = null;
    turn.finish();
    refreshIdle();
    if (last !== null) sendEvent(connection, last);
  };

  socket.on('close', () => (spokenNow = null));
  const refreshIdle = serveConnection(connection, sampleRate, (data, isBinary) => {
    const step = isBinary
      ? ({ kind: 'error', code: 'invalid_message', message: 'Send text only.' } as const)
      : turn.take(data.toString('utf8'));
    if (step.kind === 'error') sendEvent(connection, errorEvent(step.code, step.message));
    if (step.kind === 'interrupt') spokenNow = null;
    if (step.kind === 'speak') speak(step.order).catch(() => socket.terminate());
  });
}
