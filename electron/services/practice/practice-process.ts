import type { Failure } from '../../../shared/result/failure.ts';
import type { Result } from '../../../shared/result/result.ts';

/** Where models are: those that the app keeps, and one that is used for every language, whatever it is. */
export interface ModelPlaces {
  readonly kept: string;
  readonly chosen: string | null;
}

/** The practice service, or the one that recognises speech here, in its own process. It ends when this process ends (the pipe closes). */
export interface PracticeProcess {
  readonly url: string;
  /** Sent over the pipe; never in arguments, environment or files (S-52). */
  readonly token: string;
  /** The sign-in of the practice account, over the same pipe. */
  readonly accessToken: string;
  /** The key of the legacy API, over the same pipe. */
  readonly legacyToken: string;
  /** Host and port of the legacy call (gRPC). */
  readonly callHost: string;
  readonly exited: Promise<number | null>;
  /** Recordings wait before their next piece, or go on. */
  pause(isPaused: boolean): void;
  /** Ends the process and waits for its end. */
  stop(): Promise<void>;
}

export type StartPractice = (options: {
  /** Folder (0700) in which the practice service keeps its state, so that a restart finds its work. */
  readonly stateDir: string;
  /** Speech is recognised with them; absent: it is practice. */
  readonly models?: ModelPlaces;
}) => Promise<Result<PracticeProcess, Failure>>;

/** The arguments of such a process. */
export const practiceArguments = ({ stateDir, models }: Parameters<StartPractice>[0]): string[] => [
  '--state-dir',
  stateDir,
  ...(models === undefined ? [] : ['--models', models.kept]),
  ...(models?.chosen == null ? [] : ['--model', models.chosen]),
];

/** Messages of the practice process to its parent, via `process.parentPort` or `process.send`. */
export type PracticeMessage =
  | {
      readonly type: 'ready';
      readonly url: string;
      readonly token: string;
      /** The sign-in of the practice account, for its keys and usage. */
      readonly accessToken: string;
      readonly legacyToken: string;
      readonly callHost: string;
    }
  | { readonly type: 'failed'; readonly code: string };

/** Messages of the parent to the practice process. */
export interface PracticeOrder {
  readonly type: 'pause';
  readonly isPaused: boolean;
}
