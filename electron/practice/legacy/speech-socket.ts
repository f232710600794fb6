import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import type { FaultPlan } from '../faults/fault-plan.ts';
import { pieceRoute } from '../realtime/speech-stream-socket.ts';
import type { Services } from '../services.ts';
import { legacyRate, readTurn, speakTurn, type Turn } from './voice.ts';

export const legacyStreamPath = '/api/v1/tts/realtime';
const route = `WSS ${legacyStreamPath}`;

const words = {
  invalid_request: 'A turn needs a new request_id, a known speaker and language, and 1 to 1000 characters.',
  insufficient_balance: 'There are not enough credits.',
  unavailable: 'Practice mode speaks with espeak-ng, which is not installed here or could not speak this.',
} as const;

type Message = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parse(text: string): Message | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Serves one connection of contract 4.15: turns one after another, until `end`, or until the credits run out. */
export function serveLegacySpeech(socket: WebSocket, services: Services, faultPlan: FaultPlan): void {
  const seen = new Set<string>();
  let last: Promise<void> = Promise.resolve();
  const send = (message: Message): void => socket.send(JSON.stringify(message));
  const refuse = (code: keyof typeof words, requestId?: string): void =>
    send({ type: 'error', code, message: words[code], ...(requestId === undefined ? {} : { request_id: requestId }) });
  const idle = setTimeout(() => socket.close(1000), services.limits.dictationIdleMs);
  idle.unref();

  const speak = async (turn: Turn): Promise<void> => {
    for (const fault of faultPlan.meet('', pieceRoute, '')) {
      if (fault.fault === 'commit-close') return socket.close(fault.closeCode, 'practice fault');
      if (fault.fault === 'commit-error') return send({ type: 'error', code: fault.code, message: 'Practice fault.' });
    }
    const spoken = await speakTurn(turn, route, services);
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
    if (message === null) return refuse('invalid_request');
    if (message['type'] === 'end') {
      last = last.then(() => socket.close(1000));
      return;
    }
    const turn = readTurn(
      {
        requestId: message['request_id'],
        speakerId: message['speaker_id'],
        language: message['language'],
        text: message['text'],
        speed: message['speed'],
      },
      seen,
    );
    if (turn === null) return refuse('invalid_request');
    seen.add(turn.requestId);
    last = last.then(() => speak(turn)).catch(() => socket.terminate());
  });
  send({ type: 'session_started', session_id: `ses_${randomUUID().replaceAll('-', '')}`, billing: 'characters' });
}
