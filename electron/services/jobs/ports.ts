import type { Logger } from '../../../shared/domain/diagnostics/log-entry.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { ConnectionSource } from '../../api/connection.ts';
import type { Downloader } from '../../api/http/download-signed.ts';
import type { ServiceClient } from '../../api/service-client.ts';
import type { RemoteTranscription, SttApi, UnreadAnswer } from '../../api/stt-api.ts';
import type { EarlierPayment } from '../../../shared/domain/ledger/paid-action.ts';
import type { FilePort, LibraryStore, SameContent, WrittenText } from '../library/store.ts';
import type { AudioFolder } from '../media/audio-folder.ts';
import type { AudioExtractor } from '../media/audio-extractor.ts';

/** Time as the queue needs it; tests may bring their own. */
export interface Clock {
  /** Unix milliseconds: for what is stored and shown. */
  now(): number;
  /** Milliseconds that only ever grow: for waits, which a wrong or moved clock must not change. */
  monotonic(): number;
  /** Calls back once after `ms`; the returned function takes it back. Runs on the monotonic clock. */
  after(ms: number, callback: () => void): () => void;
}

/** What is known of a recording before its words are. */
export interface KnownRecording {
  readonly language: SpeechLanguage;
  /** As measured here; null when its header does not say. */
  readonly durationMs: number | null;
}

/** A long answer that was read: what it says, and its words as they will be stored. */
export interface LongReading {
  readonly answer: Omit<RemoteTranscription, 'raw' | 'transcript' | 'unread'>;
  readonly written: WrittenText | null;
}

/**
 * Reads what would hold up everything else. Never throws; null: whoever read it stopped working or was stopped by the
 * signal, and nobody knows what it says.
 */
export interface LongReader {
  answer(answer: UnreadAnswer, known: KnownRecording, signal: AbortSignal): Promise<LongReading | null>;
  /** The words of an export file of the service, short or long; `written` is null when it holds none. */
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
  readonly client: Pick<ServiceClient, 'isolate' | 'whyNotToBegin'>;
  readonly downloader: Downloader;
  readonly audio: AudioFolder;
  readonly connection: ConnectionSource;
  /** Whether this computer has a network at all; true says nothing of the service. */
  readonly isOnline: () => boolean;
  readonly reader: LongReader;
  /** What the ledger knows of a content that the library may have lost; absent: there is no ledger. */
  readonly findPaid?: (content: SameContent) => EarlierPayment | null;
  readonly log: Logger;
  readonly clock: Clock;
  /** From 0 up to but not 1; spreads waits. */
  readonly random: () => number;
  /** A UUID that was never given before, for rows and for idempotency keys. */
  readonly newId: () => string;
}

/** The clock of this computer. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (ms, callback) => {
    // Longer waits than a timer can hold wake up early and are armed again by the machine's own time.
    const timer = setTimeout(callback, Math.min(Math.max(0, ms), 2 ** 31 - 1));
    return () => clearTimeout(timer);
  },
};
