import { newId } from './http.ts';
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { speechLanguages, type SpeechLanguage } from '../../shared/domain/languages.ts';
import { findSpeech } from '../recogniser/find-speech.ts';
import type { HeardWord } from '../recogniser/greedy-words.ts';
import { LoudnessTrack } from '../recogniser/loudness-track.ts';
import type { Recognition } from '../recogniser/recogniser.ts';
import { bill, sttUnits, unaffordable } from './credits.ts';
import type { ApiKey } from './keys.ts';
import { knownWords, type KnownWord } from './known-words.ts';
import { errorEvent, livePaths, sendEvent, serveConnection, type Connection, type Event } from './realtime.ts';
import { practiceNote } from './samples.ts';
import { get } from './state.ts';

const dictationRate = 16_000;
const bytesPerMs = (dictationRate * 2) / 1000;
const leastMs = 100;
const mostMs = 35_000;

type DictationError =
  | 'invalid_message'
  | 'validation_error'
  | 'not_started'
  | 'busy'
  | 'invalid_audio'
  | 'audio_too_long'
  | 'no_speech_detected';

interface Utterance {
  readonly language: SpeechLanguage;
  readonly pcm: Buffer;
  readonly durationMs: number;
}

export type Step =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'error'; readonly code: DictationError; readonly message: string }
  | { readonly kind: 'commit'; readonly utterance: Utterance };

type State =
  | { readonly tag: 'ready' }
  | {
      readonly tag: 'started';
      readonly language: SpeechLanguage;
      readonly chunks: readonly Buffer[];
      readonly bytes: number;
    }
  | { readonly tag: 'working'; readonly utterance: Utterance };

const nothing: Step = { kind: 'nothing' };
const refuse = (code: DictationError, message: string): Step => ({ kind: 'error', code, message });
const message = z.union([
  z.looseObject({ type: z.enum(['start', 'commit']) }),
  z.looseObject({ action: z.enum(['stop', 'interrupt']) }),
]);
const start = z.strictObject({
  type: z.literal('start'),
  language: z.enum(speechLanguages),
  audio_format: z.literal('pcm_s16le'),
  sample_rate: z.literal(dictationRate),
  channels: z.literal(1),
  word_timestamps: z.boolean().default(false),
});

/** One connection of contract 4.10 without its socket: `ready`, `started`, and `working` until the answer is sent. */
export class Dictation {
  #state: State = { tag: 'ready' };

  takeText(text: string): Step {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return refuse('invalid_message', 'This is not JSON.');
    }
    const parsed = message.safeParse(value);
    if (!parsed.success) return refuse('invalid_message', 'Send start, commit, stop or interrupt.');
    if ('action' in parsed.data && parsed.data.action === 'interrupt') {
      this.#state = { tag: 'ready' };
      return nothing;
    }
    if (this.#state.tag === 'working') return refuse('busy', 'The last utterance is still being worked on.');
    return 'type' in parsed.data && parsed.data.type === 'start' ? this.#start(parsed.data) : this.#commit();
  }

  #start(value: unknown): Step {
    if (this.#state.tag === 'started' && this.#state.bytes > 0)
      return refuse('busy', 'Commit or interrupt the utterance that was started.');
    const parsed = start.safeParse(value);
    if (!parsed.success) {
      const field = parsed.error.issues[0]?.path.join('.') ?? '';
      return refuse('validation_error', `start is not right: ${field === '' ? 'unknown field' : field}.`);
    }
    this.#state = { tag: 'started', language: parsed.data.language, chunks: [], bytes: 0 };
    return nothing;
  }

  takeAudio(chunk: Buffer): Step {
    const state = this.#state;
    if (state.tag === 'working') return refuse('busy', 'The last utterance is still being worked on.');
    if (state.tag === 'ready') return refuse('not_started', 'Send start before the sound.');
    if (state.bytes === 0 && chunk.subarray(0, 4).equals(Buffer.from([0x1a, 0x45, 0xdf, 0xa3]))) {
      this.#state = { tag: 'ready' };
      return refuse('invalid_audio', 'Send bare PCM, not WebM.');
    }
    const bytes = state.bytes + chunk.length;
    if (bytes > mostMs * bytesPerMs) {
      this.#state = { tag: 'ready' };
      return refuse('audio_too_long', 'An utterance has at most 35 seconds.');
    }
    this.#state = { ...state, chunks: [...state.chunks, chunk], bytes };
    return nothing;
  }

  #commit(): Step {
    const state = this.#state;
    if (state.tag !== 'started') return refuse('not_started', 'Send start and sound before commit.');
    this.#state = { tag: 'ready' };
    if (state.bytes % 2 !== 0) return refuse('invalid_audio', 'Half of a sample is missing.');
    if (state.bytes < leastMs * bytesPerMs)
      return refuse('invalid_audio', 'An utterance has at least 100 milliseconds.');
    const pcm = Buffer.concat(state.chunks);
    const utterance = { language: state.language, pcm, durationMs: Math.round(pcm.length / bytesPerMs) };
    this.#state = { tag: 'working', utterance };
    return { kind: 'commit', utterance };
  }

  /** False: the utterance was interrupted, so its answer is dropped; another one may be in progress by now. */
  isAwaited(utterance: Utterance): boolean {
    return this.#state.tag === 'working' && this.#state.utterance === utterance;
  }

  /** The utterance was answered, or never will be. */
  finish(utterance: Utterance): void {
    if (this.isAwaited(utterance)) this.#state = { tag: 'ready' };
  }
}

const samplesOf = ({ pcm }: Utterance): Float32Array =>
  Float32Array.from({ length: pcm.length / 2 }, (_, at) => pcm.readInt16LE(at * 2) / 32_768);

/** Charges and records an utterance; the failure is the event to send. */
function account(
  { durationMs, language, pcm }: Utterance,
  caller: ApiKey,
  { services, requestId }: Connection,
): Event | null {
  const { state, save, now } = services;
  const units = sttUnits(durationMs, false);
  if (unaffordable(state, caller, units) !== null)
    return errorEvent('insufficient_credits', 'There are not enough credits.');
  const subject = newId('utt');
  bill(state, {
    subject,
    requestId,
    keyId: caller.id,
    product: 'stt',
    operation: 'realtime',
    durationMs,
    units,
    state: 'settled',
    atMs: now(),
    route: `WSS ${livePaths.stt}`,
    idempotencyKey: subject,
    audioSha256: createHash('sha256').update(pcm).digest('hex'),
    fields: { language, samples: pcm.length / 2 },
  });
  save();
  return null;
}

/** The one event that answers an utterance, with the words that were heard. Without speech it costs nothing. */
function answerTo(
  utterance: Utterance,
  heard: readonly HeardWord[] | Recognition | null,
  connection: Connection,
): Event {
  const caller = get(connection.services.state.keys, connection.keyId);
  if (caller === null) return errorEvent('service_unavailable', 'The key of this connection is gone.');
  if (heard !== null && 'kind' in heard) {
    const isOfModel = heard.kind === 'failed' && heard.code !== 'internal_error';
    return errorEvent(isOfModel ? heard.code : 'service_unavailable', 'The words could not be recognised.');
  }
  const { language, durationMs } = utterance;
  const segments = heard === null ? knownSegments(utterance) : heardSegments(utterance, heard);
  if (segments.length === 0) return errorEvent('no_speech_detected', 'No speech was heard.');
  const text = segments.map((segment) => segment.text).join(' ');
  const final = { event: 'final', text, language, duration_ms: durationMs, segments };
  return account(utterance, caller, connection) ?? final;
}

const segmentOf = (ordinal: number, startMs: number, endMs: number, text: string, words: readonly KnownWord[]) => ({
  ordinal,
  start_ms: startMs,
  end_ms: endMs,
  text,
  words: words.map((word, at) => ({ ordinal: at, start_ms: word.startMs, end_ms: word.endMs, text: word.text })),
});

/** The known words of bundled samples; for other speech the times at which it was heard. */
function knownSegments(utterance: Utterance) {
  const { language, durationMs } = utterance;
  const samples = samplesOf(utterance);
  const track = new LoudnessTrack();
  track.add({ channels: [samples], sampleRate: dictationRate });
  return findSpeech(track.finish().loudnessDb, durationMs).flatMap((span, ordinal) => {
    const { startMs, endMs } = span;
    const words = knownWords(samples, span, language);
    // The rest of a word that was counted with the previous utterance.
    if (words?.length === 0) return [];
    const text = words?.map((word) => word.text).join(' ') ?? practiceNote(language, startMs, endMs);
    return [segmentOf(ordinal, startMs, endMs, text, words ?? [])];
  });
}

function heardSegments({ durationMs }: Utterance, words: readonly HeardWord[]) {
  const [first] = words;
  if (first === undefined) return [];
  const text = words.map((word) => word.text).join(' ');
  return [segmentOf(0, first.startMs, words.at(-1)?.endMs ?? durationMs, text, words)];
}

async function commit(dictation: Dictation, utterance: Utterance, connection: Connection): Promise<void> {
  const { socket, services } = connection;
  let times = 1;
  for (const fault of services.faultPlan.meet('', 'realtime-commit', '')) {
    if (fault.fault === 'commit-error') {
      dictation.finish(utterance);
      sendEvent(connection, errorEvent(fault.code, 'Practice fault.'));
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
  const { recogniser } = services;
  // Samples are known at once, so that what follows in the same packet meets an utterance that is done.
  const heard = recogniser === null ? null : await recogniser.hear(samplesOf(utterance), utterance.language);
  if (!dictation.isAwaited(utterance)) return;
  const answer = answerTo(utterance, heard, connection);
  dictation.finish(utterance);
  for (let left = times; left > 0; left -= 1) sendEvent(connection, answer);
}

export function serveDictation(connection: Connection): void {
  const dictation = new Dictation();
  serveConnection(connection, dictationRate, (data, isBinary) => {
    const step = isBinary ? dictation.takeAudio(data) : dictation.takeText(data.toString('utf8'));
    if (step.kind === 'error') sendEvent(connection, errorEvent(step.code, step.message));
    if (step.kind === 'commit')
      commit(dictation, step.utterance, connection).catch(() => connection.socket.terminate());
  });
}
