import { finalPatienceMs } from '../../../shared/domain/dictation/reconnect.ts';
import { liveCodeRow } from '../../../shared/domain/failures/live-rows.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { ReceivedTranscript } from '../../../shared/domain/transcript/received.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { limits } from '../../../shared/wire/limits.ts';
import type { TicketApi } from '../resources/ticket.ts';
import { AnswerHistory } from './answer-history.ts';
import { cancelled, DictationDialer, gaveUp } from './dictation-dialer.ts';
import type { DictationListener, DictationSession, DictationState, DictationOptions } from './dictation-events.ts';
import type { DictationSocket, DictationSocketMessage } from './dictation-socket.ts';
import { OverdueAnswer } from './overdue-answer.ts';
import { sendAudio, type Sending } from './send-audio.ts';
import { DictationConnection } from './dictation-connection.ts';
import type { LiveContext } from './live-connection.ts';
import type { Utterance } from './utterance.ts';
import { UtteranceQueue } from './utterance-queue.ts';

/** One session over as many connections as it takes. An utterance is sent when the text of the one before has come. */
export class LiveDictation implements DictationSession {
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
  /** Sending rests; takes the rest back. */
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
      onSilence: () => this.#awaitLate(makeFailure('E-146', { code: 'ping_unanswered' })),
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

  /** The utterance gets no text; the part of it already sent is withdrawn. */
  #forget(utterance: Utterance): void {
    this.#queue.remove(utterance);
    if (this.#sending?.utterance === utterance) this.#rewind();
  }

  /** Starts over with the first utterance on this connection. */
  #rewind(): void {
    this.#endPatience();
    if (this.#sending?.isStarted === true) this.#connection.socket?.interrupt();
    this.#sending = null;
  }

  /** Sends whatever may be sent now. Called after every event. */
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
    const patienceMs = finalPatienceMs(utterance.audioMs) * (1 + utterance.times('E-137'));
    this.#endPatience = this.#context.clock.after(patienceMs, () => {
      const failure = makeFailure('E-137', { code: 'no_final' });
      utterance.meet('E-137');
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

  /** False: no utterance was waiting for it. */
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

  /** The first utterance was answered: it is finished, and the earlier trouble is over. */
  #settle({ utterance }: Sending): void {
    this.#endPatience();
    utterance.paid.accept({ durationMs: utterance.audioMs });
    this.#queue.remove(utterance);
    this.#sending = null;
    this.#dialer.noteSuccess();
    this.#history.noteSettled();
  }

  /** Handles an error event. Events that arrive during a rest concern what was sent before it. */
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

  /**
   * Gives up on this utterance. The part of it already in flight would disturb the next one, which therefore gets a new
   * connection.
   */
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

  /** Waits, then sends the first utterance again on this connection. */
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

  /**
   * The connection is gone or useless. Whatever was on it is sent again over the next one, if anything is left to send.
   */
  #drop(failure: Failure): void {
    this.#endPatience();
    this.#sending = null;
    this.#history.forgetResult();
    this.#connection.leave();
    this.#context.log.write({ event: 'stream-lost', level: 'warn', code: failure.code, row: failure.row });
    if (failure.row === 'E-143' || failure.row === 'E-144') return this.#end(failure);
    if (failure.row === 'E-142' && !this.#dialer.allowsViolation()) return this.#end(gaveUp(failure));
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
    const lost = this.#queue.giveUp(failure ?? makeFailure('E-139'));
    this.#connection.close(lost.length === 0);
    this.#enter('ended', failure);
    this.#overdue.end();
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    this.#abort.abort();
    this.#emit({ kind: 'ended', failure, lost });
    this.#done.resolve();
  }
}
