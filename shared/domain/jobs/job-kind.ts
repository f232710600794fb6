import type { SpeechLanguage } from '../languages.ts';

/** Kinds of work in the queue, as stored in the database. */
export const jobKinds = ['transcribe', 'isolate'] as const;
export type JobKindName = (typeof jobKinds)[number];

export interface TranscribeOptions {
  readonly kind: 'transcribe';
  readonly language: SpeechLanguage;
  readonly includeSpeakers: boolean;
  /** By the legacy API, with its own key. */
  readonly isLegacy?: boolean | undefined;
}

/** Milliseconds from the beginning of a recording. */
export interface RecordingPart {
  readonly startMs: number;
  readonly endMs: number;
}

export interface IsolateOptions {
  readonly kind: 'isolate';
  /** Restores damaged speech in addition to removing the noise. */
  readonly restoresSpeech: boolean;
  /** The service's name of the restoration model; absent: the service chooses. */
  readonly restorationModel?: string | undefined;
  /** Only this part of the recording is sent; absent: all of it. */
  readonly part?: RecordingPart | undefined;
  /** An excerpt of some seconds is tried before the rest; `part` is set once the length of the recording is known. */
  readonly isExcerpt?: boolean | undefined;
}

/** What the user requested. Two jobs with the same content and the same options are the same work. */
export type JobOptions = TranscribeOptions | IsolateOptions;

/** Only the options of a job, without the rest of its row. */
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
