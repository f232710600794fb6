import { dictationRate, shortestPhrase } from '../../../shared/domain/dictation/phrase-cutter.ts';
import type { SendingState } from '../../../shared/domain/dictation/take-view.ts';
import type { Phrase, Take } from '../../../shared/domain/dictation/take.ts';
import { joinReceived } from '../../../shared/domain/transcript/join-received.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { ReceivedTranscript } from '../../../shared/domain/transcript/received.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type {
  DictationEvent,
  DictationListener,
  DictationSession,
  DictationOptions,
} from '../../api/live/dictation-events.ts';

export type OpenDictation = (options: DictationOptions, listener: DictationListener) => DictationSession;

export interface SenderParts {
  readonly dictate: OpenDictation;
  /** The bytes of samples that were captured. */
  readonly read: (fromSample: number, toSample: number) => Uint8Array;
  readonly after: (ms: number, callback: () => void) => () => void;
  /** After a session has ended in failure another is tried in a while; a terminal gives up instead. */
  readonly triesAgain: boolean;
  /** A phrase goes out while it is spoken; else when its end is known. */
  readonly sendsOpen: boolean;
  readonly onText: (phrase: number, received: ReceivedTranscript | null) => void;
  readonly onFailed: (phrase: number, failure: Failure) => void;
  readonly onState: (state: SendingState) => void;
}

/** So many phrases are with the session; the others stay on disk, so that an hour offline needs no memory. */
const mostInFlight = 2;
const chunkSamples = dictationRate;
const retryDelaysMs = [5000, 15_000, 30_000, 60_000] as const;

/** Sends the phrases of a take in order, from its spool, over as many sessions as that needs. */
export class PhraseSender {
  readonly #parts: SenderParts;
  readonly #take: Take;
  #session: DictationSession | null = null;
  /** The phrase whose sound goes out, and how far it has gone. */
  #feeding: { readonly id: number; at: number } | null = null;
  /** Numbers of the session to phrases. */
  readonly #inFlight = new Map<number, number>();
  /** Texts of a phrase that the service wanted in two parts. */
  readonly #parted = new Map<number, ReceivedTranscript[]>();
  #isPumping = false;
  #isClosed = false;
  #failedSessions = 0;
  #cancelRetry: (() => void) | null = null;

  constructor(parts: SenderParts, take: Take) {
    this.#parts = parts;
    this.#take = take;
  }

  /** The session has ended and no other is on its way. */
  get isStuck(): boolean {
    return this.#isClosed || (this.#cancelRetry !== null && !this.#parts.triesAgain);
  }

  /** Gets a ticket and a connection before there is anything to send. */
  open(language: SpeechLanguage): void {
    if (this.#session !== null || this.#cancelRetry !== null || this.#isClosed) return;
    let own: DictationSession | null = null;
    const session = this.#parts.dictate({ language, hasWordTimes: true }, (event) => {
      if (own !== null && own === this.#session) this.#onEvent(event);
    });
    own = session;
    this.#session = session;
  }

  tryNow(language: SpeechLanguage): void {
    this.#cancelRetry?.();
    this.#cancelRetry = null;
    this.#session?.goOn();
    this.open(language);
    this.pump();
  }

  /** The phrase is not wanted any more; what of it has not been committed is taken back. */
  interrupt(id: number): void {
    if (this.#feeding?.id !== id) return;
    this.#feeding = null;
    this.#forget(id);
    this.#session?.interrupt();
    this.pump();
  }

  /** Everything has its text. */
  rest(): void {
    void this.#session?.stop();
    this.#session = null;
    this.#inFlight.clear();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelRetry?.();
    this.#session?.abort();
    this.#session = null;
  }

  /** Gives the session what it may have. Called after everything that happens. */
  pump(): void {
    if (this.#isPumping || this.#isClosed) return;
    this.#isPumping = true;
    while (this.#feedNext());
    this.#isPumping = false;
  }

  /** True: a phrase was given completely, so there may be another one. */
  #feedNext(): boolean {
    const busy = new Set(this.#inFlight.values());
    const next =
      this.#feeding === null
        ? this.#take.nextToSend((id) => busy.has(id), this.#parts.sendsOpen)
        : this.#take.phrase(this.#feeding.id);
    if (next === undefined || (this.#feeding === null && busy.size >= mostInFlight)) return false;
    this.open(next.language);
    const session = this.#session;
    if (session === null) return false;
    const feeding = (this.#feeding ??= { id: next.id, at: next.from });
    if (!this.#feed(session, next, feeding) || next.to === null) return false;
    if (feeding.at > next.to) return this.#commitInThePast(session, next, feeding.at - next.to);
    this.#fillUp(session, next);
    this.#feeding = null;
    session.commit();
    return true;
  }

  /** False: the session has ended. */
  #feed(session: DictationSession, phrase: Phrase, feeding: { at: number }): boolean {
    const end = phrase.to ?? this.#take.captured;
    if (session.open === null) session.setLanguage(phrase.language);
    while (feeding.at < end) {
      const to = Math.min(end, feeding.at + chunkSamples);
      if (!session.push(this.#parts.read(feeding.at, to))) return false;
      feeding.at = to;
      if (session.open !== null) this.#inFlight.set(session.open, phrase.id);
    }
    return true;
  }

  /** The phrase was cut in audio that has gone out already: what was too much is the beginning of the next. */
  #commitInThePast(session: DictationSession, phrase: Phrase, tooMuch: number): boolean {
    const next = this.#take.phrase(phrase.id + 1);
    if (next === undefined) return false;
    session.setLanguage(next.language);
    session.commit(tooMuch * 2);
    this.#feeding = { id: next.id, at: next.from + tooMuch };
    if (session.open !== null) this.#inFlight.set(session.open, next.id);
    return true;
  }

  /** The end of a word that a forced cut left too short for the service goes out with silence behind it. */
  #fillUp(session: DictationSession, { id, from, to }: Phrase): void {
    const missing = shortestPhrase - ((to ?? from) - from);
    if (missing > 0 && this.#take.phrase(id - 1)?.to === from) session.push(new Uint8Array(missing * 2));
  }

  #onEvent(event: DictationEvent): void {
    switch (event.kind) {
      case 'state':
        if (event.state === 'held' && event.failure !== null)
          this.#parts.onState({ kind: 'held', failure: event.failure });
        else if (event.state !== 'ended' && event.state !== 'held') this.#parts.onState({ kind: event.state });
        break;
      case 'final':
        this.#failedSessions = 0;
        this.#settle(event.utterance, event.result);
        break;
      case 'empty':
        this.#settle(event.utterance, null);
        break;
      case 'cut': {
        const id = this.#inFlight.get(event.utterance);
        if (id !== undefined) this.#inFlight.set(event.next, id);
        break;
      }
      case 'failed': {
        const id = this.#inFlight.get(event.lost.utterance);
        if (id === undefined) break;
        this.#forget(id);
        this.#parts.onFailed(id, event.failure);
        break;
      }
      case 'ended':
        this.#onEnded(event.failure);
        break;
      case 'partial':
      case 'stray':
        break;
    }
    this.pump();
  }

  #settle(utterance: number, received: ReceivedTranscript | null): void {
    const id = this.#inFlight.get(utterance);
    if (id === undefined) return;
    this.#inFlight.delete(utterance);
    const parts = [...(this.#parted.get(id) ?? []), ...(received === null ? [] : [received])];
    if ([...this.#inFlight.values()].includes(id)) {
      this.#parted.set(id, parts);
      return;
    }
    this.#parted.delete(id);
    this.#parts.onText(id, joinReceived(parts));
  }

  #forget(id: number): void {
    for (const [utterance, phrase] of this.#inFlight) if (phrase === id) this.#inFlight.delete(utterance);
    this.#parted.delete(id);
    if (this.#feeding?.id === id) this.#feeding = null;
  }

  /** Whatever has no text is given to the next session from the spool. */
  #onEnded(failure: Failure | null): void {
    this.#session = null;
    this.#feeding = null;
    this.#inFlight.clear();
    this.#parted.clear();
    if (failure === null || this.#isClosed) return;
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
