import { z } from 'zod';
import type { Result } from '../../shared/result/result.ts';

export interface CallContext {
  readonly windowId: number;
  /** Unix ms of the last real press, key or drop, if it was less than five seconds ago. */
  readonly activation: number | null;
}

type Answer = Result<unknown>;

export interface Procedure<In extends z.ZodType = z.ZodType, R extends Answer = Answer> {
  readonly input: In;
  /** The largest accepted input, in bytes of its JSON or buffers; 256 KiB by default. */
  readonly maxInputBytes?: number;
  handle(input: z.output<In>, context: CallContext): Promise<R>;
}

export const nothing = z.strictObject({});

/** Declares a request. Pages infer their types from it, so its answer must be what a page may know. */
export const procedure = <In extends z.ZodType, R extends Answer>(
  input: In,
  handle: Procedure<In, R>['handle'],
  limits: { readonly maxInputBytes?: number } = {},
): Procedure<In, R> => ({ input, handle, ...limits });

export interface MainStream<In, Out> {
  readonly incoming: AsyncIterable<In>;
  readonly send: (value: Out) => Promise<boolean>;
  readonly signal: AbortSignal;
}

interface StreamInput<Open extends z.ZodType, Up extends z.ZodType> {
  readonly open: Open;
  readonly up: Up;
  readonly maxUpBytes?: number;
  /** Only while it is open may the page ask the system for the microphone. */
  readonly usesMicrophone?: true;
}

/** A two-way stream between a page and main. It is open until the promise settles, and the page gets the result. */
export interface StreamProcedure<
  Open extends z.ZodType = z.ZodType,
  Up extends z.ZodType = z.ZodType,
  Down = unknown,
> extends StreamInput<Open, Up> {
  handle(options: z.output<Open>, stream: MainStream<z.output<Up>, Down>, context: CallContext): Promise<Result<void>>;
}

export const streamOf =
  <Down>() =>
  <Open extends z.ZodType, Up extends z.ZodType>(
    input: StreamInput<Open, Up>,
    handle: StreamProcedure<Open, Up, Down>['handle'],
  ): StreamProcedure<Open, Up, Down> => ({ ...input, handle });

export type Procedures = Readonly<Record<string, Procedure>>;
export type StreamProcedures = Readonly<Record<string, StreamProcedure>>;

/** Facts about a caller, taken from Electron's event, never from the message. */
export interface SenderFacts {
  /** Id of the web contents; 0 when it is gone. */
  readonly windowId: number;
  /** Address of the calling frame as main sees it; empty when the frame is gone. */
  readonly frameUrl: string;
  readonly isMainFrame: boolean;
}

/** Pages that have windows. Each has its own channels. */
export type PageName = 'studio' | 'key' | 'overlay';

const pagePaths: Readonly<Record<PageName, readonly string[]>> = {
  studio: ['/', '/index.html'],
  key: ['/key.html'],
  overlay: ['/overlay.html'],
};

/** True only for the top frame of a window that we created for `page` and that still shows that page. */
export function isTrustedSender(
  sender: SenderFacts,
  page: PageName,
  pageOfWindow: (windowId: number) => PageName | undefined,
): boolean {
  if (!sender.isMainFrame || pageOfWindow(sender.windowId) !== page) return false;
  const url = URL.canParse(sender.frameUrl) ? new URL(sender.frameUrl) : null;
  return (
    url !== null &&
    url.protocol === 'app:' &&
    url.host === 'studio' &&
    url.username === '' &&
    url.password === '' &&
    pagePaths[page].includes(url.pathname)
  );
}
