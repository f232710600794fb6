import type { NetworkFault } from '../../shared/domain/failures/network-fault.ts';

/** Thrown by a body whose source can't deliver what it promised. */
export class BodyFailed extends Error {}

export type TransportLimits = Readonly<typeof defaultTransportLimits>;

export const defaultTransportLimits = {
  connectMs: 10_000,
  firstByteMs: 300_000,
  sendStallMs: 60_000,
  receiveStallMs: 30_000,
  /** Ends an answer that drips for ever (`slowestBytesPerSecond`). */
  receiveGraceMs: 60_000,
  maxErrorBytes: 64 * 1024,
  maxBodyBytes: 64 * 1024 * 1024,
};

export interface StreamedBody {
  readonly contentType: string;
  readonly lengthBytes: number;
  chunks(): AsyncIterable<Uint8Array>;
}

export interface BodySink {
  readonly maxBytes: number;
  readonly stallMs?: number;
  /** A body that may trickle, such as an answer that is being written, ends after this time. */
  readonly longestMs?: number;
  write(chunk: Uint8Array): Promise<void> | undefined;
  isEnough?(): boolean;
}

/** Null: the body is read as text after all. Only successes that are not compressed are offered. */
export type OpenBodySink = (head: AnswerHead) => BodySink | null;

export interface AnswerHead {
  readonly status: number;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface WireRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: StreamedBody | null;
  readonly sinkBody?: OpenBodySink | undefined;
  readonly firstByteMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** An answer as received: body decoded with replacement, byte order mark dropped, limited to the cap of its kind. */
export interface WireAnswer {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isTruncated: boolean;
  readonly isOversize: boolean;
  readonly isStalled: boolean;
  readonly isTaken: boolean;
  readonly sentBytes: number;
}

export interface WireFault extends NetworkFault {
  readonly sentBytes: number;
}

export interface WireBodyFault {
  readonly kind: 'body';
  readonly cause: unknown;
  readonly sentBytes: number;
}

export interface SinkFault {
  readonly kind: 'taker';
  readonly cause: unknown;
  readonly status: number;
  readonly sentBytes: number;
}

export type WireOutcome = WireAnswer | WireFault | WireBodyFault | SinkFault;

/** Sends one request and never throws; redirects are answers like any other and are not followed. */
export interface Transport {
  send(request: WireRequest): Promise<WireOutcome>;
  /** Running requests end as a fault or a cut answer with `code`, and later ones use new connections. */
  dropAll(code: string): void;
  dropStale(addresses: ReadonlySet<string>): void;
  close(): Promise<void>;
}

/** The HTTP client is half of the program's code, and a start that shows the list does not need it. */
export function onDemand(make: () => Promise<Transport>) {
  let asked: Promise<Transport> | null = null;
  let made: Transport | null = null;
  return {
    get: async (): Promise<Transport> => made ?? (made = await (asked ??= make())),
    made: (): Transport | null => made,
    asked: async (): Promise<Transport | null> => asked,
  };
}

export type TransportOnDemand = ReturnType<typeof onDemand>;

/** Limits of a live stream, milliseconds and bytes (live-dropped, live-aborted). */
export type LiveLimits = Readonly<typeof defaultLiveLimits>;

export const defaultLiveLimits = {
  upgradeMs: 10_000,
  pingEveryMs: 5000,
  silenceMs: 15_000,
  maxUnsentBytes: 1024 * 1024,
  maxFrameBytes: 4 * 1024 * 1024,
  maxErrorBytes: 64 * 1024,
  closeMs: 3000,
};

export interface ClientClock {
  /** Unix milliseconds of this computer; may be wrong and may jump. */
  now(): number;
  /** Milliseconds that only ever grow: for waits and timeouts. */
  monotonic(): number;
  after(ms: number, callback: () => void): () => void;
}

export const systemClientClock: ClientClock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, Math.min(Math.max(0, ms), 2 ** 31 - 1));
    return () => clearTimeout(timer);
  },
};

/** Waits; resolves early with false when the signal is aborted. */
export function sleep(clock: ClientClock, ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  if (signal?.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const finish = (isWaited: boolean): void => {
      takeBack();
      signal?.removeEventListener('abort', onAbort);
      resolve(isWaited);
    };
    const onAbort = (): void => finish(false);
    const takeBack = clock.after(ms, () => finish(true));
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** Tolerated difference between the clocks of the service and this computer. */
export const clockSlackMs = 60_000;

/** The code of an error of the network; of several addresses that were tried the first one gives the reason. */
export function codeOf(error: Error, otherwise: string): string {
  if ('code' in error && typeof error.code === 'string') return error.code;
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  return first instanceof Error && first !== error ? codeOf(first, otherwise) : otherwise;
}
