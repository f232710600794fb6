import type { NetworkFault } from '../../../shared/domain/failures/network-fault.ts';

/** Thrown by a body whose source can't give what it promised. */
export class BodyFailed extends Error {}

/** Limits in milliseconds and bytes; the defaults are those of the rules (reliability 3.2). */
export interface TransportLimits {
  readonly connectMs: number;
  /** The answer has to begin within the time of its route, and within this. */
  readonly firstByteMs: number;
  /** No byte taken by the socket for this long while sending. */
  readonly sendStallMs: number;
  /** No byte received for this long once the answer began. */
  readonly receiveStallMs: number;
  readonly maxErrorBytes: number;
  readonly maxBodyBytes: number;
}

export const defaultTransportLimits: TransportLimits = {
  connectMs: 10_000,
  firstByteMs: 300_000,
  sendStallMs: 60_000,
  receiveStallMs: 30_000,
  maxErrorBytes: 64 * 1024,
  maxBodyBytes: 64 * 1024 * 1024,
};

/** A body that is made while it is sent: the same length and the same bytes on each opening. */
export interface StreamedBody {
  readonly contentType: string;
  readonly lengthBytes: number;
  /** Throws `BodyFailed` when the source can't give what it promised; then the request is aborted. */
  chunks(): AsyncIterable<Uint8Array>;
}

/** One HTTP request as it goes out: everything is decided. */
export interface WireRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: StreamedBody | null;
  /** Longest wait for the answer to begin after the last byte was sent, milliseconds. */
  readonly firstByteMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** An answer as it came: body decoded with replacement, byte order mark dropped, at most the cap of its kind. */
export interface WireAnswer {
  readonly kind: 'answer';
  readonly status: number;
  /** Lower-case names; of repeated ones the first. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isTruncated: boolean;
  readonly isOversize: boolean;
  readonly sentBytes: number;
}

export interface WireFault extends NetworkFault {
  readonly sentBytes: number;
}

/** The body could not be made; `cause` is what `chunks` threw. */
export interface WireBodyFault {
  readonly kind: 'body';
  readonly cause: unknown;
  readonly sentBytes: number;
}

/** Sends one request and never throws; redirects are answers like any other and are not followed. */
export interface Transport {
  send(request: WireRequest): Promise<WireAnswer | WireFault | WireBodyFault>;
  /** Drops idle connections; running requests end as faults. */
  close(): Promise<void>;
}
