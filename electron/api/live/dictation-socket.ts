import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { closeRow, liveCodeRow } from '../../../shared/domain/failures/live-rows.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { readDictationMessage, type DictationMessage, type StreamFormat } from '../../../shared/wire/read-dictation.ts';
import type { LiveEnd, LiveFrame, LiveSocket } from '../http/live-socket.ts';
import { ticketTarget } from '../http/stream-address.ts';
import type { Ticket } from '../resources/ticket.ts';
import { cleanedBy, openLiveConnection, type LiveContext } from './live-connection.ts';

/** Audio as the service takes it live: 16-bit little-endian, mono, 16 kHz. */
export const dictationFormat = { audioFormat: 'pcm_s16le', sampleRate: 16_000, channels: 1 } as const;
export const bytesPerMs = (dictationFormat.sampleRate * 2) / 1000;

/** Milliseconds of so many bytes of audio. */
export const msOf = (bytes: number): number => Math.round(bytes / bytesPerMs);

const readyMs = 5000;
/** A `final` for 35 s of speech with all its words takes some tens of kilobytes. */
const maxFrameBytes = 2 * 1024 * 1024;

/** What the service says on an open connection, without `ready`. */
export type DictationSocketMessage = Exclude<DictationMessage, { kind: 'ready' }>;

export interface DictationSocketHandlers {
  onMessage(message: DictationSocketMessage): void;
  /** Called while nothing is heard, not even answers to pings; true: wait on. */
  onSilence(): boolean;
  /** Called once, after the last message, for a connection that was ready. */
  onEnd(end: Failure): void;
}

/** One connection of contract 4.10 that has said `ready`. */
export interface DictationSocket {
  start(language: string, hasWordTimes: boolean): boolean;
  /** False: the connection has ended. */
  sound(pcm: Uint8Array, whenSent: () => void): boolean;
  commit(): boolean;
  /** Whether the service was heard lately; if not, `whenHeard` is called once it is. */
  isHeard(whenHeard: () => void): boolean;
  interrupt(): boolean;
  unsentBytes(): number;
  /** Ends the connection; `isDone` means that nothing is outstanding, and the end is then E-140. */
  close(isDone: boolean): void;
}

/** The failure with which a connection ended; E-140 for a normal end. */
export function endOfSocket({ code, why }: LiveEnd, isDone: boolean): Failure {
  if (why === 'silent') return makeFailure('E-146', { code: 'ping_unanswered' });
  if (why === 'unsent') return makeFailure('E-146', { code: 'send_overflow' });
  return makeFailure(closeRow(code, isDone), { code: `close_${code}` });
}

/**
 * Opens a connection with a fresh ticket and waits until the service reports that it is ready and accepts our format.
 * Failures: those before the upgrade (E-121 to E-124), E-125 without a `ready`, E-126 for another format, or whatever
 * ended the connection earlier.
 */
export async function openDictationSocket(
  context: LiveContext,
  ticket: Ticket,
  handlers: DictationSocketHandlers,
  signal?: AbortSignal,
): Promise<Result<DictationSocket, Failure>> {
  const connection = context.connection();
  if (connection === null) return err(makeFailure('E-235', { code: 'no_key', outcome: 'not_sent', layer: 'local' }));
  const endpoint = context.wire.endpoints['dictate.stream'];
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
    const message = readDictationMessage(frame.text, this.#context.wire.aliases);
    if (message.kind === 'ready') return this.#judge(message.format);
    this.#take(message);
  }

  #take(message: DictationSocketMessage): void {
    const said = message.kind === 'error' ? { ...message, message: this.#clean(message.message) ?? null } : message;
    if (this.#isReady) return this.#handlers.onMessage(said);
    // Before `ready`, an error is the answer to the handshake; any other message may be ignored.
    if (said.kind !== 'error') return;
    const row = liveCodeRow(said.code) === 'E-133' ? 'E-133' : 'E-124';
    this.#ready.resolve(makeFailure(row, { code: said.code, details: said.message ?? undefined }));
  }

  #judge({ audioFormat, sampleRate, channels }: StreamFormat): void {
    const isOurs =
      (audioFormat ?? dictationFormat.audioFormat) === dictationFormat.audioFormat &&
      (sampleRate ?? dictationFormat.sampleRate) === dictationFormat.sampleRate &&
      (channels ?? dictationFormat.channels) === dictationFormat.channels;
    if (this.#isReady) return;
    this.#isReady = isOurs;
    this.#ready.resolve(isOurs ? null : makeFailure('E-126', { code: 'other_audio_format' }));
  }

  onSilence(): boolean {
    return this.#isReady && this.#handlers.onSilence();
  }

  onEnd(end: LiveEnd): void {
    const failure = endOfSocket(end, this.#isDone);
    if (this.#isReady) this.#handlers.onEnd(failure);
    else this.#ready.resolve(failure);
  }

  async wait(socket: LiveSocket): Promise<Result<DictationSocket, Failure>> {
    this.#takeBack = this.#context.clock.after(readyMs, () =>
      this.#ready.resolve(makeFailure('E-125', { code: 'no_ready' })),
    );
    const failure = await this.#ready.promise;
    this.#takeBack();
    if (failure !== null) {
      socket.close();
      return err(failure);
    }
    const say = (message: object): boolean => socket.send(JSON.stringify(message));
    return ok({
      start: (language, hasWordTimes) =>
        say({
          type: 'start',
          language,
          audio_format: dictationFormat.audioFormat,
          sample_rate: dictationFormat.sampleRate,
          channels: dictationFormat.channels,
          word_timestamps: hasWordTimes,
        }),
      sound: (pcm, whenSent) => socket.send(pcm, whenSent),
      commit: () => say({ type: 'commit' }),
      isHeard: (whenHeard) => socket.isHeard(whenHeard),
      interrupt: () => say({ action: 'interrupt' }),
      unsentBytes: () => socket.unsentBytes(),
      close: (isDone) => {
        this.#isDone = isDone;
        socket.close();
      },
    });
  }
}
