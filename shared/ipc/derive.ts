import type { z } from 'zod';
import type { Failure } from '../result/failure.ts';
import type { Result } from '../result/result.ts';
import type { ContractShape } from './define.ts';

/** What a handler knows of the caller. */
export interface CallContext {
  /** The requesting window; file tokens are bound to it. */
  readonly windowId: number;
  /** Unix ms of the last real press, key or drop, if it was less than five seconds ago. */
  readonly activation: number | null;
}

type RequestName<C extends ContractShape> = keyof C['requests'] & string;
type EventName<C extends ContractShape> = keyof C['events'] & string;
export type RequestInput<C extends ContractShape, M extends RequestName<C>> = z.input<
  ReturnType<C['requests'][M]['input']>
>;
export type RequestOutput<C extends ContractShape, M extends RequestName<C>> = z.output<
  ReturnType<C['requests'][M]['output']>
>;
export type EventPayload<C extends ContractShape, E extends EventName<C>> = z.output<
  ReturnType<C['events'][E]['payload']>
>;

/** One function per request; a missing one is a compiler error. */
export type Handlers<C extends ContractShape> = {
  readonly [M in RequestName<C>]: (
    input: z.output<ReturnType<C['requests'][M]['input']>>,
    context: CallContext,
  ) => Promise<Result<z.input<ReturnType<C['requests'][M]['output']>>, Failure>>;
};

type StreamName<C extends ContractShape> = keyof C['streams'] & string;
type Up<C extends ContractShape, S extends StreamName<C>> = ReturnType<C['streams'][S]['up']>;
type Down<C extends ContractShape, S extends StreamName<C>> = ReturnType<C['streams'][S]['down']>;

/** Main's end of an open stream. */
export interface MainStream<In, Out> {
  /** Waits until the page has room for the value; false once the stream is over. */
  readonly incoming: AsyncIterable<In>;
  /** Waits until the page has room for the value; false once the stream is over. */
  readonly send: (value: Out) => Promise<boolean>;
  /** Aborted when the page cancelled, reloaded or went away. */
  readonly signal: AbortSignal;
}

/** One function per stream. The stream is open until its promise settles, and the page gets the result. */
export type StreamHandlers<C extends ContractShape> = {
  readonly [S in StreamName<C>]: (
    options: z.output<ReturnType<C['streams'][S]['open']>>,
    stream: MainStream<z.output<Up<C, S>>, z.input<Down<C, S>>>,
    context: CallContext,
  ) => Promise<Result<void, Failure>>;
};

/** What a page opens a stream with. */
export type StreamOptions<C extends ContractShape, S extends StreamName<C>> = z.input<
  ReturnType<C['streams'][S]['open']>
>;

/** The page's end of an open stream. */
export interface PageStream<In, Out> {
  /** What main sends, to be read once; it ends when main has ended the stream. */
  readonly incoming: AsyncIterable<In>;
  /** Values leave in order. Awaiting the promise, which is optional, shows when this one did. */
  readonly send: (value: Out) => Promise<boolean>;
  /** Nothing more comes from this side; main may continue. */
  readonly finish: () => void;
  /** Main stops as soon as it can; `ended` then has the failure `stream_cancelled`. */
  readonly cancel: () => void;
  /** The result from main; the failure `stream_broken` if main went away. */
  readonly ended: Promise<Result<void, Failure>>;
}

/** The page's side of the contract. */
export interface Client<C extends ContractShape> {
  request<M extends RequestName<C>>(
    method: M,
    input: RequestInput<C, M>,
  ): Promise<Result<RequestOutput<C, M>, Failure>>;
  open<S extends StreamName<C>>(
    stream: S,
    options: z.input<ReturnType<C['streams'][S]['open']>>,
  ): Promise<Result<PageStream<z.output<Down<C, S>>, z.input<Up<C, S>>>, Failure>>;
  subscribe<E extends EventName<C>>(event: E, listener: (payload: EventPayload<C, E>) => void): () => void;
}

/** What the preload puts on `window.studio`. It never changes when a method is added. */
export interface StudioBridge {
  request(method: string, input: unknown): Promise<Result<unknown, Failure>>;
  on(event: string, listener: (payload: unknown) => void): () => void;
  /** Asks main for a stream. Its port arrives as a message to this window: `{ streamPort: nonce }`. */
  openStream(stream: string, options: unknown, nonce: string): Promise<Result<unknown, Failure>>;
  /** Takes a dropped or picked `File` (never a string) and resolves with an opaque token that main issued for it. */
  fileTokenFor(this: void, file: unknown): Promise<Result<string, Failure>>;
}

/** IPC channel names; the only ones that exist besides the key window's one. */
export const channels = {
  request: 'studio:request',
  fileToken: 'studio:file-token',
  event: 'studio:event',
  stream: 'studio:stream',
  streamPort: 'studio:stream-port',
} as const;
