import type { Logger } from '../../../shared/domain/diagnostics/log-entry.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { ReceivedTranscript } from '../../../shared/domain/transcript/received.ts';
import type { Transcript } from '../../../shared/domain/transcript/transcript.ts';
import type { ConnectionSource } from '../../api/connection.ts';
import type { SttApi } from '../../api/stt-api.ts';
import type { FilePort, LibraryStore } from '../library/store.ts';
import type { SoundPort } from '../media/sound-port.ts';

/** Time as the queue needs it; tests may bring their own. */
export interface Clock {
  /** Unix milliseconds: for what is stored and shown. */
  now(): number;
  /** Milliseconds that only ever grow: for waits, which a wrong or moved clock must not change. */
  monotonic(): number;
  /** Calls back once after `ms`; the returned function takes it back. Runs on the monotonic clock. */
  after(ms: number, callback: () => void): () => void;
}

/** Makes our transcript from what the service sent: total, whatever is missing in it. */
export type ToTranscript = (
  received: ReceivedTranscript,
  known: { readonly language: SpeechLanguage; readonly durationMs: number | null },
) => Transcript;

/** Everything the queue touches. */
export interface QueuePorts {
  readonly store: LibraryStore;
  readonly files: FilePort;
  readonly sounds: SoundPort;
  readonly api: SttApi;
  readonly connection: ConnectionSource;
  /** Whether this computer has a network at all; true says nothing of the service. */
  readonly isOnline: () => boolean;
  readonly toTranscript: ToTranscript;
  /** Reads the service's own JSON export; null when it holds no text that can be found. */
  readonly readExport: (body: string) => ReceivedTranscript | null;
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
