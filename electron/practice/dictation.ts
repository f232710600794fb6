import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { z } from 'zod';
import { speechLanguages, type SpeechLanguage } from '../../shared/domain/languages.ts';
import { findSpeech } from '../recogniser/find-speech.ts';
import type { HeardWord } from '../recogniser/greedy-words.ts';
import { LoudnessTrack } from '../recogniser/loudness-track.ts';
import type { Recognition } from '../recogniser/recogniser.ts';
import { bill, sttUnits, unaffordable, type Charge } from './credits.ts';
import { digest, json, newId, readJson, refuse, route, type Answer, type Exchange, type Route } from './http.ts';
import { grants } from './keys.ts';
import { knownWords, practiceNote, type KnownWord } from './samples.ts';
import type { Services } from './services.ts';
import { get, time } from './state.ts';

type LiveProduct = 'stt' | 'tts';
export const livePaths: Readonly<Record<LiveProduct, string>> = { stt: '/v1/stt/stream', tts: '/v1/tts/stream' };

/** Tickets for one connection each. They are short-lived and only in memory, so a restart ends them all. */
export function openTickets(lifeMs: number, now: () => number) {
  const known = new Map<string, { keyId: string; product: LiveProduct; expiresAtMs: number }>();
  return {
    issue(keyId: string, product: LiveProduct) {
      for (const [hash, { expiresAtMs }] of known) if (expiresAtMs <= now()) known.delete(hash);
      const ticket = `ticket_${randomBytes(32).toString('base64url')}`;
      const expiresAtMs = now() + lifeMs;
      known.set(digest(ticket), { keyId, product, expiresAtMs });
      return { ticket, expiresAtMs };
    },
    /** The key that a ticket was issued for, once; null: it is unknown, used, expired or for another product. */
    redeem(ticket: string, product: LiveProduct): string | null {
      const hash = digest(ticket);
      const found = known.get(hash);
      known.delete(hash);
      return found?.product === product && found.expiresAtMs > now() ? found.keyId : null;
    },
  };
}

const ticketBody = z.strictObject({ transport: z.literal('websocket'), service: z.enum(['tts', 'stt']) });

async function issueTicket({ request, caller }: Exchange, { tickets, socketUrl }: Services): Promise<Answer> {
  const { service } = await readJson(request, ticketBody);
  if (!grants(caller, `${service}_realtime:access`))
    refuse(403, 'insufficient_scope', `This key has no permission ${service}_realtime:access.`);
  const { ticket, expiresAtMs } = tickets.issue(caller.id, service);
  return json(201, {
    ticket,
    service,
    transport: 'websocket',
    scope: `${service}:realtime`,
    expires_at: time(expiresAtMs),
    websocket_url: `${socketUrl()}${livePaths[service]}`,
  });
}

/** The handler decides which of the permissions the request needs. */
export const ticketRoutes: readonly Route[] = [
  route('POST', '/v1/ticket', issueTicket, 'stt_realtime:access', 'tts_realtime:access'),
];

export type Event = Readonly<Record<string, unknown>>;
export const errorEvent = (code: string, message: string): Event => ({ event: 'error', code, message });

/** One live connection of a key. */
export interface Connection {
  readonly socket: WebSocket;
  readonly services: Services;
  readonly requestId: string;
  readonly keyId: string;
}

export const sendEvent = ({ socket }: Connection, event: Event): void => socket.send(JSON.stringify(event));

/** Hands over what is sent, until the connection is silent for too long. Returns how to begin the silence anew. */
export function serveConnection(
  connection: Connection,
  sampleRate: number,
  take: (data: Buffer, isBinary: boolean) => void,
): () => void {
  const { socket, services } = connection;
  let isOver = false;
  const idle = setTimeout(() => {
    isOver = true;
    sendEvent(connection, errorEvent('timeout', 'Nothing was sent for a long time.'));
    socket.close(1000);
  }, services.limits.dictationIdleMs);
  idle.unref();
  socket.on('error', () => undefined);
  socket.on('close', () => clearTimeout(idle));
  socket.on('message', (data: Buffer, isBinary) => {
    // What comes after the end would be charged without an answer.
    if (isOver) return;
    idle.refresh();
    take(data, isBinary);
  });
  sendEvent(connection, { event: 'ready', audio_format: 'pcm_s16le', sample_rate: sampleRate, channels: 1 });
  return () => void idle.refresh();
}

/** A message of a client as this schema reads it; null: it is none. */
export function readMessage<T>(schema: z.ZodType<T>, data: Buffer): T | null {
  try {
    return schema.safeParse(JSON.parse(data.toString('utf8'))).data ?? null;
  } catch {
    return null;
  }
}

/** Which field of a message is not right. */
export const fieldOf = (error: z.ZodError): string => error.issues[0]?.path.join('.') || 'unknown field';

/** What the faults of this run do: the code of an error to send, the end of the connection, or how often to answer. */
interface LiveFaults {
  readonly error?: string;
  readonly isClosed?: true;
  readonly times: number;
}

/** Without faults the outcome is there at once. */
export function meetLiveFaults(
  { socket, services }: Pick<Connection, 'socket' | 'services'>,
  event: 'realtime-commit' | 'realtime-piece',
): Promise<LiveFaults> | LiveFaults {
  const faults = services.faultPlan.meetEvent(event);
  const meet = async (): Promise<LiveFaults> => {
    let times = 1;
    for (const fault of faults) {
      if (fault.fault === 'commit-error') return { error: fault.code, times };
      if (fault.fault === 'commit-close') {
        socket.close(fault.closeCode, 'practice fault');
        return { isClosed: true, times };
      }
      if (fault.fault === 'commit-delay') await wait(fault.ms, undefined, { ref: false });
      if (fault.fault === 'commit-silent') times = 0;
      if (fault.fault === 'commit-twice') times = 2;
    }
    return { times };
  };
  return faults.length === 0 ? { times: 1 } : meet();
}

/** Charges for something live and records it; otherwise the event that says why not. */
export function chargeLive(
  { services, requestId, keyId }: Connection,
  product: LiveProduct,
  amount: Pick<Charge, 'units' | 'durationMs' | 'characters'>,
  content: string | Buffer,
  fields: Event,
): Event | null {
  const caller = get(services.state.keys, keyId);
  if (caller === null) return errorEvent('service_unavailable', 'The key of this connection is gone.');
  if (unaffordable(services.state, caller, amount.units) !== null)
    return errorEvent('insufficient_credits', 'There are not enough credits.');
  const subject = newId('live');
  bill(
    services,
    { requestId, caller },
    {
      ...amount,
      subject,
      product,
      operation: 'realtime',
      state: 'settled',
      route: `WSS ${livePaths[product]}`,
      idempotencyKey: subject,
      audioSha256: digest(content),
      fields,
    },
  );
  services.save();
  return null;
}

const rate = 16_000;
const bytesPerMs = (rate * 2) / 1000;
const leastMs = 100;
const mostMs = 35_000;
const webmHead = Buffer.from([0x1a, 0x45, 0xdf, 0xa3]);

const message = z.union([
  z.looseObject({ type: z.enum(['start', 'commit']) }).transform(({ type, ...sent }) => ({ kind: type, sent })),
  z.looseObject({ action: z.enum(['stop', 'interrupt']) }).transform(({ action, ...sent }) => ({ kind: action, sent })),
]);
const start = z.strictObject({
  language: z.enum(speechLanguages),
  audio_format: z.literal('pcm_s16le'),
  sample_rate: z.literal(rate),
  channels: z.literal(1),
  word_timestamps: z.boolean().default(false),
});

interface Utterance {
  readonly language: SpeechLanguage;
  readonly pcm: Buffer;
  readonly durationMs: number;
}

/** One connection of contract 4.10: an utterance is started, heard, and worked on until its answer is sent. */
export function serveDictation(connection: Connection): void {
  let started: { readonly language: SpeechLanguage; readonly chunks: Buffer[]; bytes: number } | null = null;
  let working: Utterance | null = null;
  const fail = (code: string, words: string): void => sendEvent(connection, errorEvent(code, words));

  const takeStart = (sent: unknown): void => {
    if (started !== null && started.bytes > 0)
      return fail('busy', 'Commit or interrupt the utterance that was started.');
    const parsed = start.safeParse(sent);
    if (!parsed.success) return fail('validation_error', `start is not right: ${fieldOf(parsed.error)}.`);
    started = { language: parsed.data.language, chunks: [], bytes: 0 };
  };

  const takeAudio = (chunk: Buffer): void => {
    if (working !== null) return fail('busy', 'The last utterance is still being worked on.');
    if (started === null) return fail('not_started', 'Send start before the sound.');
    const isFirst = started.bytes === 0;
    started.bytes += chunk.length;
    started.chunks.push(chunk);
    const isWebm = isFirst && chunk.subarray(0, webmHead.length).equals(webmHead);
    const isLong = started.bytes > mostMs * bytesPerMs;
    if (isWebm || isLong) started = null;
    if (isWebm) fail('invalid_audio', 'Send bare PCM, not WebM.');
    else if (isLong) fail('audio_too_long', 'An utterance has at most 35 seconds.');
  };

  const answer = async (utterance: Utterance): Promise<void> => {
    const met = meetLiveFaults(connection, 'realtime-commit');
    const { error, isClosed = false, times } = met instanceof Promise ? await met : met;
    if (isClosed) return;
    const { recogniser } = connection.services;
    // Samples are known at once, so that what follows in the same packet meets an utterance that is done.
    const heard =
      recogniser === null || error !== undefined
        ? null
        : await recogniser.hear(samplesOf(utterance), utterance.language);
    // Another utterance may be in progress by now, after an interruption.
    if (working !== utterance) return;
    working = null;
    const event = error === undefined ? answerTo(utterance, heard, connection) : errorEvent(error, 'Practice fault.');
    for (let left = times; left > 0; left -= 1) sendEvent(connection, event);
  };

  const takeCommit = (): void => {
    if (started === null) return fail('not_started', 'Send start and sound before commit.');
    const { language, chunks, bytes } = started;
    started = null;
    if (bytes % 2 !== 0) return fail('invalid_audio', 'Half of a sample is missing.');
    if (bytes < leastMs * bytesPerMs) return fail('invalid_audio', 'An utterance has at least 100 milliseconds.');
    working = { language, pcm: Buffer.concat(chunks), durationMs: Math.round(bytes / bytesPerMs) };
    answer(working).catch(() => connection.socket.terminate());
  };

  serveConnection(connection, rate, (data, isBinary) => {
    if (isBinary) return takeAudio(data);
    const taken = readMessage(message, data);
    if (taken?.kind === 'interrupt') {
      started = null;
      working = null;
    } else if (taken === null) fail('invalid_message', 'Send start, commit, stop or interrupt.');
    else if (working !== null) fail('busy', 'The last utterance is still being worked on.');
    else if (taken.kind === 'start') takeStart(taken.sent);
    else takeCommit();
  });
}

const samplesOf = ({ pcm }: Utterance): Float32Array =>
  Float32Array.from({ length: pcm.length / 2 }, (_, at) => pcm.readInt16LE(at * 2) / 32_768);

/** The one event that answers an utterance, with the words that were heard. Without speech it costs nothing. */
function answerTo(
  utterance: Utterance,
  heard: readonly HeardWord[] | Recognition | null,
  connection: Connection,
): Event {
  if (heard !== null && 'kind' in heard) {
    const isOfModel = heard.kind === 'failed' && heard.code !== 'internal_error';
    return errorEvent(isOfModel ? heard.code : 'service_unavailable', 'The words could not be recognised.');
  }
  const { language, durationMs, pcm } = utterance;
  const segments = heard === null ? knownSegments(utterance) : heardSegments(utterance, heard);
  if (segments.length === 0) return errorEvent('no_speech_detected', 'No speech was heard.');
  const text = segments.map((segment) => segment.text).join(' ');
  const fields = { language, samples: pcm.length / 2 };
  const refusal = chargeLive(connection, 'stt', { units: sttUnits(durationMs, false), durationMs }, pcm, fields);
  return refusal ?? { event: 'final', text, language, duration_ms: durationMs, segments };
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
  track.add({ channels: [samples], sampleRate: rate });
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
