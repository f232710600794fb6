import type { z } from 'zod';
import type { Result } from '../../shared/result/result.ts';
import type { Procedure, Procedures, StreamProcedure, StreamProcedures } from './procedure.ts';

/** What is sent is copied, so it may be read-only on the page. */
type Sendable<T> = T extends ArrayBufferView ? T : T extends object ? { readonly [K in keyof T]: Sendable<T[K]> } : T;
export type InputOf<P> = P extends Procedure<infer In> ? Sendable<z.input<In>> : never;
export type OutputOf<P extends Procedure> =
  Awaited<ReturnType<P['handle']>> extends infer R ? (R extends { ok: true; value: infer T } ? T : never) : never;

export interface PageStream<In, Out> {
  readonly incoming: AsyncIterable<In>;
  readonly send: (value: Out) => Promise<boolean>;
  readonly finish: () => void;
  readonly cancel: () => void;
  readonly ended: Promise<Result<void>>;
}
type PageStreamOf<S> =
  S extends StreamProcedure<z.ZodType, infer Up, infer Down> ? PageStream<Down, z.input<Up>> : never;

export interface Client<P extends Procedures, S extends StreamProcedures, E extends object> {
  request<M extends keyof P & string>(method: M, input: InputOf<P[M]>): Promise<Result<OutputOf<P[M]>>>;
  open<N extends keyof S & string>(
    stream: N,
    options: Sendable<z.input<S[N]['open']>>,
  ): Promise<Result<PageStreamOf<S[N]>>>;
  subscribe<N extends keyof E & string>(event: N, listener: (payload: E[N]) => void): () => void;
}

export interface StudioBridge {
  request(this: void, method: string, input: unknown): Promise<Result<unknown>>;
  on(this: void, event: string, listener: (payload: unknown) => void): () => void;
  openStream(stream: string, options: unknown, nonce: string): Promise<Result<unknown>>;
  /** Takes a dropped or picked `File` (never a string) and resolves with an opaque token that main issued for it. */
  fileTokenFor(this: void, file: unknown): Promise<Result<string>>;
}

export const channels = {
  request: 'studio:request',
  fileToken: 'studio:file-token',
  event: 'studio:event',
  stream: 'studio:stream',
  streamPort: 'studio:stream-port',
} as const;
