import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { closeRow, liveCodeRow } from '../../shared/domain/failures/live-rows.ts';
import type { ReceivedTranscript } from '../../shared/domain/transcript/received.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { ok, type Result } from '../../shared/result/result.ts';
import { endpoints } from './endpoints.ts';
import { connectionOf, ticketTarget, type TicketApi } from './connection.ts';
import {
  cleanedBy,
  isFormatOurs,
  openReadyStream,
  readStreamError,
  readStreamMessage,
  readyNames,
  type LiveContext,
  type LiveEnd,
  type LiveFrame,
  type LiveSocket,
} from './live-socket.ts';
import { readTranscript } from './read-transcript.ts';
import { unwrap } from './values.ts';

/** Audio as the service takes it live: 16-bit little-endian, mono, 16 kHz. */
const format = { audio_format: 'pcm_s16le', sample_rate: 16_000, channels: 1 } as const;
/** A `final` for 35 s of speech with all its words takes some tens of kilobytes. */
const maxFrameBytes = 2 * 1024 * 1024;

/** `partial` is undocumented but accepted; `unknown`: a type of a newer service; `unreadable`: no message at all. */
export type SocketMessage =
  | { readonly kind: 'final'; readonly result: ReceivedTranscript }
  | { readonly kind: 'partial' | 'unknown' | 'unreadable' }
  | { readonly kind: 'error'; readonly code: string; readonly message: string | null };

export interface SocketHandlers {
  onMessage(message: SocketMessage): void;
  /** Pings are not answered. True: the connection is kept nevertheless. */
  onSilence(): boolean;
  onEnd(end: Failure): void;
}

export type LiveDictation = ReturnType<typeof createLiveDictation>;
export type DictationSocket = ReturnType<typeof commandsOf>;

/** Dictation over the service (contract 4.10): connections, and what their user has to know of the client. */
export function createLiveDictation(context: LiveContext, tickets: TicketApi) {
  const { clock, log, ledger, isFree } = context;
  return {
    clock,
    log,
    ledger,
    isFree,
    allowProbe: (): void => context.allowProbe(),
    /** One ticket and one connection that is ready for `start`. Refused before the upgrade: by its status. */
    async open(handlers: SocketHandlers, signal: AbortSignal): Promise<Result<DictationSocket>> {
      const ticket = await tickets.ticket('stt', signal);
      if (!ticket.ok) return ticket;
      const connection = connectionOf(context.connection);
      if (!connection.ok) return connection;
      const endpoint = endpoints['dictate.stream'];
      const target = ticketTarget(connection.value, endpoint, ticket.value, context.allowsLoopbackHttp);
      if (!target.ok) return target;
      const limits = { ...context.limits, maxFrameBytes: Math.min(context.limits.maxFrameBytes, maxFrameBytes) };
      const listener = listen(handlers, cleanedBy(target.value.secrets));
      const late = makeFailure('live-start-timeout', { code: 'no_ready' });
      const socket = await openReadyStream({ ...context, limits }, target.value, 'dictation', listener, late, signal);
      return socket.ok ? ok(commandsOf(socket.value)) : socket;
    },
  };
}

/** Resolves `ready` when the service is, or to what came instead; from then on `handlers` are called. */
function listen(handlers: SocketHandlers, clean: (text: string | null) => string | undefined) {
  const ready = Promise.withResolvers<Failure | null>();
  let isReady = false;
  const read = (text: string): SocketMessage | null => {
    const message = readStreamMessage(text);
    if (message === null) return { kind: 'unreadable' };
    const { name, body } = message;
    if (name === 'error') {
      const error = readStreamError(body);
      return { kind: 'error', code: error.code, message: clean(error.message) ?? null };
    }
    if (readyNames.has(name)) {
      const isOurs = isFormatOurs(body, /^pcm_s16le$/iu, format.sample_rate);
      isReady ||= isOurs;
      ready.resolve(isOurs ? null : makeFailure('audio-format-changed', { code: 'other_audio_format' }));
      return null;
    }
    const result = finalNames.has(name) ? readTranscript(unwrap(body), true) : null;
    if (result !== null) return { kind: 'final', result };
    return { kind: partialNames.has(name) ? 'partial' : 'unknown' };
  };
  return {
    ready,
    onFrame(frame: LiveFrame): void {
      const message: SocketMessage | null = frame.kind === 'text' ? read(frame.text) : { kind: 'unknown' };
      if (message === null) return;
      if (isReady) return handlers.onMessage(message);
      // Before `ready`, an error is the answer to the handshake; any other message may be ignored.
      if (message.kind !== 'error') return;
      const row = liveCodeRow(message.code) === 'live-credits-exhausted' ? 'live-credits-exhausted' : 'live-dropped';
      ready.resolve(makeFailure(row, { code: message.code, details: message.message ?? undefined }));
    },
    onSilence: () => isReady && handlers.onSilence(),
    onEnd(end: LiveEnd): void {
      if (isReady) handlers.onEnd(failureOf(end));
      else ready.resolve(failureOf(end));
    },
  };
}

const finalNames = new Set(['final', 'final_transcript', 'result', 'transcript', 'completed']);
const partialNames = new Set(['partial', 'interim', 'partial_transcript', 'delta']);

function failureOf({ code, why }: LiveEnd): Failure {
  if (why === 'silent') return makeFailure('live-aborted', { code: 'ping_unanswered' });
  if (why === 'unsent') return makeFailure('live-aborted', { code: 'send_overflow' });
  return makeFailure(closeRow(code, false), { code: `close_${code}` });
}

const commandsOf = (socket: LiveSocket) => ({
  start: (language: string): boolean => socket.say({ type: 'start', language, ...format, word_timestamps: true }),
  sound: (pcm: Uint8Array, whenSent: () => void): boolean => socket.send(pcm, whenSent),
  commit: (): boolean => socket.say({ type: 'commit' }),
  interrupt: (): boolean => socket.say({ action: 'interrupt' }),
  isHeard: (whenHeard: () => void): boolean => socket.isHeard(whenHeard),
  unsentBytes: (): number => socket.unsentBytes(),
  close: (): void => socket.close(),
});
