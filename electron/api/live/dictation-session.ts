import { randomUUID } from 'node:crypto';
import { onDictationError, finalPatienceMs, type ErrorStep } from '../../../shared/domain/dictation/on-error.ts';
import { liveCodeRow } from '../../../shared/domain/failures/live-rows.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { PaidLedger } from '../../../shared/domain/ledger/paid-action.ts';
import type { ReceivedTranscript } from '../../../shared/domain/transcript/received.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { limits } from '../../service/limits.ts';
import type { TicketApi } from '../../service/connection.ts';
import {
  DictationConnection,
  cancelled,
  DictationDialer,
  gaveUp,
  type DictationSocket,
  type DictationSocketMessage,
} from './dictation-connection.ts';
import {
  Utterance,
  type DictationListener,
  type DictationState,
  type DictationOptions,
  type LostUtterance,
} from './utterance.ts';
import type { LiveContext } from '../http/live-socket.ts';
import { PaidStream } from '../../service/paid.ts';

/** An overlong utterance is cut at the quietest place between these two times, in milliseconds. */
const cut = { fromMs: 20_000, toMs: 34_500 } as const;

class UtteranceQueue {
  readonly #waiting: Utterance[] = [];
  readonly #ledger: PaidLedger | undefined;
  readonly #emit: DictationListener;
  #spoken = 0;
  language: SpeechLanguage;

  constructor(ledger: PaidLedger | undefined, language: SpeechLanguage, emit: DictationListener) {
    this.#ledger = ledger;
    this.language = language;
    this.#emit = emit;
  }

  get first(): Utterance | undefined {
    return this.#waiting[0];
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  get open(): Utterance | undefined {
    const last = this.#waiting.at(-1);
    return last?.closedAtMs === null ? last : undefined;
  }

  giveUp(failure: Failure): readonly LostUtterance[] {
    return this.#waiting.map((utterance) => {
      utterance.paid.fail({ ...failure, outcome: 'unknown' });
      return { utterance: utterance.ordinal, pcm: utterance.copy() };
    });
  }

  push(pcm: Uint8Array, nowMs: number): readonly (readonly [Utterance, Utterance])[] {
    if (this.open === undefined) this.#waiting.push(this.#next());
    this.open?.add(pcm);
    const cuts: [Utterance, Utterance][] = [];
    for (let { open } = this; open !== undefined && open.audioMs >= cut.toMs; { open } = this)
      cuts.push([open, this.cut(open, cut, nowMs)]);
    return cuts;
  }

  #next(language = this.language): Utterance {
    this.#spoken += 1;
    const named = { id: randomUUID(), route: 'dictate.stream', product: 'dictate' } as const;
    return new Utterance(this.#spoken, language, new PaidStream(this.#ledger, named), this.#emit);
  }

  remove(utterance: Utterance): void {
    const at = this.#waiting.indexOf(utterance);
    if (at >= 0) this.#waiting.splice(at, 1);
  }

  cut(utterance: Utterance, between: { readonly fromMs: number; readonly toMs: number }, nowMs: number): Utterance {
    return this.cutAt(utterance, utterance.quietest(between.fromMs, between.toMs), nowMs);
  }

  cutAt(utterance: Utterance, atByte: number, nowMs: number): Utterance {
    const wasOpen = utterance.closedAtMs === null;
    const rest = utterance.cutAt(atByte, nowMs);
    const next = this.#next(wasOpen ? this.language : utterance.language);
    next.add(rest);
    if (!wasOpen) next.close(nowMs);
    this.#waiting.splice(this.#waiting.indexOf(utterance) + 1, 0, next);
    return next;
  }
}

/** How much may wait in the socket; the rest waits with us. */
const highWaterBytes = 128 * 1024;
const chunkBytes = 16 * 1024;

/** The service may be at work on a late answer and would charge twice, so it is waited for on its own connection. */
class OverdueAnswer {
  readonly #parts: OverdueParts;
  #sending: Sending | null = null;
  #endPatience: () => void = () => undefined;

  constructor(parts: OverdueParts) {
    this.#parts = parts;
  }

  get isAwaited(): boolean {
    return this.#sending !== null;
  }

  await(sending: Sending | null, { code, row }: Failure): boolean {
    if (sending === null || sending.committedAtMs === null) return false;
    const { connection, context, dialer } = this.#parts;
    context.log.write({ event: 'stream-late', level: 'warn', code, row });
    this.#sending = sending;
    connection.setAside();
    dialer.noteTrouble();
    connection.dial();
    return true;
  }

  limit(): void {
    if (this.#sending === null) return;
    this.#endPatience();
    const patienceMs = finalPatienceMs(this.#sending.utterance.audioMs);
    this.#endPatience = this.#parts.context.clock.after(patienceMs, () => this.end());
  }

  take(message: DictationSocketMessage): void {
    const sending = this.#sending;
    if (sending === null || (message.kind !== 'final' && message.kind !== 'error')) return;
    if (message.kind === 'error') {
      // Whether the service charges for what took it too long, nobody knows.
      if (message.code !== 'timeout') sending.utterance.noteAnswer();
    } else if (!this.#parts.onText(message.result, sending)) return;
    this.end();
  }

  end(): void {
    if (this.#sending === null) return;
    this.#sending = null;
    this.#endPatience();
    this.#parts.connection.leaveAside();
    this.#parts.onOver();
  }
}

class AnswerHistory {
  #last: ReceivedTranscript | null = null;
  #overloadedSinceMs: number | null = null;
  #defects = 0;

  /** A second answer to the previous utterance (phrase-twice): the same words, and not of this length. */
  isRepeat(result: ReceivedTranscript, { audioMs }: Utterance): boolean {
    const { durationMs = audioMs } = result;
    return Math.abs(durationMs - audioMs) > 40 && JSON.stringify(this.#last) === JSON.stringify(result);
  }

  noteResult(result: ReceivedTranscript): void {
    this.#last = result;
  }

  forgetResult(): void {
    this.#last = null;
  }

  noteSettled(): void {
    this.#overloadedSinceMs = null;
    this.#defects = 0;
  }

  meet({ kind }: Failure, { utterance, committedAtMs }: Sending, nowMs: number): ErrorStep {
    if (kind === 'live-busy') this.#overloadedSinceMs ??= nowMs;
    if (kind === 'live-failed') this.#defects += 1;
    // Whether the service charges for what took it too long, nobody knows.
    if (committedAtMs !== null && kind !== 'phrase-timeout') utterance.noteAnswer();
    return onDictationError({
      kind,
      times: utterance.meet(kind),
      isAnswer: committedAtMs !== null,
      audioMs: utterance.audioMs,
      overloadedForMs: nowMs - (this.#overloadedSinceMs ?? nowMs),
      defects: this.#defects,
    });
  }
}

/** One session over as many connections as it takes. An utterance is sent when the text of the one before has come. */
export class LiveDictation {
  readonly #context: LiveContext;
  readonly #options: DictationOptions;
  readonly #emit: DictationListener;
  readonly #dialer: DictationDialer;
  readonly #abort = new AbortController();
  readonly #done = Promise.withResolvers<void>();
  readonly #queue: UtteranceQueue;
  readonly #connection: DictationConnection;
  readonly #overdue: OverdueAnswer;
  #sending: Sending | null = null;
  #state: DictationState = 'connecting';
  #heldBy: Failure | null = null;
  #endRest: (() => void) | null = null;
  #endPatience: () => void = () => undefined;
  readonly #history = new AnswerHistory();
  #isStopping = false;

  constructor(context: LiveContext, tickets: TicketApi, options: DictationOptions, listener: DictationListener) {
    this.#context = context;
    this.#queue = new UtteranceQueue(context.ledger, options.language, listener);
    this.#options = options;
    this.#emit = listener;
    this.#dialer = new DictationDialer(context, tickets, this.#abort.signal);
    this.#connection = new DictationConnection(this.#dialer, {
      onDialing: (isFirst) => this.#enter(isFirst ? 'connecting' : 'reconnecting'),
      onTrouble: (failure) => listener({ kind: 'state', state: this.#state, failure }),
      onOpen: () => {
        if (this.#overdue.isAwaited) return this.#overdue.limit();
        this.#enter(this.#heldBy === null ? 'live' : 'held', this.#heldBy);
        this.#pump();
      },
      onMessage: (message) => this.#take(message),
      onLost: (end) => this.#drop(end),
      onSilence: () => this.#awaitLate(makeFailure('live-aborted', { code: 'ping_unanswered' })),
      onLateMessage: (message) => this.#overdue.take(message),
      onLateEnd: () => this.#overdue.end(),
      onGaveUp: (failure) => this.#end(failure),
    });
    this.#overdue = new OverdueAnswer({
      context,
      connection: this.#connection,
      dialer: this.#dialer,
      onText: (result, sending) => this.#takeFinal(result, sending),
      onOver: () => {
        this.#history.forgetResult();
        if (this.#connection.socket !== null) this.#enter('live');
        this.#pump();
      },
    });
    options.signal?.addEventListener('abort', this.#onAbort, { once: true });
    // The listener has received the session before the first event fires.
    queueMicrotask(() => (options.signal?.aborted ? this.abort() : this.#connection.dial()));
  }

  readonly #onAbort = (): void => this.abort();

  push(pcm: Uint8Array): boolean {
    if (this.#state === 'ended' || this.#isStopping) return false;
    for (const [utterance, next] of this.#queue.push(pcm, this.#context.clock.monotonic()))
      this.#noteCut(utterance, next);
    this.#pump();
    return true;
  }

  get open(): number | null {
    return this.#queue.open?.ordinal ?? null;
  }

  setLanguage(language: DictationOptions['language']): void {
    this.#queue.language = language;
  }

  /** `keptBack`: bytes at its end that belong to the next utterance already. */
  commit(keptBack = 0): void {
    const { open } = this.#queue;
    if (open === undefined || this.#state === 'ended') return;
    const nowMs = this.#context.clock.monotonic();
    if (keptBack > 0) this.#queue.cutAt(open, open.length - keptBack, nowMs);
    if (this.#sending?.utterance === open && this.#sending.sentBytes > open.length) this.#rewind();
    open.close(nowMs);
    if (open.audioMs < limits.dictation.commitMinMs) {
      this.#forget(open);
      this.#emit({ kind: 'empty', utterance: open.ordinal, why: 'too-short' });
    }
    this.#pump();
  }

  interrupt(): void {
    const { open } = this.#queue;
    if (open === undefined || this.#state === 'ended') return;
    this.#forget(open);
    this.#pump();
  }

  goOn(): void {
    this.#dialer.tryNow();
    if (this.#heldBy === null) return;
    this.#heldBy = null;
    if (this.#connection.socket !== null) this.#enter('live');
    this.#pump();
  }

  stop(): Promise<void> {
    this.commit();
    this.#isStopping = true;
    if (this.#heldBy !== null && !this.#queue.isEmpty) this.#end(this.#heldBy);
    else this.#pump();
    return this.#done.promise;
  }

  abort(): void {
    this.#end(this.#queue.isEmpty ? null : cancelled());
  }

  #noteCut(utterance: Utterance, next: Utterance): void {
    this.#emit({ kind: 'cut', utterance: utterance.ordinal, next: next.ordinal, audioBytes: utterance.length });
    if (this.#sending?.utterance === utterance && this.#sending.sentBytes > utterance.length) this.#rewind();
  }

  #forget(utterance: Utterance): void {
    this.#queue.remove(utterance);
    if (this.#sending?.utterance === utterance) this.#rewind();
  }

  #rewind(): void {
    this.#endPatience();
    if (this.#sending?.isStarted === true) this.#connection.socket?.interrupt();
    this.#sending = null;
  }

  #pump(): void {
    if (this.#state === 'ended' || this.#heldBy !== null) return;
    const utterance = this.#queue.first;
    if (utterance === undefined) return this.#isStopping ? this.#end(null) : undefined;
    if (this.#endRest !== null || utterance.length === 0) return;
    const { socket } = this.#connection;
    if (socket === null) return this.#connection.dial();
    if (this.#overdue.isAwaited) return;
    const sending = (this.#sending ??= { utterance, sentBytes: 0, isStarted: false, committedAtMs: null });
    const isAllSent = sendAudio(socket, sending, this.#options.hasWordTimes ?? true, () => this.#pump());
    if (isAllSent && utterance.closedAtMs !== null) this.#commitTo(socket, sending);
  }

  #commitTo(socket: DictationSocket, sending: Sending): void {
    if (sending.committedAtMs !== null) return;
    // A service that does not answer now may wake up, charge, and have no connection left for the text.
    if (!socket.isHeard(() => this.#pump())) return;
    const { utterance } = sending;
    const refusal = utterance.beginPaid();
    if (refusal !== null) return this.#hold(refusal);
    if (socket.commit() && this.#context.isFree !== true) utterance.noteCommit();
    sending.committedAtMs = this.#context.clock.monotonic();
    // A computer that recognises too slowly for that is not asked over and over.
    const patienceMs = finalPatienceMs(utterance.audioMs) * (1 + utterance.times('phrase-late'));
    this.#endPatience = this.#context.clock.after(patienceMs, () => {
      const failure = makeFailure('phrase-late', { code: 'no_final' });
      utterance.meet('phrase-late');
      if (!this.#awaitLate(failure)) this.#drop(failure);
    });
  }

  #awaitLate(failure: Failure): boolean {
    if (this.#context.isFree === true || !this.#overdue.await(this.#sending, failure)) return false;
    this.#endPatience();
    this.#sending = null;
    return true;
  }

  #take(message: DictationSocketMessage): void {
    const sending = this.#sending;
    switch (message.kind) {
      case 'final':
        return void this.#takeFinal(message.result, sending);
      case 'partial':
        return sending === null
          ? undefined
          : this.#emit({ kind: 'partial', utterance: sending.utterance.ordinal, text: message.text });
      case 'error':
        return this.#meet(
          makeFailure(liveCodeRow(message.code), { code: message.code, details: message.message ?? undefined }),
        );
      case 'unknown':
      case 'unreadable':
        return this.#context.log.write({ event: 'stream-message-passed-over', level: 'warn', code: message.kind });
    }
  }

  #takeFinal(result: ReceivedTranscript, sending: Sending | null): boolean {
    if (sending === null || sending.committedAtMs === null || this.#history.isRepeat(result, sending.utterance)) {
      this.#emit({ kind: 'stray', result });
      return false;
    }
    const { utterance, committedAtMs } = sending;
    utterance.noteAnswer();
    this.#settle(sending);
    this.#history.noteResult(result);
    this.#emit(utterance.finalEvent(result, committedAtMs, this.#context.clock.monotonic()));
    this.#pump();
    return true;
  }

  #settle({ utterance }: Sending): void {
    this.#endPatience();
    utterance.paid.accept({ durationMs: utterance.audioMs });
    this.#queue.remove(utterance);
    this.#sending = null;
    this.#dialer.noteSuccess();
    this.#history.noteSettled();
  }

  #meet(failure: Failure): void {
    const sending = this.#sending;
    if (sending === null || this.#endRest !== null || this.#heldBy !== null) return;
    const { utterance } = sending;
    const step = this.#history.meet(failure, sending, this.#context.clock.monotonic());
    switch (step.kind) {
      case 'ignore':
        return;
      case 'empty':
        this.#settle(sending);
        this.#emit({ kind: 'empty', utterance: utterance.ordinal, why: 'no-speech' });
        return this.#pump();
      case 'give-back':
        return this.#giveBack(sending, failure);
      case 'cut':
        this.#noteCut(utterance, this.#queue.cut(utterance, step, this.#context.clock.monotonic()));
        return this.#drop(failure);
      case 'reconnect':
        return this.#drop(failure);
      case 'rest':
        return this.#rest(step.ms);
      case 'hold':
        return this.#hold(failure);
      case 'end':
        return this.#end(gaveUp(failure));
    }
  }

  /** What is already in flight would disturb the next utterance, which therefore gets a new connection. */
  #giveBack(sending: Sending, failure: Failure): void {
    const { utterance } = sending;
    const isAnswer = sending.committedAtMs !== null;
    utterance.close(this.#context.clock.monotonic());
    utterance.paid.fail(failure);
    this.#queue.remove(utterance);
    this.#endPatience();
    this.#sending = null;
    this.#emit({ kind: 'failed', lost: { utterance: utterance.ordinal, pcm: utterance.copy() }, failure });
    if (isAnswer) this.#pump();
    else this.#drop(failure);
  }

  #rest(ms: number): void {
    this.#rewind();
    this.#endRest = this.#context.clock.after(ms, () => {
      this.#endRest = null;
      this.#pump();
    });
  }

  #hold(failure: Failure): void {
    this.#heldBy = failure;
    this.#rewind();
    return this.#isStopping ? this.#end(failure) : this.#enter('held', failure);
  }

  /** Whatever was on it is sent again over the next one, if anything is left to send. */
  #drop(failure: Failure): void {
    this.#endPatience();
    this.#sending = null;
    this.#history.forgetResult();
    this.#connection.leave();
    this.#context.log.write({ event: 'stream-lost', level: 'warn', code: failure.code, row: failure.row });
    if (failure.kind === 'live-key-or-credits' || failure.kind === 'live-untrusted') return this.#end(failure);
    if (failure.kind === 'live-refused' && !this.#dialer.allowsViolation()) return this.#end(gaveUp(failure));
    if (this.#queue.isEmpty) {
      if (!this.#isStopping) this.#enter('idle');
    } else if (!this.#dialer.noteTrouble()) return this.#end(gaveUp(failure));
    this.#pump();
  }

  #enter(state: DictationState, failure: Failure | null = null): void {
    if (this.#state === state && state !== 'connecting') return;
    this.#state = state;
    this.#emit({ kind: 'state', state, failure });
  }

  #end(failure: Failure | null): void {
    if (this.#state === 'ended') return;
    this.#endPatience();
    this.#endRest?.();
    const lost = this.#queue.giveUp(failure ?? makeFailure('live-text-stopped'));
    this.#connection.close(lost.length === 0);
    this.#enter('ended', failure);
    this.#overdue.end();
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    this.#abort.abort();
    this.#emit({ kind: 'ended', failure, lost });
    this.#done.resolve();
  }
}

export type DictationSession = Pick<LiveDictation, keyof LiveDictation>;

interface OverdueParts {
  readonly context: Pick<LiveContext, 'clock' | 'log'>;
  readonly connection: DictationConnection;
  readonly dialer: DictationDialer;
  readonly onText: (result: ReceivedTranscript, sending: Sending) => boolean;
  readonly onOver: () => void;
}

interface Sending {
  readonly utterance: Utterance;
  sentBytes: number;
  isStarted: boolean;
  committedAtMs: number | null;
}

/** A connection reports its end by an event of its own, so one that accepts nothing any more is no error here. */
function sendAudio(socket: DictationSocket, sending: Sending, hasWordTimes: boolean, goOn: () => void): boolean {
  const { utterance } = sending;
  if (!sending.isStarted) sending.isStarted = socket.start(utterance.language, hasWordTimes);
  while (sending.sentBytes < utterance.length && socket.unsentBytes() < highWaterBytes) {
    const part = utterance.part(sending.sentBytes, sending.sentBytes + chunkBytes);
    sending.sentBytes += part.length;
    if (!socket.sound(part, goOn)) return false;
  }
  return sending.sentBytes >= utterance.length;
}
