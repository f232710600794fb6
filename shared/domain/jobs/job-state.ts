import type { Heard } from './time-left.ts';
import type { Failure } from '../../result/failure.ts';
import type { BlockedBy } from '../failures/row.ts';
import type { EarlierPayment } from '../ledger/paid-action.ts';
import type { SpeechLanguage } from '../languages.ts';

export interface TranscribeOptions {
  readonly kind: 'transcribe';
  readonly language: SpeechLanguage;
  readonly includeSpeakers: boolean;
  readonly isLegacy?: boolean | undefined;
}

export interface RecordingPart {
  readonly startMs: number;
  readonly endMs: number;
}

export interface IsolateOptions {
  readonly kind: 'isolate';
  readonly restoresSpeech: boolean;
  /** The service's name of the restoration model; absent: the service chooses. */
  readonly restorationModel?: string | undefined;
  readonly part?: RecordingPart | undefined;
  /** An excerpt of some seconds is tried before the rest; `part` is set once the length of the recording is known. */
  readonly isExcerpt?: boolean | undefined;
}

/** What the user requested. Two jobs with the same content and the same options are the same work. */
export type JobOptions = TranscribeOptions | IsolateOptions;
export type JobKindName = JobOptions['kind'];

export const optionsOf = (job: JobOptions): JobOptions =>
  job.kind === 'transcribe'
    ? {
        kind: job.kind,
        language: job.language,
        includeSpeakers: job.includeSpeakers,
        ...(job.isLegacy === true ? { isLegacy: true } : {}),
      }
    : {
        kind: job.kind,
        restoresSpeech: job.restoresSpeech,
        ...(job.restoresSpeech && job.restorationModel !== undefined ? { restorationModel: job.restorationModel } : {}),
        ...(job.part === undefined ? {} : { part: job.part }),
        ...(job.isExcerpt === true ? { isExcerpt: true } : {}),
      };

export type ResumeAt = 'prepare' | 'send' | 'poll' | 'look' | 'fetch';

/** What was heard in a recording before it is sent: `noise` is anything but a voice. */
export type HeardIn = 'nothing' | 'noise' | 'voice';

/** Each transition is one transaction; a tag says what was being done, so that a crash can be recovered from. */
export type JobState =
  | { readonly tag: 'queued' }
  /** Hash, fields and idempotency key are on disk; waits for an upload slot. */
  | { readonly tag: 'prepared' }
  /** Bytes may be under way. Found at start-up it means: outcome unknown, same key again. */
  | { readonly tag: 'sending'; readonly wasUnsettled: boolean }
  /** Searches the service's list for existing work; `fallbackFailure` is shown when there is none. */
  | { readonly tag: 'looking' }
  | { readonly tag: 'polling'; readonly isProcessing: boolean; readonly rawStatus: string | null }
  | { readonly tag: 'fetching' }
  | ({ readonly tag: 'done'; readonly finishedAtMs: number } & JobResult)
  | { readonly tag: 'waiting'; readonly resume: ResumeAt; readonly untilMs: number; readonly failure: Failure }
  | { readonly tag: 'blocked'; readonly resume: ResumeAt; readonly by: BlockedBy; readonly failure: Failure }
  /** Paused by the user. The bytes of the stopped upload are only for display: the next one starts over. */
  | {
      readonly tag: 'paused';
      readonly resume: 'prepare' | 'send';
      readonly sentBytes: number;
      /** Not by the user, whose answer it waits for. */
      readonly isAsking?: true;
      /** Not by the user: the account or the address became another. */
      readonly isElsewhere?: true;
    }
  | { readonly tag: 'needs-user'; readonly failure: Failure }
  | { readonly tag: 'failed'; readonly failure: Failure; readonly hasRawAnswer: boolean }
  | {
      readonly tag: 'cancelled';
      readonly isAcceptedByService: boolean;
      /** It waited for an answer, and does again when it is brought back. */
      readonly isAsking?: true;
    };

/** These bytes with these fields under one key; other content or a new request is another intent and key. */
export interface PreparedUpload {
  /** UUID, created once, durable before the first byte. */
  readonly idempotencyKey: string;
  /** Lower-case hex of the whole content. */
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** File name of the extracted audio in the library's folder; absent: the file itself is sent. */
  readonly preparedName?: string;
  /** Unix milliseconds of the first send with an unknown outcome; null while there is none. */
  readonly firstSentAtMs: number | null;
  /** True from the first byte until the service answered clearly: while true the work may have been done. */
  readonly isUnsettled: boolean;
  /** Identifies the address and key of the first send without revealing either; null before it. */
  readonly boundTo: string | null;
  readonly remoteId: string | null;
  /** Unix milliseconds when the id became known; polling intervals depend on it. */
  readonly acceptedAtMs: number | null;
}

/** All data that decisions about one job depend on. Stored whole with each change. */
export interface JobRecord {
  readonly state: JobState;
  readonly intent: PreparedUpload | null;
  /** Number of the command whose report is awaited; reports with another number are late and are ignored. */
  readonly attempt: number;
  /** Failures in a row without progress; the backoff depends on it. */
  readonly tries: number;
  /** Answers without a receipt in a row (no-receipt). */
  readonly answersWithoutId: number;
  /** HTML answers to its uploads, while others reached the service (refused-by-proxy). */
  readonly pages: number;
  readonly emptyReads: number;
  /** Unix milliseconds since when the service answers 404 for a job it accepted (job-not-found). */
  readonly missingSinceMs: number | null;
  /** The user accepted a possible second charge, whatever happened to the first request. */
  readonly acceptsNewCharge?: true;
  /** Identifies the account whose credits the user meant to spend; absent: whichever it is sent for. */
  readonly orderedFor?: string | undefined;
  readonly fallbackFailure: Failure | null;
}

/** The output of the job, stored in the same transaction as the event that reports it: a transcript or audio. */
export type JobResult =
  | { readonly transcriptId: string; readonly speakerCount: number; readonly audioId?: never }
  | { readonly audioId: string; readonly transcriptId?: never; readonly speakerCount?: never };

export interface AnswerFacts {
  readonly remoteId: string | null;
  readonly status: 'queued' | 'processing' | 'completed' | 'failed' | 'unknown';
  readonly rawStatus: string | null;
  readonly hasRawAnswer: boolean;
  readonly errorCode: string | null;
  readonly requestId: string | null;
  readonly result: JobResult | null;
  readonly heard?: Heard;
  readonly isToDownload?: boolean;
}

export interface Duplicate {
  readonly jobId: string;
  readonly name: string;
  readonly addedAtMs: number;
  readonly isDone: boolean;
  readonly transcriptId: string | null;
  /** Of its text, where that is another one. */
  readonly language?: SpeechLanguage;
}

export interface FailedEvent {
  readonly type: 'prepare-failed' | 'send-failed' | 'poll-failed' | 'look-failed' | 'export-failed';
  readonly attempt: number;
  readonly failure: Failure;
  /** A random number in [0, 1) for jitter. */
  readonly roll: number;
  /** Others have reached the service since this failure was met last: the job is the cause, not the network. */
  readonly isItsOwn?: boolean;
}

/** Events of a job. Those with `attempt` are reports of commands. */
export type JobEvent =
  | FailedEvent
  | {
      readonly type: 'hashed';
      readonly attempt: number;
      readonly sha256: string;
      readonly sizeBytes: number;
      readonly mtimeMs: number;
      readonly preparedName?: string;
      /** A fresh UUID; used only when this job has no intent yet. */
      readonly freshKey: string;
      readonly duplicate: Duplicate | null;
      /** The same content was paid for, or may have been, by a row that the library has lost. */
      readonly earlier?: EarlierPayment | null;
      readonly heard?: HeardIn;
    }
  | { readonly type: 'go'; readonly boundTo: string; readonly account?: string | undefined }
  | { readonly type: 'answered'; readonly attempt: number; readonly answer: AnswerFacts }
  | { readonly type: 'polled'; readonly attempt: number; readonly answer: AnswerFacts }
  | { readonly type: 'looked'; readonly attempt: number; readonly remoteId: string | null }
  | { readonly type: 'exported'; readonly attempt: number; readonly result: JobResult | null }
  | { readonly type: 'woke'; readonly attempt: number }
  /** Its obstacle is gone, or the user said "try now". */
  | {
      readonly type: 'unblock';
      /** An HTML answer refused it while others reach the service: as with `send-failed`. */
      readonly isItsOwn?: boolean;
    }
  /** Before or during its upload; work that the service has accepted continues by free reads. */
  | { readonly type: 'pause'; readonly sentBytes: number; readonly isElsewhere?: true }
  /** `isOrderedAnew`: the user wants it for the account in use, whichever it was ordered for. */
  | { readonly type: 'unpause'; readonly isOrderedAnew?: boolean }
  /** The user chose to use the text of an earlier item with this content; a copy of it was stored. */
  | { readonly type: 'copied'; readonly result: JobResult }
  | { readonly type: 'cancel' }
  /** The user asks to continue. With `consent` a new charge is accepted; without it only free steps are taken. */
  | { readonly type: 'retry'; readonly consent: boolean };

export type JobCommand =
  | { readonly type: 'prepare' }
  | { readonly type: 'send' }
  | { readonly type: 'poll'; readonly delayMs: number }
  | { readonly type: 'look' }
  | { readonly type: 'fetch'; readonly delayMs: number; readonly useExport: boolean }
  | { readonly type: 'wake'; readonly atMs: number }
  | { readonly type: 'abort' };

export interface Step {
  readonly job: JobRecord;
  readonly commands: readonly JobCommand[];
}

export const newJobRecord: JobRecord = {
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

export const pausedJobRecord: JobRecord = {
  ...newJobRecord,
  state: { tag: 'paused', resume: 'prepare', sentBytes: 0, isAsking: true },
};

export const isFinal = (state: JobState): boolean =>
  state.tag === 'done' || state.tag === 'failed' || state.tag === 'cancelled';
