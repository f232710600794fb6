import type { NetworkFault } from '../../../shared/domain/failures/network-fault.ts';

/** Thrown by a body whose source can't deliver what it promised. */
export class BodyFailed extends Error {}

/** Limits in milliseconds and bytes; the defaults suit a slow connection. */
export interface TransportLimits {
  readonly connectMs: number;
  /** The answer must begin within the time of its route, and within this time. */
  readonly firstByteMs: number;
  /** No byte taken by the socket for this long while sending. */
  readonly sendStallMs: number;
  /** No byte received for this long once the answer began. */
  readonly receiveStallMs: number;
  /**
   * After this time the average must have reached `slowestBytesPerSecond`, so that an answer which drips for ever ends.
   */
  readonly receiveGraceMs: number;
  readonly maxErrorBytes: number;
  readonly maxBodyBytes: number;
}

export const defaultTransportLimits: TransportLimits = {
  connectMs: 10_000,
  firstByteMs: 300_000,
  sendStallMs: 60_000,
  receiveStallMs: 30_000,
  receiveGraceMs: 60_000,
  maxErrorBytes: 64 * 1024,
  maxBodyBytes: 64 * 1024 * 1024,
};

/** A body that is produced while it is sent: the same length and the same bytes each time it is opened. */
export interface StreamedBody {
  readonly contentType: string;
  readonly lengthBytes: number;
  /** Throws `BodyFailed` when the source can't deliver what it promised; the request is then aborted. */
  chunks(): AsyncIterable<Uint8Array>;
}

/** Receives the body of a success as it arrives, instead of a text at the end. */
export interface BodySink {
  /** A longer body is given up. */
  readonly maxBytes: number;
  /** No byte for this long is a stall, milliseconds; absent: the limit of the transport. */
  readonly stallMs?: number;
  /**
   * A body that may trickle, such as an answer that is being written, ends after this time, milliseconds; absent: it
   * has to keep up like any other.
   */
  readonly longestMs?: number;
  /** The end waits for the promise; a rejection ends the request as a fault of this computer. */
  write(chunk: Uint8Array): Promise<void> | undefined;
  /** Called after each chunk; true when the rest is not needed. */
  isEnough?(): boolean;
}

/** Null: the body is read as text after all. Only successes that are not compressed are offered. */
export type OpenBodySink = (head: AnswerHead) => BodySink | null;

/** Status and headers of an answer; header names in lower case. */
export interface AnswerHead {
  readonly status: number;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** One HTTP request as it goes out, with everything decided. */
export interface WireRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: StreamedBody | null;
  readonly takeBody?: OpenBodySink | undefined;
  /** Longest wait for the answer to begin after the last byte was sent, milliseconds. */
  readonly firstByteMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** An answer as received: body decoded with replacement, byte order mark dropped, limited to the cap of its kind. */
export interface WireAnswer {
  readonly kind: 'answer';
  readonly status: number;
  /** Lower-case names; of repeated ones the first. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isTruncated: boolean;
  readonly isOversize: boolean;
  /** The answer was cut off because nothing arrived for too long. */
  readonly isStalled: boolean;
  /** The body went to a sink, so `body` is empty. */
  readonly isTaken: boolean;
  readonly sentBytes: number;
}

export interface WireFault extends NetworkFault {
  readonly sentBytes: number;
}

/** The body could not be produced; `cause` is what `chunks` threw. */
export interface WireBodyFault {
  readonly kind: 'body';
  readonly cause: unknown;
  readonly sentBytes: number;
}

/** The received bytes could not be stored; `cause` is the sink's rejection. */
export interface WireTakerFault {
  readonly kind: 'taker';
  readonly cause: unknown;
  readonly status: number;
  readonly sentBytes: number;
}

export type WireOutcome = WireAnswer | WireFault | WireBodyFault | WireTakerFault;

/** Sends one request and never throws; redirects are answers like any other and are not followed. */
export interface Transport {
  send(request: WireRequest): Promise<WireOutcome>;
  /**
   * Every connection is dead, as after sleep: running requests end as a fault or a cut answer with `code`, and later
   * ones use new connections.
   */
  dropAll(code: string): void;
  /** Drops connections from local addresses that this computer no longer has, because they are dead. */
  dropStale(addresses: ReadonlySet<string>): void;
  /** Drops idle connections; running requests end as faults. */
  close(): Promise<void>;
}

/**
 * Creates the transport with the first request. The HTTP client is half of the program's code, and a start that shows
 * the list does not need it.
 */
export function onDemand(make: () => Promise<Transport>) {
  let asked: Promise<Transport> | null = null;
  let made: Transport | null = null;
  return {
    get: async (): Promise<Transport> => made ?? (made = await (asked ??= make())),
    /** Null until it is made. */
    made: (): Transport | null => made,
    /** The transport, once it exists or is being made; null when nothing has asked for it. */
    asked: async (): Promise<Transport | null> => asked,
  };
}

export type TransportOnDemand = ReturnType<typeof onDemand>;

/** Limits of a live stream, milliseconds and bytes (reliability E-124, E-146). */
export interface LiveLimits {
  /** From the first packet to the answer of the upgrade. */
  readonly upgradeMs: number;
  readonly pingEveryMs: number;
  /** Nothing at all was received for this long, pings included. */
  readonly silenceMs: number;
  /** More unsent bytes than this mean that the other side no longer reads. */
  readonly maxUnsentBytes: number;
  readonly maxFrameBytes: number;
  /** Of the answer to a refused upgrade. */
  readonly maxErrorBytes: number;
  /** How long the other side may take to answer our close. */
  readonly closeMs: number;
}

export const defaultLiveLimits: LiveLimits = {
  upgradeMs: 10_000,
  pingEveryMs: 5000,
  silenceMs: 15_000,
  maxUnsentBytes: 1024 * 1024,
  maxFrameBytes: 4 * 1024 * 1024,
  maxErrorBytes: 64 * 1024,
  closeMs: 3000,
};
