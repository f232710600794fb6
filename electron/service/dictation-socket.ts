import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { closeRow, liveCodeRow } from '../../shared/domain/failures/live-rows.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { endpoints } from './endpoints.ts';
import { readDictationMessage, type DictationMessage, type StreamFormat } from './stream-messages.ts';
import { ticketTarget, type TicketApi } from './connection.ts';
import {
  cleanedBy,
  openLiveConnection,
  type LiveContext,
  type LiveEnd,
  type LiveFrame,
  type LiveSocket,
} from './live-socket.ts';

/** Audio as the service takes it live: 16-bit little-endian, mono, 16 kHz. */
const format = { audio_format: 'pcm_s16le', sample_rate: 16_000, channels: 1 } as const;
const readyMs = 5000;
/** A `final` for 35 s of speech with all its words takes some tens of kilobytes. */
const maxFrameBytes = 2 * 1024 * 1024;

export type SocketMessage = Exclude<DictationMessage, { kind: 'ready' }>;

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
  const { clock, log, ledger, isFree = false } = context;
  return {
    clock,
    log,
    ledger,
    isFree,
    allowProbe: (): void => context.allowProbe?.(),
    /** One ticket and one connection that is ready for `start`. Refused before the upgrade: by its status. */
    async open(handlers: SocketHandlers, signal: AbortSignal): Promise<Result<DictationSocket>> {
      const ticket = await tickets.ticket('stt', signal);
      if (!ticket.ok) return ticket;
      const connection = context.connection();
      if (connection === null)
        return err(makeFailure('key-missing', { code: 'no_key', outcome: 'not_sent', layer: 'local' }));
      const target = ticketTarget(connection, endpoints['dictate.stream'], ticket.value, context.allowsLoopbackHttp);
      if (!target.ok) return target;
      const limits = { ...context.limits, maxFrameBytes: Math.min(context.limits.maxFrameBytes, maxFrameBytes) };
      const { listener, ready } = listen(handlers, cleanedBy(target.value.secrets));
      const socket = await openLiveConnection({ ...context, limits }, target.value, 'dictation', listener, signal);
      if (!socket.ok) return socket;
      const takeBack = clock.after(readyMs, () =>
        ready.resolve(makeFailure('live-start-timeout', { code: 'no_ready' })),
      );
      const failure = await ready.promise;
      takeBack();
      if (failure === null) return ok(commandsOf(socket.value));
      socket.value.close();
      return err(failure);
    },
  };
}

/** Resolves `ready` when the service is, or to what came instead; from then on `handlers` are called. */
function listen(handlers: SocketHandlers, clean: (text: string | null) => string | undefined) {
  const ready = Promise.withResolvers<Failure | null>();
  let isReady = false;
  const answer = (failure: Failure | null): void => {
    isReady ||= failure === null;
    ready.resolve(failure);
  };
  const take = (message: SocketMessage): void => {
    const said = message.kind === 'error' ? { ...message, message: clean(message.message) ?? null } : message;
    if (isReady) return handlers.onMessage(said);
    // Before `ready`, an error is the answer to the handshake; any other message may be ignored.
    if (said.kind !== 'error') return;
    const row = liveCodeRow(said.code) === 'live-credits-exhausted' ? 'live-credits-exhausted' : 'live-dropped';
    answer(makeFailure(row, { code: said.code, details: said.message ?? undefined }));
  };
  const listener = {
    onFrame(frame: LiveFrame): void {
      const message = frame.kind === 'text' ? readDictationMessage(frame.text) : ({ kind: 'unknown' } as const);
      if (message.kind !== 'ready') return take(message);
      if (isReady) return;
      answer(isOurs(message.format) ? null : makeFailure('audio-format-changed', { code: 'other_audio_format' }));
    },
    onSilence: () => isReady && handlers.onSilence(),
    onEnd(end: LiveEnd): void {
      if (isReady) handlers.onEnd(failureOf(end));
      else answer(failureOf(end));
    },
  };
  return { listener, ready };
}

const isOurs = ({ audioFormat, sampleRate, channels }: StreamFormat): boolean =>
  (audioFormat ?? format.audio_format) === format.audio_format &&
  (sampleRate ?? format.sample_rate) === format.sample_rate &&
  (channels ?? format.channels) === format.channels;

function failureOf({ code, why }: LiveEnd): Failure {
  if (why === 'silent') return makeFailure('live-aborted', { code: 'ping_unanswered' });
  if (why === 'unsent') return makeFailure('live-aborted', { code: 'send_overflow' });
  return makeFailure(closeRow(code, false), { code: `close_${code}` });
}

function commandsOf(socket: LiveSocket) {
  const say = (message: object): boolean => socket.send(JSON.stringify(message));
  return {
    start: (language: string): boolean => say({ type: 'start', language, ...format, word_timestamps: true }),
    sound: (pcm: Uint8Array, whenSent: () => void): boolean => socket.send(pcm, whenSent),
    commit: (): boolean => say({ type: 'commit' }),
    interrupt: (): boolean => say({ action: 'interrupt' }),
    /** Whether the other side was heard just now; if not, `whenHeard` is called once it is. */
    isHeard: (whenHeard: () => void): boolean => socket.isHeard(whenHeard),
    unsentBytes: (): number => socket.unsentBytes(),
    close: (): void => socket.close(),
  };
}
