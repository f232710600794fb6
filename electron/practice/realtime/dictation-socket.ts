import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import type { ApiKey } from '../account/api-keys.ts';
import { sttUnits } from '../billing/units.ts';
import type { Fault, FaultPlan } from '../faults/fault-plan.ts';
import type { HeardWord } from '../../recogniser/greedy-words.ts';
import type { Recognition } from '../../recogniser/recogniser.ts';
import type { Services } from '../services.ts';
import { Dictation, dictationRate, finalOf, recognise, samplesOf, type Utterance } from './dictation.ts';

export const dictationPath = '/v1/stt/stream';
/** Used in place of a path when a commit asks for its faults. */
export const commitRoute = 'realtime-commit';

export interface DictationParts {
  readonly services: Services;
  readonly faultPlan: FaultPlan;
  readonly requestId: string;
  readonly keyId: string;
}

type Event = Readonly<Record<string, unknown>>;

const errorEvent = (code: string, message: string): Event => ({ event: 'error', code, message });

/** Charges and records an utterance; the failure is the event to send. */
function account(utterance: Utterance, caller: ApiKey, { services, requestId }: DictationParts): Event | null {
  const { credits, ledger, transaction, now } = services;
  const subject = `utt_${randomUUID().replaceAll('-', '')}`;
  const units = sttUnits(utterance.durationMs, false);
  return transaction(() => {
    if (credits.refusal(caller, units) !== null)
      return errorEvent('insufficient_credits', 'There are not enough credits.');
    const { durationMs, language, pcm } = utterance;
    const atMs = now();
    credits.spend({
      subject,
      requestId,
      keyId: caller.id,
      product: 'stt',
      operation: 'realtime',
      durationMs,
      units,
      atMs,
    });
    ledger.add({
      atMs,
      route: `WSS ${dictationPath}`,
      idempotencyKey: subject,
      contentSha256: createHash('sha256').update(pcm).digest('hex'),
      fields: { language, samples: pcm.length / 2 },
      subject,
    });
    return null;
  });
}

/** The one event that answers an utterance, with the words that were heard. Without speech it costs nothing. */
function answerTo(
  utterance: Utterance,
  heard: readonly HeardWord[] | Recognition | null,
  parts: DictationParts,
): Event {
  const caller = parts.services.keys.read(parts.keyId);
  if (caller === null) return errorEvent('service_unavailable', 'The key of this connection is gone.');
  if (heard !== null && 'kind' in heard) {
    const isOfModel = heard.kind === 'failed' && heard.code !== 'internal_error';
    return errorEvent(isOfModel ? heard.code : 'service_unavailable', 'The words could not be recognised.');
  }
  const final = heard === null ? recognise(utterance) : finalOf(utterance, heard);
  if (final === null) return errorEvent('no_speech_detected', 'No speech was heard.');
  return account(utterance, caller, parts) ?? final;
}

async function commit(
  socket: WebSocket,
  dictation: Dictation,
  utterance: Utterance,
  parts: DictationParts,
): Promise<void> {
  const send = (event: Event): void => socket.send(JSON.stringify(event));
  const faults: readonly Fault[] = parts.faultPlan.meet('', commitRoute, '');
  let times = 1;
  for (const fault of faults) {
    if (fault.fault === 'commit-error') {
      dictation.finish(utterance);
      send(errorEvent(fault.code, 'Practice fault.'));
      return;
    }
    if (fault.fault === 'commit-close') {
      socket.close(fault.closeCode, 'practice fault');
      return;
    }
    if (fault.fault === 'commit-delay') await wait(fault.ms, undefined, { ref: false });
    if (fault.fault === 'commit-silent') times = 0;
    if (fault.fault === 'commit-twice') times = 2;
  }
  const { recogniser } = parts.services;
  // Samples are known at once, so that what follows in the same packet meets an utterance that is done.
  const heard = recogniser === null ? null : await recogniser.hear(samplesOf(utterance), utterance.language);
  if (!dictation.isAwaited(utterance)) return;
  const answer = answerTo(utterance, heard, parts);
  dictation.finish(utterance);
  for (let left = times; left > 0; left -= 1) send(answer);
}

/** Serves one connection from `ready` until either side leaves. */
export function serveDictation(socket: WebSocket, parts: DictationParts): void {
  const dictation = new Dictation();
  const { dictationIdleMs } = parts.services.limits;
  let isOver = false;
  const idle = setTimeout(() => {
    isOver = true;
    socket.send(JSON.stringify(errorEvent('timeout', 'Nothing was sent for a long time.')));
    socket.close(1000);
  }, dictationIdleMs);
  idle.unref();
  socket.on('error', () => undefined);
  socket.on('close', () => clearTimeout(idle));
  socket.on('message', (data: Buffer, isBinary) => {
    // What comes after the end would be charged without an answer.
    if (isOver) return;
    idle.refresh();
    const step = isBinary ? dictation.takeAudio(data) : dictation.takeText(data.toString('utf8'));
    if (step.kind === 'error') socket.send(JSON.stringify(errorEvent(step.code, step.message)));
    if (step.kind === 'commit') commit(socket, dictation, step.utterance, parts).catch(() => socket.terminate());
  });
  socket.send(JSON.stringify({ event: 'ready', audio_format: 'pcm_s16le', sample_rate: dictationRate, channels: 1 }));
}
