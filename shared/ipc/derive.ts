import type { z } from 'zod';
import type { Failure } from '../result/failure.ts';
import type { Result } from '../result/result.ts';
import type { ContractShape } from './define.ts';

/** What a handler knows of the caller. */
export interface CallContext {
  /** The window that asked; file tokens are bound to it. */
  readonly windowId: number;
  /** Unix ms of the last real press, key or drop, where one was less than five seconds ago. */
  readonly gesture: number | null;
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

/** One function per request; a missing one does not compile. */
export type Handlers<C extends ContractShape> = {
  readonly [M in RequestName<C>]: (
    input: z.output<ReturnType<C['requests'][M]['input']>>,
    context: CallContext,
  ) => Promise<Result<z.input<ReturnType<C['requests'][M]['output']>>, Failure>>;
};

/** The page's side of the contract. */
export interface Client<C extends ContractShape> {
  request<M extends RequestName<C>>(
    method: M,
    input: RequestInput<C, M>,
  ): Promise<Result<RequestOutput<C, M>, Failure>>;
  subscribe<E extends EventName<C>>(event: E, listener: (payload: EventPayload<C, E>) => void): () => void;
}

/** What the preload puts on `window.studio`. It never changes when a method is added. */
export interface StudioBridge {
  request(method: string, input: unknown): Promise<Result<unknown, Failure>>;
  on(event: string, listener: (payload: unknown) => void): () => void;
  /** Takes a dropped or picked `File` (never a string), answers with an opaque token that main issued for it. */
  fileTokenFor(file: unknown): Promise<Result<string, Failure>>;
}

/** IPC channel names; the only two that exist besides the key window's one. */
export const channels = { request: 'studio:request', fileToken: 'studio:file-token', event: 'studio:event' } as const;
