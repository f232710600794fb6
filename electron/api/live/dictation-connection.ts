import { reconnectDelayMs, reconnectPatienceMs, ticketDelayMs } from '../../../shared/domain/dictation/on-error.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { isUnreached } from '../../../shared/domain/failures/network-fault.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { sleep } from '../../service/transport.ts';
import { ticketTarget, type TicketApi, type Ticket } from '../../service/connection.ts';
import {
  cleanedBy,
  openLiveConnection,
  type LiveContext,
  type LiveEnd,
  type LiveFrame,
  type LiveSocket,
} from '../http/live-socket.ts';
import { closeRow, liveCodeRow } from '../../../shared/domain/failures/live-rows.ts';
import { endpoints } from '../../service/endpoints.ts';
import { readDictationMessage, type DictationMessage, type StreamFormat } from '../../service/stream-messages.ts';

export interface DictationConnectionHandlers {
  onDialing(isFirst: boolean): void;
  onTrouble(failure: Failure): void;
  onOpen(): void;
  onMessage(message: DictationSocketMessage): void;
  onLost(end: Failure): void;
  onSilence(): boolean;
  onLateMessage(message: DictationSocketMessage): void;
  onLateEnd(): void;
  onGaveUp(failure: Failure): void;
}

/** Beside it perhaps one that was set aside because it owes an answer. */
export class DictationConnection {
  readonly #dialer: DictationDialer;
  readonly #handlers: DictationConnectionHandlers;
  #socket: DictationSocket | null = null;
  #number = 0;
  #endedNumber = 0;
  #aside: { readonly number: number; readonly socket: DictationSocket } | null = null;
  #isDialing = false;
  #isClosed = false;

  constructor(dialer: DictationDialer, handlers: DictationConnectionHandlers) {
    this.#dialer = dialer;
    this.#handlers = handlers;
  }

  get socket(): DictationSocket | null {
    return this.#socket;
  }

  dial(): void {
    if (this.#isDialing || this.#isClosed) return;
    this.#isDialing = true;
    this.#handlers.onDialing(this.#number === 0);
    void this.#dialer
      .dial(
        () => this.#listen(),
        (failure) => this.#handlers.onTrouble(failure),
      )
      .then((socket) => {
        this.#isDialing = false;
        if (this.#isClosed) return socket.ok ? socket.value.close(true) : undefined;
        if (!socket.ok) return this.#handlers.onGaveUp(socket.error);
        // The connection may have ended before the caller received it.
        if (this.#endedNumber === this.#number)
          return this.#handlers.onLost(makeFailure('live-closed', { code: 'ended_at_once' }));
        this.#socket = socket.value;
        return this.#handlers.onOpen();
      });
  }

  #listen(): DictationSocketHandlers {
    this.#number += 1;
    const number = this.#number;
    const isInUse = (): boolean => number === this.#number && !this.#isClosed;
    const isAside = (): boolean => number === this.#aside?.number;
    return {
      onMessage: (message) => {
        if (isInUse()) this.#handlers.onMessage(message);
        else if (isAside()) this.#handlers.onLateMessage(message);
      },
      onSilence: () => isAside() || (isInUse() && this.#socket !== null && this.#handlers.onSilence()),
      onEnd: (end) => {
        this.#endedNumber = number;
        if (isInUse() && this.#socket !== null) this.#handlers.onLost(end);
        else if (isAside()) this.#handlers.onLateEnd();
      },
    };
  }

  setAside(): void {
    if (this.#socket !== null) this.#aside = { number: this.#number, socket: this.#socket };
    this.#socket = null;
    this.#number += 1;
  }

  leaveAside(): void {
    const aside = this.#aside;
    this.#aside = null;
    aside?.socket.close(false);
  }

  leave(): void {
    const socket = this.#socket;
    this.#socket = null;
    this.#number += 1;
    socket?.close(false);
  }

  close(isDone: boolean): void {
    this.#isClosed = true;
    this.#socket?.close(isDone);
    this.#socket = null;
  }
}

/** Only a text forgets failures: a connection that opens and breaks every time is trouble too. */
export class DictationDialer {
  readonly #context: LiveContext;
  readonly #tickets: TicketApi;
  readonly #signal: AbortSignal;
  #failures = 0;
  #refusals = 0;
  #violations = 0;
  #troubleSinceMs: number | null = null;
  #endWait: () => void = () => undefined;

  constructor(context: LiveContext, tickets: TicketApi, signal: AbortSignal) {
    this.#context = context;
    this.#tickets = tickets;
    this.#signal = signal;
  }

  tryNow(): void {
    this.#context.allowProbe?.();
    this.#endWait();
  }

  noteSuccess(): void {
    this.#failures = 0;
    this.#refusals = 0;
    this.#violations = 0;
    this.#troubleSinceMs = null;
  }

  /** A broken protocol is tried once more (live-refused). */
  allowsViolation(): boolean {
    this.#violations += 1;
    return this.#violations <= 1;
  }

  noteTrouble(): boolean {
    const nowMs = this.#context.clock.monotonic();
    if (this.#troubleSinceMs === null) this.#troubleSinceMs = nowMs;
    else this.#failures += 1;
    return nowMs - this.#troubleSinceMs < reconnectPatienceMs;
  }

  async dial(
    handlers: () => DictationSocketHandlers,
    onTrouble: (failure: Failure) => void,
  ): Promise<Result<DictationSocket>> {
    for (let waitMs = this.#firstWaitMs(); ;) {
      if (!(await this.#wait(waitMs))) return err(cancelled());
      const socket = await this.#tryOnce(handlers());
      if (socket.ok || this.#signal.aborted) return socket;
      const nextMs = this.#nextWaitMs(socket.error);
      if (typeof nextMs !== 'number') return err(nextMs);
      onTrouble(socket.error);
      waitMs = nextMs;
    }
  }

  async #wait(ms: number): Promise<boolean> {
    const ended = new AbortController();
    this.#endWait = () => ended.abort();
    await sleep(this.#context.clock, ms, AbortSignal.any([this.#signal, ended.signal]));
    return !this.#signal.aborted;
  }

  #firstWaitMs(): number {
    return this.#troubleSinceMs === null ? 0 : reconnectDelayMs(this.#failures);
  }

  async #tryOnce(handlers: DictationSocketHandlers): Promise<Result<DictationSocket>> {
    const ticket = await this.#tickets.ticket('stt', this.#signal);
    return ticket.ok ? openDictationSocket(this.#context, ticket.value, handlers, this.#signal) : ticket;
  }

  #nextWaitMs(failure: Failure): number | Failure {
    if (failure.retry !== 'same_key') return failure;
    const nowMs = this.#context.clock.monotonic();
    this.#troubleSinceMs ??= nowMs;
    const isOver = nowMs - this.#troubleSinceMs >= reconnectPatienceMs;
    if (failure.kind === 'live-refused' && !this.allowsViolation()) return gaveUp(failure);
    if (failure.kind === 'live-ticket-expired') {
      this.#refusals += 1;
      const delayMs = ticketDelayMs(this.#refusals);
      return delayMs === null || isOver ? gaveUp(failure) : delayMs;
    }
    this.#failures += 1;
    return isOver ? gaveUp(failure) : Math.max(reconnectDelayMs(this.#failures), failure.retryAfterMs ?? 0);
  }
}

export const cancelled = (): Failure =>
  makeFailure('live-text-stopped', { code: 'cancelled', outcome: 'not_sent', layer: 'local' });

/**
 * Live transcription has ended; the code says by what, or the row where only the user can help, or nobody was reached.
 */
export const gaveUp = (failure: Failure): Failure => {
  const { kind, code, requestId, details, status } = failure;
  if (kind === 'model-missing' || kind === 'model-unusable' || kind === 'memory-short' || isUnreached(failure))
    return failure;
  return makeFailure('live-text-stopped', { code, requestId, details, ...(status === undefined ? {} : { status }) });
};

/** Audio as the service takes it live: 16-bit little-endian, mono, 16 kHz. */
export const dictationFormat = { audioFormat: 'pcm_s16le', sampleRate: 16_000, channels: 1 } as const;
export const bytesPerMs = (dictationFormat.sampleRate * 2) / 1000;

export const msOf = (bytes: number): number => Math.round(bytes / bytesPerMs);

const readyMs = 5000;
/** A `final` for 35 s of speech with all its words takes some tens of kilobytes. */
const maxFrameBytes = 2 * 1024 * 1024;

export type DictationSocketMessage = Exclude<DictationMessage, { kind: 'ready' }>;

export interface DictationSocketHandlers {
  onMessage(message: DictationSocketMessage): void;
  onSilence(): boolean;
  onEnd(end: Failure): void;
}

export function endOfSocket({ code, why }: LiveEnd, isDone: boolean): Failure {
  if (why === 'silent') return makeFailure('live-aborted', { code: 'ping_unanswered' });
  if (why === 'unsent') return makeFailure('live-aborted', { code: 'send_overflow' });
  return makeFailure(closeRow(code, isDone), { code: `close_${code}` });
}

/** Before the upgrade by its status; live-start-timeout without `ready`, audio-format-changed for another format. */
export async function openDictationSocket(
  context: LiveContext,
  ticket: Ticket,
  handlers: DictationSocketHandlers,
  signal?: AbortSignal,
): Promise<Result<DictationSocket>> {
  const connection = context.connection();
  if (connection === null)
    return err(makeFailure('key-missing', { code: 'no_key', outcome: 'not_sent', layer: 'local' }));
  const endpoint = endpoints['dictate.stream'];
  const target = ticketTarget(connection, endpoint, ticket, context.allowsLoopbackHttp);
  if (!target.ok) return target;
  const opening = new LineOpening(context, handlers, cleanedBy(target.value.secrets));
  const limits = { ...context.limits, maxFrameBytes: Math.min(context.limits.maxFrameBytes, maxFrameBytes) };
  const socket = await openLiveConnection({ ...context, limits }, target.value, 'dictation', opening, signal);
  if (!socket.ok) {
    opening.cancel();
    return socket;
  }
  return opening.wait(socket.value);
}

class LineOpening {
  readonly #context: LiveContext;
  readonly #handlers: DictationSocketHandlers;
  readonly #clean: (text: string | null) => string | undefined;
  readonly #ready = Promise.withResolvers<Failure | null>();
  #isReady = false;
  #isDone = false;
  #takeBack: () => void = () => undefined;

  constructor(
    context: LiveContext,
    handlers: DictationSocketHandlers,
    clean: (text: string | null) => string | undefined,
  ) {
    this.#context = context;
    this.#handlers = handlers;
    this.#clean = clean;
    this.#takeBack = () => undefined;
  }

  cancel(): void {
    this.#ready.resolve(null);
  }

  onFrame(frame: LiveFrame): void {
    if (frame.kind === 'bytes') return this.#take({ kind: 'unknown' });
    const message = readDictationMessage(frame.text);
    if (message.kind === 'ready') return this.#judge(message.format);
    this.#take(message);
  }

  #take(message: DictationSocketMessage): void {
    const said = message.kind === 'error' ? { ...message, message: this.#clean(message.message) ?? null } : message;
    if (this.#isReady) return this.#handlers.onMessage(said);
    // Before `ready`, an error is the answer to the handshake; any other message may be ignored.
    if (said.kind !== 'error') return;
    const row = liveCodeRow(said.code) === 'live-credits-exhausted' ? 'live-credits-exhausted' : 'live-dropped';
    this.#ready.resolve(makeFailure(row, { code: said.code, details: said.message ?? undefined }));
  }

  #judge({ audioFormat, sampleRate, channels }: StreamFormat): void {
    const isOurs =
      (audioFormat ?? dictationFormat.audioFormat) === dictationFormat.audioFormat &&
      (sampleRate ?? dictationFormat.sampleRate) === dictationFormat.sampleRate &&
      (channels ?? dictationFormat.channels) === dictationFormat.channels;
    if (this.#isReady) return;
    this.#isReady = isOurs;
    this.#ready.resolve(isOurs ? null : makeFailure('audio-format-changed', { code: 'other_audio_format' }));
  }

  onSilence(): boolean {
    return this.#isReady && this.#handlers.onSilence();
  }

  onEnd(end: LiveEnd): void {
    const failure = endOfSocket(end, this.#isDone);
    if (this.#isReady) this.#handlers.onEnd(failure);
    else this.#ready.resolve(failure);
  }

  async wait(socket: LiveSocket): Promise<Result<DictationSocket>> {
    this.#takeBack = this.#context.clock.after(readyMs, () =>
      this.#ready.resolve(makeFailure('live-start-timeout', { code: 'no_ready' })),
    );
    const failure = await this.#ready.promise;
    this.#takeBack();
    if (failure !== null) {
      socket.close();
      return err(failure);
    }
    return ok(this.opened(socket));
  }

  opened(socket: LiveSocket) {
    const say = (message: object): boolean => socket.send(JSON.stringify(message));
    return {
      start: (language: string, hasWordTimes: boolean) =>
        say({
          type: 'start',
          language,
          audio_format: dictationFormat.audioFormat,
          sample_rate: dictationFormat.sampleRate,
          channels: dictationFormat.channels,
          word_timestamps: hasWordTimes,
        }),
      sound: (pcm: Uint8Array, whenSent: () => void) => socket.send(pcm, whenSent),
      commit: () => say({ type: 'commit' }),
      isHeard: (whenHeard: () => void) => socket.isHeard(whenHeard),
      interrupt: () => say({ action: 'interrupt' }),
      unsentBytes: () => socket.unsentBytes(),
      /** `isDone`: nothing is outstanding, and the end is then dictation-finished. */
      close: (isDone: boolean): void => {
        this.#isDone = isDone;
        socket.close();
      },
    };
  }
}

export type DictationSocket = ReturnType<LineOpening['opened']>;
