import type { Failure } from '../../result/failure.ts';
import type { EarlierPayment } from '../ledger/paid-action.ts';

/** Where a stopped job goes on. */
export type ResumeAt = 'prepare' | 'send' | 'poll' | 'look' | 'fetch';

/** What has to change before a blocked job may go on; the same words as `JobViewState.blocked`. */
export type BlockedBy = 'offline' | 'key' | 'credits' | 'permission' | 'disk' | 'service';

/**
 * One recording on its way through the service. Each arrow between these is one transaction on disk; a tag
 * says what this computer was doing when the row was written, so that any row can be taken up after a crash.
 */
export type JobState =
  /** Added; its content is not hashed yet. */
  | { readonly tag: 'queued' }
  /** Hash, fields and idempotency key are on disk; waits for a place among the uploads. */
  | { readonly tag: 'prepared' }
  /** Bytes may be on their way. Found at start-up it means: outcome unknown, same key again. */
  | { readonly tag: 'sending'; readonly wasUnsettled: boolean }
  /** Searches the service's list for what may already be there; `JobMemory.otherwise` is shown when it is not. */
  | { readonly tag: 'looking' }
  /** The service has it and its id is on disk. */
  | { readonly tag: 'polling'; readonly isProcessing: boolean; readonly rawStatus: string | null }
  /** The service says completed; the result has not been received yet. */
  | { readonly tag: 'fetching' }
  | ({ readonly tag: 'done'; readonly finishedAtMs: number } & JobResult)
  | { readonly tag: 'waiting'; readonly resume: ResumeAt; readonly untilMs: number; readonly failure: Failure }
  | { readonly tag: 'blocked'; readonly resume: ResumeAt; readonly by: BlockedBy; readonly failure: Failure }
  /** A person wants it to wait. Bytes of the stopped upload are only for the eye: the next one begins anew. */
  | { readonly tag: 'paused'; readonly resume: 'prepare' | 'send'; readonly sentBytes: number }
  | { readonly tag: 'needs-user'; readonly failure: Failure }
  | { readonly tag: 'failed'; readonly failure: Failure; readonly hasRawAnswer: boolean }
  | { readonly tag: 'cancelled'; readonly isAcceptedByService: boolean };

/**
 * What is promised to the service under one key: these bytes with these fields. The key dies with the intent; other
 * content or a new request of the person is another intent with another key.
 */
export interface Intent {
  /** UUID, minted once, durable before the first byte. */
  readonly idempotencyKey: string;
  /** Lower-case hex of the whole content. */
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** The audio extracted from the recording, by its name in the library's folder; absent: the file itself. */
  readonly preparedName?: string;
  /** Unix milliseconds of the first send whose outcome is not known; null while there is none. */
  readonly firstSentAtMs: number | null;
  /** True from the first byte until the service answered clearly: while true the work may have been done. */
  readonly isUnsettled: boolean;
  /** Names the address and key the first send went to, without telling either; null before it. */
  readonly boundTo: string | null;
  /** The service's id, as soon as one is known. */
  readonly remoteId: string | null;
  /** Unix milliseconds when the id became known; the base of the polling pace. */
  readonly acceptedAtMs: number | null;
}

/** All that decides about one job. Stored whole with each change. */
export interface JobMemory {
  readonly state: JobState;
  readonly intent: Intent | null;
  /** Number of the command whose report is awaited; reports with another number are late and are ignored. */
  readonly attempt: number;
  /** Failures in a row without progress; the base of the backoff. */
  readonly tries: number;
  /** Answers without a receipt in a row (E-022). */
  readonly answersWithoutId: number;
  /** Pages of HTML that its uploads met in place of an answer, while the service was reached by others (E-240). */
  readonly pages: number;
  /** Reads in a row that said completed and held no text (E-028). */
  readonly emptyReads: number;
  /** Unix milliseconds since when the service answers 404 for a job it accepted (E-041). */
  readonly missingSinceMs: number | null;
  /** A person said that it may be charged again, whatever became of it before. */
  readonly acceptsNewCharge?: true;
  /** Shown when looking finds nothing. */
  readonly fallbackFailure: Failure | null;
}

/** What the job produced, stored in the same transaction as the event that says so: a transcript or audio. */
export type JobResult =
  | { readonly transcriptId: string; readonly speakerCount: number; readonly audioId?: never }
  | { readonly audioId: string; readonly transcriptId?: never; readonly speakerCount?: never };

/** What an answer of the service said, as far as the queue needs it. */
export interface AnswerFacts {
  readonly remoteId: string | null;
  readonly status: 'queued' | 'processing' | 'completed' | 'failed' | 'unknown';
  readonly rawStatus: string | null;
  /** Whether a body worth keeping was stored. */
  readonly hasRawAnswer: boolean;
  readonly errorCode: string | null;
  readonly requestId: string | null;
  readonly result: JobResult | null;
  /** The work is done and its result is a file that has to be downloaded. */
  readonly isToDownload?: boolean;
}

/** An earlier item with the same content and fields. */
export interface Duplicate {
  readonly jobId: string;
  readonly name: string;
  readonly addedAtMs: number;
  readonly isDone: boolean;
  /** The text that came of it, null while it is still on its way. */
  readonly transcriptId: string | null;
}

/** What happened. Events with `attempt` are reports of commands; `roll` is a random number in [0, 1) for jitter. */
export type JobEvent =
  | {
      readonly type: 'hashed';
      readonly attempt: number;
      readonly sha256: string;
      readonly sizeBytes: number;
      readonly mtimeMs: number;
      /** What was hashed is the audio extracted from the recording. */
      readonly preparedName?: string;
      /** A fresh UUID; used only when this job has no intent yet. */
      readonly freshKey: string;
      readonly duplicate: Duplicate | null;
      /** The same content was paid for, or may have been, by a row that the library has lost. */
      readonly earlier?: EarlierPayment | null;
    }
  | { readonly type: 'prepare-failed'; readonly attempt: number; readonly failure: Failure; readonly roll: number }
  | { readonly type: 'go'; readonly boundTo: string }
  | { readonly type: 'answered'; readonly attempt: number; readonly answer: AnswerFacts }
  | {
      readonly type: 'send-failed';
      readonly attempt: number;
      readonly failure: Failure;
      readonly roll: number;
      /**
       * The service was reached by others since this one last met the same: it is about this one and not about the
       * network.
       */
      readonly isItsOwn?: boolean;
    }
  | { readonly type: 'polled'; readonly attempt: number; readonly answer: AnswerFacts }
  | { readonly type: 'poll-failed'; readonly attempt: number; readonly failure: Failure; readonly roll: number }
  | { readonly type: 'looked'; readonly attempt: number; readonly remoteId: string | null }
  | { readonly type: 'look-failed'; readonly attempt: number; readonly failure: Failure; readonly roll: number }
  | { readonly type: 'exported'; readonly attempt: number; readonly result: JobResult | null }
  | { readonly type: 'export-failed'; readonly attempt: number; readonly failure: Failure; readonly roll: number }
  | { readonly type: 'woke'; readonly attempt: number }
  /** What blocked it is gone, or a person said "try now". */
  | {
      readonly type: 'unblock';
      /** It was refused by an HTML answer and the service is reached by others: as with `send-failed`. */
      readonly isItsOwn?: boolean;
    }
  /** A person lets this one wait, before or in the middle of its upload. What the service has goes on by free reads. */
  | { readonly type: 'pause'; readonly sentBytes: number }
  | { readonly type: 'unpause' }
  /** The whole queue was paused: an upload under way goes back to its place in the queue. */
  | { readonly type: 'hold' }
  /** A person chose to use the text of the earlier item with this content; a copy of it was stored (E-212). */
  | { readonly type: 'copied'; readonly result: JobResult }
  | { readonly type: 'cancel' }
  /** A person asks to go on. With `consent` a new charge is accepted; without it only free steps are taken. */
  | { readonly type: 'retry'; readonly consent: boolean };

/** What the runner has to do; it reports with the `attempt` of the job that came with the command. */
export type JobCommand =
  | { readonly type: 'prepare' }
  | { readonly type: 'send' }
  | { readonly type: 'poll'; readonly delayMs: number }
  | { readonly type: 'look' }
  | { readonly type: 'fetch'; readonly delayMs: number; readonly useExport: boolean }
  | { readonly type: 'wake'; readonly atMs: number }
  /** Stops whatever runs for this job. */
  | { readonly type: 'abort' };

export interface Step {
  readonly job: JobMemory;
  readonly commands: readonly JobCommand[];
}

/** A job that was just added. */
export const newJobMemory: JobMemory = {
  state: { tag: 'queued' },
  intent: null,
  attempt: 0,
  tries: 0,
  answersWithoutId: 0,
  pages: 0,
  emptyReads: 0,
  missingSinceMs: null,
  fallbackFailure: null,
};

/** A job that was just added and waits for a person to let it go on. */
export const restingJobMemory: JobMemory = {
  ...newJobMemory,
  state: { tag: 'paused', resume: 'prepare', sentBytes: 0 },
};

/** Whether the job has ended and only a person's request can open it again. */
export const isFinal = (state: JobState): boolean =>
  state.tag === 'done' || state.tag === 'failed' || state.tag === 'cancelled';
