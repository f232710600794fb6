import { dictationRate, shortestPhrase } from '../../../shared/domain/dictation/phrase-cutter.ts';
import type { SendingState } from '../../../shared/domain/dictation/take-view.ts';
import type { Phrase, Take } from '../../../shared/domain/dictation/take.ts';
import { joinReceived, type ReceivedTranscript } from '../../../shared/domain/transcript/received.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { DictationEvent, DictationListener, DictationState, DictationOptions } from '../../api/live/utterance.ts';
import type { DictationSession } from '../../api/live/dictation-session.ts';

export type OpenDictation = (options: DictationOptions, listener: DictationListener) => DictationSession;

export interface SenderDeps {
  readonly dictate: OpenDictation;
  readonly read: (fromSample: number, toSample: number) => Uint8Array;
  readonly after: (ms: number, callback: () => void) => () => void;
  readonly triesAgain: boolean;
  /** A phrase is sent while it is spoken; otherwise once its end is known. */
  readonly sendsOpen: boolean;
  readonly goesOn: () => boolean;
  readonly onText: (phrase: number, received: ReceivedTranscript | null) => void;
  readonly onFailed: (phrase: number, failure: Failure) => void;
  readonly onOwed: (phrase: number, by: 1 | -1) => void;
  readonly onState: (state: SendingState) => void;
}

/** Each has one phrase; the others stay on disk, so that an hour offline needs no memory. */
const lanesAtMost = 2;
const chunkSamples = dictationRate;
const retryDelaysMs = [5000, 15_000, 30_000, 60_000] as const;

interface Lane {
  session: DictationSession | null;
  readonly inFlight: Map<number, number>;
  state: SendingState['kind'];
}

const weight: Readonly<Record<SendingState['kind'], number>> = {
  idle: 0,
  connecting: 1,
  live: 2,
  reconnecting: 3,
  held: 4,
  stopped: 5,
};

/** Sends the phrases of a take in order, from its spool, over as many sessions as it takes. */
export class PhraseSender {
  readonly #parts: SenderDeps;
  readonly #take: Take;
  readonly #lanes: readonly Lane[] = Array.from({ length: lanesAtMost }, () => ({
    session: null,
    inFlight: new Map<number, number>(),
    state: 'idle',
  }));
  #feeding: { readonly id: number; readonly lane: Lane; at: number } | null = null;
  readonly #parted = new Map<number, ReceivedTranscript[]>();
  #isPumping = false;
  #isClosed = false;
  #failedSessions = 0;
  #cancelRetry: (() => void) | null = null;

  constructor(parts: SenderDeps, take: Take) {
    this.#parts = parts;
    this.#take = take;
  }

  get isStuck(): boolean {
    const isOver = this.#cancelRetry !== null && !this.#parts.triesAgain;
    return this.#isClosed || (isOver && this.#lanes.every(({ inFlight }) => inFlight.size === 0));
  }

  open(language: SpeechLanguage): void {
    const [first] = this.#lanes;
    if (first !== undefined) this.#openLane(first, language);
  }

  #openLane(lane: Lane, language: SpeechLanguage): void {
    if (lane.session !== null || this.#cancelRetry !== null || this.#isClosed) return;
    let own: DictationSession | null = null;
    const session = this.#parts.dictate({ language, hasWordTimes: true }, (event) => {
      if (own !== null && own === lane.session) this.#onEvent(lane, event);
    });
    own = session;
    lane.session = session;
  }

  tryNow(language: SpeechLanguage): void {
    this.#cancelRetry?.();
    this.#cancelRetry = null;
    for (const { session } of this.#lanes) session?.goOn();
    this.open(language);
    this.pump();
  }

  get isAnswerDue(): boolean {
    return this.#lanes.some(({ inFlight }) => inFlight.size > 0);
  }

  /** The phrase is no longer wanted, so no more of it is sent. The answer to one that was sent whole still comes. */
  withdraw(id: number): void {
    const fed = this.#feeding?.id === id ? this.#feeding.lane : null;
    const isSentWhole = fed === null && (this.#take.phrase(id)?.unanswered ?? 0) > 0;
    for (const lane of this.#lanes) {
      const isOnIt = lane === fed || [...lane.inFlight.values()].includes(id);
      if (isOnIt && !(isSentWhole && lane.state === 'live')) this.#leave(lane);
    }
  }

  #leave(lane: Lane): void {
    const { session } = lane;
    this.#clear(lane);
    session?.abort();
  }

  rest(): void {
    for (const lane of this.#lanes) {
      void lane.session?.stop();
      lane.session = null;
      lane.inFlight.clear();
      lane.state = 'idle';
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelRetry?.();
    for (const lane of this.#lanes) {
      lane.session?.abort();
      lane.session = null;
    }
  }

  pump(): void {
    if (this.#isPumping || this.#isClosed) return;
    this.#isPumping = true;
    while (this.#feedNext());
    this.#isPumping = false;
  }

  #feedNext(): boolean {
    const busy = new Set(this.#lanes.flatMap(({ inFlight }) => [...inFlight.values()]));
    const next =
      this.#feeding === null
        ? this.#take.nextToSend((id) => busy.has(id), this.#parts.sendsOpen)
        : this.#take.phrase(this.#feeding.id);
    // A session that waits for the user or for a pause to end accepts nothing.
    const lane =
      this.#feeding?.lane ?? this.#lanes.find(({ inFlight, state }) => inFlight.size === 0 && state !== 'held');
    if (next === undefined || lane === undefined) return false;
    this.#openLane(lane, next.language);
    const { session } = lane;
    if (session === null) return false;
    const feeding = (this.#feeding ??= { id: next.id, lane, at: next.from });
    if (!this.#feed(session, next, feeding) || next.to === null) return false;
    this.#feeding = null;
    if (feeding.at > next.to) {
      // The cut is in audio that was already sent: the surplus begins the next phrase, which is sent separately.
      session.commit((feeding.at - next.to) * 2);
      session.interrupt();
    } else {
      this.#fillUp(session, next);
      session.commit();
    }
    this.#openAhead(next.language);
    return true;
  }

  #feed(session: DictationSession, phrase: Phrase, feeding: { readonly lane: Lane; at: number }): boolean {
    const end = phrase.to ?? this.#take.captured;
    if (session.open === null) session.setLanguage(phrase.language);
    while (feeding.at < end) {
      const to = Math.min(end, feeding.at + chunkSamples);
      if (!session.push(this.#parts.read(feeding.at, to))) return false;
      feeding.at = to;
      if (session.open !== null) feeding.lane.inFlight.set(session.open, phrase.id);
    }
    return true;
  }

  /** Prepares a ticket and a connection for the next phrase while this one is being processed. */
  #openAhead(language: SpeechLanguage): void {
    const free = this.#lanes.find(({ inFlight }) => inFlight.size === 0);
    if (free !== undefined && this.#parts.goesOn()) this.#openLane(free, language);
  }

  /** The rest of a word after a forced cut may be too short for the service, so silence is appended. */
  #fillUp(session: DictationSession, { id, from, to }: Phrase): void {
    const missing = shortestPhrase - ((to ?? from) - from);
    if (missing > 0 && this.#take.phrase(id - 1)?.to === from) session.push(new Uint8Array(missing * 2));
  }

  #onEvent(lane: Lane, event: DictationEvent): void {
    switch (event.kind) {
      case 'state':
        // The answer does not come, so what was discarded meanwhile would be sent again.
        if ((event.state === 'reconnecting' || event.state === 'held') && this.#isDiscarded(lane)) {
          this.#leave(lane);
          this.#parts.onState({ kind: 'idle' });
        } else if (event.state !== 'ended') this.#enter(lane, event.state, event.failure);
        break;
      case 'final':
        this.#failedSessions = 0;
        this.#settle(lane, event.utterance, { ...event.result, paidIds: [event.paidId] });
        break;
      case 'owed': {
        const id = lane.inFlight.get(event.utterance);
        if (id !== undefined) this.#parts.onOwed(id, event.by);
        break;
      }
      case 'empty':
        this.#settle(lane, event.utterance, null);
        break;
      case 'cut': {
        const id = lane.inFlight.get(event.utterance);
        if (id !== undefined) lane.inFlight.set(event.next, id);
        break;
      }
      case 'failed': {
        const id = lane.inFlight.get(event.lost.utterance);
        if (id === undefined) break;
        this.#forget(id);
        this.#parts.onFailed(id, event.failure);
        break;
      }
      case 'ended':
        this.#onEnded(lane, event.failure);
        break;
      case 'partial':
      case 'stray':
        break;
    }
    this.pump();
  }

  #clear(lane: Lane): void {
    lane.session = null;
    lane.state = 'idle';
    if (this.#feeding?.lane === lane) this.#feeding = null;
    for (const id of lane.inFlight.values()) this.#parted.delete(id);
    lane.inFlight.clear();
  }

  #isDiscarded(lane: Lane): boolean {
    return [...lane.inFlight.values()].some((id) => this.#take.phrase(id)?.state === 'discarded');
  }

  #enter(lane: Lane, state: Exclude<DictationState, 'ended'>, failure: Failure | null): void {
    lane.state = state;
    if (state === 'held') {
      if (failure !== null) this.#parts.onState({ kind: 'held', failure });
      return;
    }
    const others = this.#lanes.filter((other) => other !== lane && other.session !== null);
    if (others.every((other) => weight[other.state] <= weight[state]))
      this.#parts.onState(failure === null ? { kind: state } : { kind: state, failure });
  }

  #settle(lane: Lane, utterance: number, received: ReceivedTranscript | null): void {
    const id = lane.inFlight.get(utterance);
    if (id === undefined) return;
    lane.inFlight.delete(utterance);
    const parts = [...(this.#parted.get(id) ?? []), ...(received === null ? [] : [received])];
    if ([...lane.inFlight.values()].includes(id)) {
      this.#parted.set(id, parts);
      return;
    }
    this.#parted.delete(id);
    this.#parts.onText(id, joinReceived(parts));
  }

  #forget(id: number): void {
    for (const { inFlight } of this.#lanes)
      for (const [utterance, phrase] of inFlight) if (phrase === id) inFlight.delete(utterance);
    this.#parted.delete(id);
    if (this.#feeding?.id === id) this.#feeding = null;
  }

  #onEnded(lane: Lane, failure: Failure | null): void {
    this.#clear(lane);
    if (failure === null || this.#isClosed) return;
    this.#cancelRetry?.();
    const mayTry = this.#parts.triesAgain && failure.retry === 'same_key';
    const triesAgainMs = mayTry ? (retryDelaysMs[this.#failedSessions] ?? 60_000) : null;
    this.#failedSessions += 1;
    this.#cancelRetry =
      triesAgainMs === null
        ? () => undefined
        : this.#parts.after(triesAgainMs, () => this.tryNow(this.#take.phrases.at(-1)?.language ?? 'uz'));
    this.#parts.onState({ kind: 'stopped', failure, triesAgainMs });
  }
}
