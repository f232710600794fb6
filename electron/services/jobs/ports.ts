import type { Logger } from '../../../shared/domain/diagnostics/log-entry.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { Origin } from '../../../shared/domain/modes.ts';
import type { ConnectionSource } from '../../api/connection.ts';
import type { Downloader } from '../../api/http/download-signed.ts';
import type { ServiceClient } from '../../api/service-client.ts';
import type { RemoteTranscription, SttApi, UnreadAnswer } from '../../api/stt-api.ts';
import type { EarlierPayment } from '../../../shared/domain/ledger/paid-action.ts';
import type { FilePort, LibraryStore, SameContent, WrittenText } from '../library/store.ts';
import type { AudioFolder } from '../media/audio-folder.ts';
import type { AudioExtractor } from '../media/audio-extractor.ts';

/** Time as the queue needs it; tests may provide their own. */
export interface Clock {
  /** Unix milliseconds: for what is stored and shown. */
  now(): number;
  /** Milliseconds that only ever grow: for waits, which a wrong or moved clock must not change. */
  monotonic(): number;
  /** Calls back once after `ms`; the returned function cancels that. Runs on the monotonic clock. */
  after(ms: number, callback: () => void): () => void;
}

/** What is known about a recording before its words are. */
export interface KnownRecording {
  readonly language: SpeechLanguage;
  /** As measured here; null when its header does not contain it. */
  readonly durationMs: number | null;
}

/** A long answer after parsing: its facts, and its words in stored form. */
export interface LongReading {
  readonly answer: Omit<RemoteTranscription, 'raw' | 'transcript' | 'unread'>;
  readonly written: WrittenText | null;
}

/**
 * Parses answers that would block everything else. Never throws; null: the thread stopped working or the signal stopped
 * it, so the content is unknown.
 */
export interface LongReader {
  answer(answer: UnreadAnswer, known: KnownRecording, signal: AbortSignal): Promise<LongReading | null>;
  /** The words of the service's export file, short or long; `written` is null when it contains none. */
  exported(
    format: 'json' | 'txt',
    body: string,
    known: KnownRecording,
    signal: AbortSignal,
  ): Promise<{ readonly written: WrittenText | null } | null>;
}

/** Everything the queue touches. */
export interface QueuePorts {
  readonly store: LibraryStore;
  readonly files: FilePort;
  readonly extractor: AudioExtractor;
  readonly api: SttApi;
  readonly client: Pick<ServiceClient, 'isolate' | 'legacy' | 'whyNotToBegin'>;
  readonly downloader: Downloader;
  readonly audio: AudioFolder;
  readonly connection: ConnectionSource;
  /** Who does the work; absent: the service. */
  readonly origin?: Origin;
  /** Whether this computer has a network at all; true proves nothing about the service. */
  readonly isOnline: () => boolean;
  readonly reader: LongReader;
  /** What the ledger knows about content that the library may have lost; absent: there is no ledger. */
  readonly findPaid?: (content: SameContent) => EarlierPayment | null;
  readonly log: Logger;
  readonly clock: Clock;
  /** From 0 up to but not 1; spreads waits. */
  readonly random: () => number;
  /** A new UUID, for rows and for idempotency keys. */
  readonly newId: () => string;
}

/** The clock of this computer. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (ms, callback) => {
    // Waits longer than a timer can hold wake up early and are set again by the monotonic clock.
    const timer = setTimeout(callback, Math.min(Math.max(0, ms), 2 ** 31 - 1));
    return () => clearTimeout(timer);
  },
};
