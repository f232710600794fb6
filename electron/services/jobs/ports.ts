import type { UnreadAnswer } from '../../service/read-transcription.ts';
import type { Logger } from '../../../shared/domain/diagnostics/log-entry.ts';
import type { JobOptions, JobResult } from '../../../shared/domain/jobs/job-state.ts';
import type { QueueView, JobView } from '../../../shared/domain/jobs/job-view.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { EarlierPayment } from '../../../shared/domain/ledger/paid-action.ts';
import type { Origin } from '../../../shared/domain/modes.ts';
import type { ConnectionSource } from '../../service/connection.ts';
import type { Downloader } from '../../service/download.ts';
import type { ServiceClient } from '../../service/client.ts';
import type { RemoteTranscription, SttApi } from '../../service/stt.ts';
import type { ImportWatch, LocalFile, RefusedFile } from '../library/file-inspector.ts';
import type { FilePort, SameContent, WrittenText } from '../library/store.ts';
import type { AudioExtractor, AudioFolder } from '../media/audio-extractor.ts';
import type { LibraryStore } from '../../storage/sqlite-library-store.ts';

export interface Clock {
  now(): number;
  /** Milliseconds that only ever grow: for waits, which a wrong or moved clock must not change. */
  monotonic(): number;
  /** Calls back once after `ms`; the returned function cancels that. Runs on the monotonic clock. */
  after(ms: number, callback: () => void): () => void;
}

export interface KnownRecording {
  readonly language: SpeechLanguage;
  readonly durationMs: number | null;
}

export interface LongReading {
  readonly answer: Omit<RemoteTranscription, 'raw' | 'transcript' | 'unread'>;
  readonly written: WrittenText | null;
}

/** Never throws; null: the thread stopped working, so the content is unknown. */
export interface LongReader {
  answer(answer: UnreadAnswer, known: KnownRecording, signal: AbortSignal): Promise<LongReading | null>;
  exported(
    format: 'json' | 'txt',
    body: string,
    known: KnownRecording,
    signal: AbortSignal,
  ): Promise<{ readonly written: WrittenText | null } | null>;
}

export interface QueueDeps {
  readonly store: LibraryStore;
  readonly files: FilePort;
  readonly extractor: AudioExtractor;
  readonly api: SttApi;
  readonly client: Pick<ServiceClient, 'isolate' | 'legacy' | 'missingPermission'>;
  readonly downloader: Downloader;
  readonly audio: AudioFolder;
  readonly connection: ConnectionSource;
  /** Who does the work; absent: the service. */
  readonly origin?: Origin;
  /** Whether this computer has a network at all; true proves nothing about the service. */
  readonly isOnline: () => boolean;
  readonly reader: LongReader;
  readonly findPaid?: (content: SameContent) => EarlierPayment | null;
  readonly log: Logger;
  readonly clock: Clock;
  readonly random: () => number;
  readonly newId: () => string;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (ms, callback) => {
    // Waits longer than a timer can hold wake up early and are set again by the monotonic clock.
    const timer = setTimeout(callback, Math.min(Math.max(0, ms), 2 ** 31 - 1));
    return () => clearTimeout(timer);
  },
};

/** Timers by key: setting one again cancels the earlier one. None fires once the queue has stopped. */
export class KeyedTimers {
  readonly #clock: Clock;
  readonly #isWanted: () => boolean;
  readonly #cancels = new Map<string, () => void>();

  constructor(clock: Clock, isWanted: () => boolean) {
    this.#clock = clock;
    this.#isWanted = isWanted;
  }

  get isWanted(): boolean {
    return this.#isWanted();
  }

  has(name: string): boolean {
    return this.#cancels.has(name);
  }

  set(name: string, ms: number, callback: () => void): void {
    this.cancel(name);
    if (!this.#isWanted()) return;
    const cancel = this.#clock.after(ms, () => {
      this.#cancels.delete(name);
      if (this.#isWanted()) callback();
    });
    this.#cancels.set(name, cancel);
  }

  cancel(name: string): void {
    this.#cancels.get(name)?.();
    this.#cancels.delete(name);
  }

  clear(): void {
    for (const cancel of this.#cancels.values()) cancel();
    this.#cancels.clear();
  }
}

/** Waits for the work, but no longer than this. The work itself is not cancelled. */
export async function waitAtMost(limitMs: number, work: Promise<unknown>, clock: Pick<Clock, 'after'>): Promise<void> {
  let cancel = (): void => undefined;
  const limit = new Promise<void>((resolve) => {
    cancel = clock.after(limitMs, resolve);
  });
  await Promise.race([work, limit]);
  cancel();
}

export type FileSize = Pick<LocalFile, 'sizeBytes' | 'durationMs'>;

/** False: not without consent. `isLastBatch` asks about all at once; `waits`: added as paused. */
export type AdmitFiles = (
  files: readonly FileSize[],
  isLastBatch: boolean,
  isResting?: boolean,
) => Promise<boolean | 'waits'>;

export interface ChargedWatch extends ImportWatch {
  readonly admit: AdmitFiles;
}

export type NewJob = JobOptions & {
  readonly path: string;
  readonly name?: string;
  /** For `attach`: a job that stopped because only a new charge may help is sent again under a new key. */
  readonly acceptsNewCharge?: boolean;
};

/** A file that a job in the list was made from already: same path, size and options, and that job did not fail. */
export interface RepeatedFile {
  readonly path: string;
  readonly name: string;
  readonly jobId: string;
}

export interface AddOptions {
  readonly skipsRepeats: boolean;
  readonly restsAboveMs?: number;
}

export interface AddedJobs {
  readonly jobIds: readonly string[];
  readonly refused: readonly RefusedFile[];
  readonly repeated: readonly RepeatedFile[];
}

/** The job that a file was joined to; `done` means that its result is here already and nothing is sent. */
export type Attached =
  | { readonly jobId: string; readonly relation: 'new' | 'resumed' }
  | { readonly jobId: string; readonly relation: 'done'; readonly result: JobResult };

/** Rows that changed, in their state when listeners are called, and those that left the list. */
export interface JobsChange {
  readonly isWhole?: true;
  readonly jobs: readonly JobView[];
  readonly removedIds: readonly string[];
  readonly queue: QueueView;
}

export interface ActedOn {
  readonly changedCount: number;
  /** How many of them the service has accepted and may still finish and charge. */
  readonly acceptedCount: number;
}
