import {
  finalPatienceMs,
  onDictationError,
  stoppedDelayMs,
  Trouble,
} from '../../../shared/domain/dictation/on-error.ts';
import { dictationRate, quietestPlace, shortestPhrase } from '../../../shared/domain/dictation/phrase-cutter.ts';
import type { SendingState } from '../../../shared/domain/dictation/take-view.ts';
import { Take, type Phrase } from '../../../shared/domain/dictation/take.ts';
import { msOfSamples } from '../../../shared/domain/dictation/written-phrases.ts';
import { liveCodeRow } from '../../../shared/domain/failures/live-rows.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { isUnreached } from '../../../shared/domain/failures/network-fault.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import { joinReceived, type ReceivedTranscript } from '../../../shared/domain/transcript/received.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { openPaidStream, type PaidStream } from '../../service/caller.ts';
import type { DictationSocket, LiveDictation, SocketMessage } from '../../service/dictation-socket.ts';

export interface SenderDeps {
  readonly live: LiveDictation;
  /** The feature that the user used, by which the cost is booked. */
  readonly product?: 'dictate' | 'transcribe';
  readonly read: (fromSample: number, toSample: number) => Uint8Array;
  /** After a stop it is tried again later; a terminal gives up instead. */
  readonly triesAgain: boolean;
  /** A phrase is sent while it is spoken; otherwise once its end is known. */
  readonly sendsOpen: boolean;
  readonly onText: (phrase: number, received: ReceivedTranscript | null) => void;
  readonly onFailed: (phrase: number, failure: Failure) => void;
  /** The number of its commits without an answer has changed: each of them may be charged. */
  readonly onOwed: (phrase: number, by: 1 | -1) => void;
  readonly onState: (state: SendingState) => void;
}

/** How much may wait in the socket; the rest waits on disk. */
const highWaterBytes = 128 * 1024;
const chunkSamples = 8 * 1024;

/** What a phrase met until its text is there: a too long one is sent in pieces. */
interface Progress {
  readonly id: number;
  /** Samples at which it is cut into pieces. */
  readonly cuts: number[];
  readonly texts: ReceivedTranscript[];
  piece: number;
  paid: PaidStream;
  readonly met: Map<string, number>;
}

interface Sending {
  readonly progress: Progress;
  /** The first sample that is not sent yet; null: it is not begun. */
  at: number | null;
  committedAtMs: number | null;
}

/**
 * Sends the phrases of a take from its spool, each when the text of the one before has come, over as many connections
 * as it takes. The queue is the take itself: what is sent next is its first phrase that waits.
 */
export class PhraseSender {
  readonly #deps: SenderDeps;
  readonly #take: Take;
  readonly #progress = new Map<number, Progress>();
  #socket: DictationSocket | null = null;
  #opening: AbortController | null = null;
  #hasOpened = false;
  #sending: Sending | null = null;
  /** The service may be at work on a late answer and would charge twice, so it is awaited on its own connection. */
  #overdue: { readonly sending: Sending; readonly socket: DictationSocket } | null = null;
  #state: SendingState['kind'] = 'idle';
  /** While it is set nothing is sent: until its time is over, or the user asks. */
  #cancelPause: (() => void) | null = null;
  #endPatience: () => void = () => undefined;
  #trouble = new Trouble();
  #lastResult = '';
  #isClosed = false;

  constructor(deps: SenderDeps, take: Take) {
    this.#deps = deps;
    this.#take = take;
  }

  /** Nothing more is sent by itself. */
  get isStuck(): boolean {
    return this.#isClosed || (this.#state === 'stopped' && !this.#deps.triesAgain);
  }

  get isAnswerDue(): boolean {
    return this.#sending !== null || this.#overdue !== null;
  }

  /** Prepares a connection before there is anything to send. */
  open(): void {
    if (this.#isClosed || this.#socket !== null || this.#opening !== null || this.#cancelPause !== null) return;
    const opening = new AbortController();
    this.#opening = opening;
    if (this.#state !== 'connecting' && this.#state !== 'reconnecting')
      this.#enter({ kind: this.#hasOpened ? 'reconnecting' : 'connecting' });
    let own: DictationSocket | null = null;
    let ended: Failure | null = null;
    const isInUse = (): boolean => own !== null && own === this.#socket;
    const isOverdue = (): boolean => own !== null && own === this.#overdue?.socket;
    const handlers = {
      onMessage: (message: SocketMessage) => {
        if (isInUse()) this.#onMessage(message);
        else if (isOverdue()) this.#onLateMessage(message);
      },
      onSilence: () =>
        isOverdue() || (isInUse() && this.#awaitLate(makeFailure('live-aborted', { code: 'ping_unanswered' }))),
      onEnd: (end: Failure) => {
        ended = end;
        if (isInUse()) this.#drop(end);
        if (!isOverdue()) return;
        this.#endOverdue();
        this.pump();
      },
    };
    void this.#deps.live.open(handlers, opening.signal).then((opened) => {
      if (this.#opening !== opening) return opened.ok ? opened.value.close() : undefined;
      this.#opening = null;
      if (!opened.ok) {
        const { error: failure } = opened;
        if (failure.retry !== 'same_key') return this.#stop(failure);
        return this.#retry(failure, { kind: this.#hasOpened ? 'reconnecting' : 'connecting', failure });
      }
      this.#hasOpened = true;
      // The connection may have ended before the caller received it.
      if (ended !== null) return this.#drop(makeFailure('live-closed', { code: 'ended_at_once' }));
      own = this.#socket = opened.value;
      if (this.#overdue !== null) return this.#limitOverdue(this.#overdue.sending);
      this.#enter({ kind: 'live' });
      return this.pump();
    });
  }

  tryNow(): void {
    this.#deps.live.allowProbe();
    if (this.#cancelPause === null) return this.pump();
    this.#trouble = new Trouble();
    this.#resume();
  }

  /** The phrase is no longer wanted, so no more of it is sent. The answer to one that was sent whole still comes. */
  withdraw(id: number): void {
    if (this.#sending?.progress.id === id) {
      if (this.#sending.committedAtMs !== null && this.#state === 'live') return;
      this.#rewind();
    }
    this.#forget(id);
    if (this.#overdue?.sending.progress.id === id) this.#endOverdue();
    if (this.#state === 'stopped' || this.isAnswerDue || this.#next() !== undefined) return;
    this.#endPause();
    this.#enter({ kind: this.#socket === null ? 'idle' : 'live' });
  }

  /** Everything has its text: the connection is closed until there is something to send. */
  rest(): void {
    this.#leave();
    this.#endPause();
    this.#hasOpened = false;
    this.#state = 'idle';
  }

  close(): void {
    this.#isClosed = true;
    this.#leave();
    this.#endPause();
    for (const id of this.#progress.keys()) this.#forget(id);
  }

  pump(): void {
    if (this.#isClosed || this.#cancelPause !== null || this.#overdue !== null) return;
    const phrase = this.#sending === null ? this.#next() : this.#take.phrase(this.#sending.progress.id);
    if (phrase === undefined) return;
    if (this.#socket === null) return this.open();
    this.#sending ??= { progress: this.#progressOf(phrase.id), at: null, committedAtMs: null };
    if (this.#sending.committedAtMs === null) this.#send(this.#socket, phrase, this.#sending);
  }

  #next(): Phrase | undefined {
    return this.#take.nextToSend(this.#deps.sendsOpen);
  }

  #progressOf(id: number): Progress {
    const known = this.#progress.get(id);
    if (known !== undefined) return known;
    const progress = { id, cuts: [], texts: [], piece: 0, paid: this.#newPaid(), met: new Map<string, number>() };
    this.#progress.set(id, progress);
    return progress;
  }

  #newPaid(): PaidStream {
    const { live, product = 'dictate' } = this.#deps;
    return openPaidStream(live.ledger, { route: 'dictate.stream', product });
  }

  #pieceOf({ id, cuts, piece }: Progress): { readonly from: number; readonly to: number | null } {
    const { from = 0, to = null } = this.#take.phrase(id) ?? {};
    return { from: cuts[piece - 1] ?? from, to: cuts[piece] ?? to };
  }

  #audioMsOf({ progress, at }: Sending): number {
    const { from, to } = this.#pieceOf(progress);
    return msOfSamples((to ?? at ?? from) - from);
  }

  #send(socket: DictationSocket, phrase: Phrase, sending: Sending): void {
    const { from, to } = this.#pieceOf(sending.progress);
    const end = to ?? this.#take.captured;
    const isTooShort = to !== null && to - from < shortestPhrase;
    // The rest of a word after a forced cut may be that short; silence is appended to it.
    const isRest = sending.progress.piece > 0 || this.#take.phrase(phrase.id - 1)?.to === from;
    if (isTooShort && !isRest) return this.#settle(sending, null);
    // The cut may be in audio that was already sent: the surplus begins the next phrase.
    if (sending.at !== null && sending.at > end) {
      socket.interrupt();
      sending.at = null;
    }
    if (sending.at === null) socket.start(phrase.language);
    sending.at ??= from;
    while (sending.at < end && socket.unsentBytes() < highWaterBytes) {
      const upTo = Math.min(end, sending.at + chunkSamples);
      // A connection reports its end by an event of its own.
      if (!socket.sound(this.#deps.read(sending.at, upTo), () => this.pump())) return;
      sending.at = upTo;
    }
    if (to === null || sending.at < end) return;
    // A service that does not answer now may wake up, charge, and have no connection left for the text.
    if (socket.isHeard(() => this.pump())) this.#commit(socket, phrase, sending, to - from);
  }

  #commit(socket: DictationSocket, { id, language, unanswered }: Phrase, sending: Sending, samples: number): void {
    const { live } = this.#deps;
    const { paid, met } = sending.progress;
    const audioMs = msOfSamples(samples);
    // On a failure it must not be sent.
    if (unanswered > 0) paid.renew(makeFailure('phrase-late', { code: 'no_final' }));
    const refusal = paid.begin({ audioMs, language });
    if (refusal !== null) return this.#hold(refusal);
    if (samples < shortestPhrase) socket.sound(new Uint8Array((shortestPhrase - samples) * 2), () => undefined);
    const isSent = socket.commit();
    sending.committedAtMs = live.clock.monotonic();
    // A computer that recognises too slowly for that is not asked over and over.
    const patienceMs = finalPatienceMs(audioMs) * (1 + (met.get('phrase-late') ?? 0));
    this.#endPatience = live.clock.after(patienceMs, () => {
      const failure = makeFailure('phrase-late', { code: 'no_final' });
      meet(met, 'phrase-late');
      if (!this.#awaitLate(failure)) this.#drop(failure);
    });
    if (isSent && !live.isFree) this.#deps.onOwed(id, 1);
  }

  #awaitLate({ code, row }: Failure): boolean {
    const { live } = this.#deps;
    if (live.isFree || this.#sending?.committedAtMs == null || this.#socket === null) return false;
    if (!this.#isWanted(this.#sending)) return false;
    live.log.write({ event: 'stream-late', level: 'warn', code, row });
    this.#endPatience();
    this.#overdue = { sending: this.#sending, socket: this.#socket };
    this.#sending = this.#socket = null;
    this.open();
    return true;
  }

  #limitOverdue(sending: Sending): void {
    const patienceMs = finalPatienceMs(this.#audioMsOf(sending));
    this.#endPatience = this.#deps.live.clock.after(patienceMs, () => {
      this.#endOverdue();
      this.pump();
    });
  }

  #endOverdue(): void {
    const overdue = this.#overdue;
    if (overdue === null) return;
    this.#overdue = null;
    this.#endPatience();
    overdue.socket.close();
    this.#lastResult = '';
    if (this.#socket !== null) this.#enter({ kind: 'live' });
  }

  #onLateMessage(message: SocketMessage): void {
    const sending = this.#overdue?.sending;
    if (sending === undefined) return;
    if (message.kind === 'final') this.#takeFinal(message.result, sending);
    if (message.kind !== 'error') return;
    this.#noteAnswer(sending, message.code);
    this.#endOverdue();
    this.pump();
  }

  #onMessage(message: SocketMessage): void {
    if (message.kind === 'final' && this.#sending !== null) return this.#takeFinal(message.result, this.#sending);
    if (message.kind !== 'error') return message.kind === 'partial' ? undefined : this.#passOver(message.kind);
    return this.#meet(
      makeFailure(liveCodeRow(message.code), { code: message.code, details: message.message ?? undefined }),
    );
  }

  #passOver(code: string): void {
    this.#deps.live.log.write({ event: 'stream-message-passed-over', level: 'warn', code });
  }

  #takeFinal(result: ReceivedTranscript, sending: Sending): void {
    const { paid } = sending.progress;
    const audioMs = this.#audioMsOf(sending);
    const named = JSON.stringify(result);
    // A second answer to the phrase before (phrase-twice): the same words, and not of this length.
    const isRepeat = Math.abs((result.durationMs ?? audioMs) - audioMs) > 40 && named === this.#lastResult;
    if (sending.committedAtMs === null || isRepeat) return this.#passOver('final');
    this.#noteAnswer(sending);
    this.#lastResult = named;
    this.#settle(sending, { ...result, paidIds: [paid.id] });
  }

  /** Whether the service charges for what took it too long, nobody knows. */
  #noteAnswer({ progress, committedAtMs }: Sending, code?: string): void {
    if (committedAtMs !== null && code !== 'timeout' && !this.#deps.live.isFree) this.#deps.onOwed(progress.id, -1);
  }

  /** This piece is done; the phrase has its text with its last one. */
  #settle(sending: Sending, text: ReceivedTranscript | null): void {
    const { progress } = sending;
    progress.paid.accept({ durationMs: this.#audioMsOf(sending) });
    if (this.#overdue?.sending === sending) this.#endOverdue();
    this.#endPatience();
    if (this.#sending === sending) this.#sending = null;
    this.#trouble = new Trouble();
    if (text !== null) progress.texts.push(text);
    if (progress.piece < progress.cuts.length) {
      progress.piece += 1;
      this.#renew(progress);
    } else {
      this.#progress.delete(progress.id);
      this.#deps.onText(progress.id, joinReceived(progress.texts));
    }
    this.pump();
  }

  #renew(progress: Progress): void {
    progress.paid = this.#newPaid();
    progress.met.clear();
  }

  #meet(failure: Failure): void {
    const sending = this.#sending;
    if (sending === null || this.#cancelPause !== null) return;
    const { progress, committedAtMs } = sending;
    const isAnswer = committedAtMs !== null;
    this.#noteAnswer(sending, failure.code);
    const step = onDictationError({
      kind: failure.kind,
      times: meet(progress.met, failure.kind),
      isAnswer,
      audioMs: this.#audioMsOf(sending),
      ...this.#trouble.noteError(failure.kind, this.#deps.live.clock.monotonic()),
    });
    switch (step.kind) {
      case 'ignore':
        return;
      case 'empty':
        return this.#settle(sending, null);
      case 'give-back':
        this.#forget(progress.id, failure);
        this.#endPatience();
        this.#sending = null;
        this.#deps.onFailed(progress.id, failure);
        // What is already in flight would disturb the next phrase, which therefore gets a new connection.
        return isAnswer ? this.pump() : this.#drop(failure);
      case 'cut': {
        const { from } = this.#pieceOf(progress);
        const [first, last] = [from + samplesOfMs(step.fromMs), from + samplesOfMs(step.toMs)];
        progress.cuts.splice(progress.piece, 0, first + quietestPlace(this.#deps.read(first, last)));
        return this.#drop(failure);
      }
      case 'reconnect':
        return this.#drop(failure);
      case 'rest':
        this.#rewind();
        return this.#pause(step.ms);
      case 'hold':
        return this.#hold(failure);
      case 'end':
        return this.#stop(gaveUp(failure));
    }
  }

  #rewind(): void {
    this.#endPatience();
    if (this.#sending?.at != null) this.#socket?.interrupt();
    this.#sending = null;
  }

  #hold(failure: Failure): void {
    this.#rewind();
    this.#pause(null);
    this.#enter({ kind: 'held', failure });
  }

  /** The connection is lost. What was on it is sent again over the next one, if it still waits. */
  #drop(failure: Failure): void {
    this.#deps.live.log.write({ event: 'stream-lost', level: 'warn', code: failure.code, row: failure.row });
    this.#endPatience();
    const lost = this.#sending;
    this.#socket?.close();
    this.#sending = this.#socket = null;
    this.#lastResult = '';
    if (lost !== null && !this.#isWanted(lost)) this.#forget(lost.progress.id);
    if (failure.kind === 'live-key-or-credits' || failure.kind === 'live-untrusted') return this.#stop(failure);
    if (this.#cancelPause !== null) return;
    if (this.#next() === undefined) return this.#enter({ kind: 'idle' });
    return this.#retry(failure, { kind: 'reconnecting' });
  }

  #retry(failure: Failure, state: SendingState): void {
    const waitMs = this.#trouble.nextTryMs(failure, this.#deps.live.clock.monotonic());
    if (waitMs === null) return this.#stop(gaveUp(failure));
    this.#enter(state);
    return this.#pause(waitMs);
  }

  #stop(failure: Failure): void {
    this.#leave();
    for (const progress of this.#progress.values()) {
      progress.paid.fail({ ...failure, outcome: 'unknown' });
      this.#renew(progress);
    }
    const triesAgainMs = this.#deps.triesAgain && failure.retry === 'same_key' ? stoppedDelayMs : null;
    this.#pause(triesAgainMs);
    this.#enter({ kind: 'stopped', failure, triesAgainMs });
  }

  #pause(ms: number | null): void {
    this.#endPause();
    this.#cancelPause = ms === null ? () => undefined : this.#deps.live.clock.after(ms, () => this.#resume());
  }

  #endPause(): void {
    this.#cancelPause?.();
    this.#cancelPause = null;
  }

  #resume(): void {
    this.#endPause();
    if (this.#socket !== null && this.#overdue === null) this.#enter({ kind: 'live' });
    this.open();
    this.pump();
  }

  #leave(): void {
    this.#endPatience();
    this.#opening?.abort();
    this.#overdue?.socket.close();
    this.#socket?.close();
    this.#opening = this.#overdue = this.#socket = this.#sending = null;
  }

  #isWanted({ progress }: Sending): boolean {
    return this.#take.phrase(progress.id)?.state !== 'discarded';
  }

  #forget(id: number, failure = makeFailure('live-text-stopped', { code: 'cancelled', outcome: 'unknown' })): void {
    this.#progress.get(id)?.paid.fail(failure);
    this.#progress.delete(id);
  }

  #enter(state: SendingState): void {
    if (this.#state === state.kind && state.failure === undefined) return;
    this.#state = state.kind;
    this.#deps.onState(state);
  }
}

const samplesOfMs = (ms: number): number => Math.round((ms * dictationRate) / 1000);

function meet(met: Map<string, number>, kind: string): number {
  const times = (met.get(kind) ?? 0) + 1;
  met.set(kind, times);
  return times;
}

/** Sending has ended; the code says by what, or the row where only the user can help, or nobody was reached. */
function gaveUp(failure: Failure): Failure {
  const { kind, code, requestId, details, status } = failure;
  if (kind === 'model-missing' || kind === 'model-unusable' || kind === 'memory-short' || isUnreached(failure))
    return failure;
  return makeFailure('live-text-stopped', { code, requestId, details, ...(status === undefined ? {} : { status }) });
}

/** The text of one piece of audio, 16-bit little-endian mono at 16 kHz; null: nobody speaks in it. */
export function recognise(
  live: LiveDictation,
  language: SpeechLanguage,
  pcm: Uint8Array,
): Promise<Result<ReceivedTranscript | null>> {
  const samples = pcm.length >> 1;
  const take = new Take([], samples);
  take.cut([{ kind: 'close', from: 0, to: samples, hasSpeech: true }], language);
  return new Promise((resolve) => {
    const end = (result: Result<ReceivedTranscript | null>): void => {
      resolve(result);
      sender.close();
    };
    const sender = new PhraseSender(
      {
        live,
        product: 'transcribe',
        read: (from, to) => pcm.subarray(from * 2, to * 2),
        triesAgain: false,
        sendsOpen: false,
        onText: (_id, received) => end(ok(received)),
        onFailed: (_id, failure) => end(err(failure)),
        onOwed: () => undefined,
        onState: (state) => {
          // Without credits or permission there is no point in waiting: the user decides and tries again.
          if (state.kind === 'held' || state.kind === 'stopped') end(err(state.failure));
        },
      },
      take,
    );
    sender.pump();
  });
}
