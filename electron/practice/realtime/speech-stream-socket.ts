import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import type { FaultPlan } from '../faults/fault-plan.ts';
import type { Services } from '../services.ts';
import { interleave16 } from '../../audio/encode/wav.ts';
import { charactersOf, speechUnits } from '../speech/speaker.ts';
import { findSpokenVoice, type SpokenVoice } from '../speech/spoken-voice.ts';
import { sentencesOf, SpeechTurn, speechStreamRate, type SpeechOrder } from './speech-turn.ts';

export const speechStreamPath = '/v1/tts/stream';
/** Used in place of a path when a spoken piece asks for its faults. */
export const pieceRoute = 'realtime-piece';

export interface SpeechParts {
  readonly services: Services;
  readonly faultPlan: FaultPlan;
  readonly requestId: string;
  readonly keyId: string;
}

/** A tenth of a second. */
const pieceBytes = (speechStreamRate / 10) * 2;

type Event = Readonly<Record<string, unknown>>;
const errorEvent = (code: string, message: string): Event => ({ event: 'error', code, message });

/** Charges and records a text before it is spoken; the failure is the event to send. */
function account(order: SpeechOrder, parts: SpeechParts): Event | null {
  const { credits, ledger, transaction, now, keys } = parts.services;
  const caller = keys.read(parts.keyId);
  if (caller === null) return errorEvent('service_unavailable', 'The key of this connection is gone.');
  const subject = `spk_${randomUUID().replaceAll('-', '')}`;
  const units = speechUnits(order.text);
  return transaction(() => {
    if (credits.refusal(caller, units) !== null)
      return errorEvent('insufficient_credits', 'There are not enough credits.');
    const { language, voiceId, speed, text } = order;
    const atMs = now();
    credits.spend({
      subject,
      requestId: parts.requestId,
      keyId: caller.id,
      product: 'tts',
      operation: 'realtime',
      characters: charactersOf(text),
      units,
      atMs,
    });
    ledger.add({
      atMs,
      route: `WSS ${speechStreamPath}`,
      idempotencyKey: subject,
      contentSha256: createHash('sha256')
        .update(JSON.stringify([text, language, voiceId, speed]))
        .digest('hex'),
      fields: { language, voice_id: voiceId, speed },
      subject,
    });
    return null;
  });
}

/** Sends one frame at a time, so that a slow reader slows down the stream. */
const deliver = (socket: WebSocket, bytes: Buffer): Promise<boolean> =>
  new Promise((resolve) => socket.send(bytes, (error) => resolve(error === undefined || error === null)));

/** Speaks sentence by sentence; null: success, otherwise the event to send. */
async function speakOut(
  socket: WebSocket,
  order: SpeechOrder,
  voice: SpokenVoice,
  parts: SpeechParts,
  isWanted: () => boolean,
): Promise<Event | null> {
  let bytes = 0;
  for (const sentence of sentencesOf(order.text)) {
    const spoken = await parts.services.speaker.say(
      {
        text: sentence,
        voice: voice.program,
        speed: order.speed,
        ...(voice.pitch === undefined ? {} : { pitch: voice.pitch }),
      },
      speechStreamRate,
    );
    if (!spoken.ok) return errorEvent('service_unavailable', 'The program espeak-ng could not speak this text.');
    const pcm = interleave16([spoken.value.samples]);
    for (let at = 0; at < pcm.length; at += pieceBytes) {
      if (!isWanted()) return null;
      for (const fault of parts.faultPlan.meet('', pieceRoute, '')) {
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
  const durationMs = Math.round((bytes / 2 / speechStreamRate) * 1000);
  return { event: 'final', characters: charactersOf(order.text), duration_ms: durationMs };
}

/** Serves one connection from `ready` until either side leaves. */
export function serveSpeech(socket: WebSocket, parts: SpeechParts): void {
  const turn = new SpeechTurn();
  const send = (event: Event): void => socket.send(JSON.stringify(event));
  let spokenNow: SpeechOrder | null = null;
  const idle = setTimeout(() => {
    send(errorEvent('timeout', 'Nothing was sent for a long time.'));
    socket.close(1000);
  }, parts.services.limits.dictationIdleMs);
  idle.unref();

  const speak = async (order: SpeechOrder): Promise<void> => {
    const voice = findSpokenVoice(order.voiceId, parts.services);
    const isOurs = voice !== null && voice.language === order.language;
    const refusal = isOurs
      ? parts.services.speaker.isAvailable
        ? account(order, parts)
        : errorEvent('service_unavailable', 'Practice mode speaks with espeak-ng, which is not installed here.')
      : errorEvent('validation_error', 'This voice does not speak this language, or is not in the catalogue.');
    spokenNow = order;
    const isWanted = (): boolean => spokenNow === order && socket.readyState === socket.OPEN;
    const last = refusal ?? (voice === null ? null : await speakOut(socket, order, voice, parts, isWanted));
    if (spokenNow !== order) return;
    spokenNow = null;
    turn.finish();
    idle.refresh();
    if (last !== null) send(last);
  };

  socket.on('error', () => undefined);
  socket.on('close', () => {
    spokenNow = null;
    clearTimeout(idle);
  });
  socket.on('message', (data: Buffer, isBinary) => {
    idle.refresh();
    const step = isBinary
      ? ({ kind: 'error', code: 'invalid_message', message: 'Send text only.' } as const)
      : turn.take(data.toString('utf8'));
    if (step.kind === 'error') send(errorEvent(step.code, step.message));
    if (step.kind === 'interrupt') spokenNow = null;
    if (step.kind === 'speak') speak(step.order).catch(() => socket.terminate());
  });
  send({ event: 'ready', audio_format: 'pcm_s16le', sample_rate: speechStreamRate, channels: 1 });
}
