import type { ReceivedTranscript } from '../../../shared/domain/transcript/received.ts';
import type { Failure } from '../../../shared/result/failure.ts';

/** How it went, milliseconds by a clock that never jumps. */
export interface UtteranceTimings {
  /** Length of the audio. */
  readonly audioMs: number;
  /** From the end of speaking to the text. */
  readonly waitedMs: number;
  /** From the last `commit` that left to the text: what the service and the network took. */
  readonly answeredMs: number;
}

/** Sound whose text never came. */
export interface LostUtterance {
  readonly utterance: number;
  /** As it was pushed: 16-bit little-endian, mono, 16 kHz. */
  readonly pcm: Uint8Array;
}

/**
 * `connecting`: the first connection is being made; `live`; `reconnecting`: speech is kept and sent later; `held`:
 * nothing is sent until `goOn` is called; `idle`: no connection, because there is nothing to send; `ended`.
 */
export type DictationState = 'connecting' | 'live' | 'reconnecting' | 'held' | 'idle' | 'ended';

/** The events of a session. Utterances are numbered from 1 in the order in which they were spoken. */
export type DictationEvent =
  | { readonly kind: 'state'; readonly state: DictationState; readonly failure: Failure | null }
  | {
      readonly kind: 'final';
      readonly utterance: number;
      readonly result: ReceivedTranscript;
      readonly timings: UtteranceTimings;
      /** It was committed before without an answer, so the service may have charged for it more than once. */
      readonly isPerhapsCountedTwice: boolean;
    }
  /** The number of its commits without an answer has changed: each of them may be charged. */
  | { readonly kind: 'owed'; readonly utterance: number; readonly by: 1 | -1 }
  /** Undocumented: an intermediate result. The final text replaces it. */
  | { readonly kind: 'partial'; readonly utterance: number; readonly text: string }
  /** Nothing to transcribe: no speech was heard, or there was less than the service takes. */
  | { readonly kind: 'empty'; readonly utterance: number; readonly why: 'no-speech' | 'too-short' }
  /** The audio went on for too long and was cut at its quietest place: `utterance` ends, `next` goes on. */
  | { readonly kind: 'cut'; readonly utterance: number; readonly next: number; readonly audioBytes: number }
  /** This utterance is not tried again; later ones are. */
  | { readonly kind: 'failed'; readonly lost: LostUtterance; readonly failure: Failure }
  /** A text that no utterance was waiting for (E-138): kept for the details, never put into the document. */
  | { readonly kind: 'stray'; readonly result: ReceivedTranscript }
  /** The last event. `failure` is null when all texts came. */
  | { readonly kind: 'ended'; readonly failure: Failure | null; readonly lost: readonly LostUtterance[] };

export type DictationListener = (event: DictationEvent) => void;

export interface DictationOptions {
  readonly language: 'uz' | 'ru' | 'en';
  readonly hasWordTimes?: boolean;
  /** Ends the session at once. */
  readonly signal?: AbortSignal;
}

/**
 * The audio of a session is sent while it is spoken; whatever a lost connection cut off is sent again (E-120 to E-146).
 */
export interface DictationSession {
  /** Any amount of 16-bit little-endian mono audio at 16 kHz. False: the session has ended and keeps nothing. */
  push(pcm: Uint8Array): boolean;
  /** The number of the utterance that is being spoken; null between two. */
  readonly open: number | null;
  /** The language of utterances that begin from now on. */
  setLanguage(language: DictationOptions['language']): void;
  /**
   * The speaker paused: everything pushed since the last commit is an utterance. `keptBack`: bytes at its end that
   * belong to the next one already.
   */
  commit(keptBack?: number): void;
  /** Discards everything pushed since the last `commit`. */
  interrupt(): void;
  /** After `held`: tries again. */
  goOn(): void;
  /** Commits the rest and ends when every text has come, or never will. */
  stop(): Promise<void>;
  /** Ends now; utterances without a text are reported as lost. */
  abort(): void;
}
