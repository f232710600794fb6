import type { Dispatcher } from 'undici';
import type { ClientClock } from './clock.ts';
import {
  BodyFailed,
  type TransportLimits,
  type BodySink,
  type WireAnswer,
  type WireFault,
  type WireOutcome,
  type WireRequest,
} from './transport.ts';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

interface ExchangeParts {
  readonly request: WireRequest;
  readonly limits: TransportLimits;
  readonly clock: ClientClock;
  readonly isSecure: boolean;
  readonly isConnectFailure: (error: Error) => boolean;
  readonly resolve: (outcome: WireOutcome) => void;
}

const slowestBytesPerSecond = 1024;

type Phase = WireFault['phase'];
const keptHeaders = [
  'content-encoding',
  'content-length',
  'content-range',
  'content-type',
  'date',
  'etag',
  'location',
  'retry-after',
  'x-request-id',
  'x-llm-request-id',
] as const;

/** Follows one request from the first byte to the last, with a clock for each phase. Settles exactly once. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #parts: ExchangeParts;
  readonly #chunks: Buffer[] = [];
  #phase: Phase = 'connecting';
  #controller: Dispatcher.DispatchController | null = null;
  #status = 0;
  #headers: Record<string, string> = {};
  #receivedBytes = 0;
  #receivingSinceMs = 0;
  #sentBytes = 0;
  #isSettled = false;
  #isStalled = false;
  #taker: BodySink | null = null;
  /** Chunks that the sink has not finished writing; the end waits for them. */
  #kept: Promise<void> = Promise.resolve();
  #unkept = 0;
  #disarm: () => void = () => undefined;
  readonly #onAbort = (): void => this.#giveUp('cancelled');

  constructor(parts: ExchangeParts) {
    this.#parts = parts;
    const { signal } = parts.request;
    if (signal?.aborted) this.#giveUp('cancelled');
    else signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** Its connection is known to be dead. */
  drop(code: string): void {
    if (!this.#isSettled) this.#giveUp(code);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isSettled) {
      controller.abort(new Error('given up'));
      return;
    }
    this.#phase = this.#parts.request.body === null ? 'waiting' : 'sending';
    if (this.#phase === 'waiting') this.#armFirstByte();
    else this.#arm(this.#parts.limits.sendStallMs, 'send_stalled');
  }

  onBodySent(chunk: Buffer): void {
    this.#sentBytes += chunk.length;
    if (this.#phase === 'sending') this.#arm(this.#parts.limits.sendStallMs, 'send_stalled');
  }

  onRequestSent(): void {
    if (this.#phase !== 'sending') return;
    this.#phase = 'waiting';
    this.#armFirstByte();
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, received: object): void {
    // Interim answers are not the answer.
    if (status < 200) return;
    this.#phase = 'receiving';
    this.#receivingSinceMs = this.#parts.clock.monotonic();
    this.#status = status;
    this.#headers = pickHeaders(received);
    const isPlain = (this.#headers['content-encoding'] ?? 'identity') === 'identity';
    if (status < 300 && isPlain) {
      const headers = this.#headers;
      const head = { status, contentType: headers['content-type'] ?? '', headers };
      this.#taker = this.#parts.request.takeBody?.(head) ?? null;
    }
    this.#armReceiving();
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // A parser that resumes after a pause emits an empty chunk first; pausing on that one would never end.
    if (this.#isSettled || chunk.length === 0) return;
    this.#armReceiving();
    this.#receivedBytes += chunk.length;
    if (this.#isDripping()) return this.#giveUp('receive_stalled');
    if (this.#taker !== null) {
      this.#hand(this.#taker, chunk);
      return;
    }
    const isSuccess = this.#status < 300;
    const { maxBodyBytes, maxErrorBytes } = this.#parts.limits;
    const room = (isSuccess ? maxBodyBytes : maxErrorBytes) - this.#receivedBytes + chunk.length;
    if (chunk.length <= room) {
      this.#chunks.push(chunk);
      return;
    }
    // The beginning of an oversized refusal still shows the reason.
    if (!isSuccess) this.#chunks.push(chunk.subarray(0, Math.max(0, room)));
    this.#settle(this.#answer(false, isSuccess));
    this.#controller?.abort(new Error('over the cap'));
  }

  /** Called only for an answer that ended as it announced: a truncated one arrives as an error. */
  onResponseEnd(): void {
    this.#settleWhenKept(false);
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (error instanceof BodyFailed) {
      this.#settle({ kind: 'body', cause: error, sentBytes: this.#sentBytes });
      return;
    }
    if (this.#phase === 'receiving') {
      this.#settleWhenKept(true);
      return;
    }
    const isConnecting = this.#parts.isConnectFailure(error);
    this.#fault(
      'code' in error && typeof error.code === 'string' ? error.code : 'connection_lost',
      isConnecting ? 'connecting' : this.#phase,
    );
  }

  /** Slower than any usable connection, or longer than any answer takes that may trickle. */
  #isDripping(): boolean {
    const tookMs = this.#parts.clock.monotonic() - this.#receivingSinceMs;
    if (this.#taker?.longestMs !== undefined) return tookMs > this.#taker.longestMs;
    return tookMs > this.#parts.limits.receiveGraceMs && this.#receivedBytes * 1000 < slowestBytesPerSecond * tookMs;
  }

  #hand(taker: BodySink, chunk: Buffer): void {
    if (this.#receivedBytes > taker.maxBytes) {
      this.#settle(this.#answer(false, true));
      this.#controller?.abort(new Error('over the cap'));
      return;
    }
    const written = taker.write(chunk);
    if (written !== undefined) this.#holdUntil(written);
    if (taker.isEnough?.() === true) {
      this.#settleWhenKept(false);
      this.#controller?.abort(new Error('enough'));
    }
  }

  /**
   * While our own disk is the slow side, no timeout runs and the sender is paused, so that nothing piles up in memory.
   */
  #holdUntil(written: Promise<void>): void {
    this.#disarm();
    this.#unkept += 1;
    this.#controller?.pause();
    // Several chunks may be under way at once: the end waits for all of them.
    this.#kept = Promise.all([this.#kept, written]).then(
      () => {
        this.#unkept -= 1;
        if (this.#unkept > 0 || this.#isSettled) return;
        this.#armReceiving();
        this.#controller?.resume();
      },
      (cause: unknown) => {
        this.#settle({ kind: 'taker', cause, status: this.#status, sentBytes: this.#sentBytes });
        this.#controller?.abort(new Error('not kept'));
      },
    );
  }

  #settleWhenKept(isTruncated: boolean): void {
    this.#disarm();
    void this.#kept.then(() => this.#settle(this.#answer(isTruncated, false)));
  }

  #armReceiving(): void {
    this.#arm(this.#taker?.stallMs ?? this.#parts.limits.receiveStallMs, 'receive_stalled');
  }

  #armFirstByte(): void {
    const { request, limits } = this.#parts;
    this.#arm(Math.min(request.firstByteMs, limits.firstByteMs), 'first_byte_timeout');
  }

  #giveUp(code: string): void {
    this.#isStalled = code === 'receive_stalled';
    if (this.#phase === 'receiving' && code !== 'cancelled') this.#settleWhenKept(true);
    else this.#fault(code, this.#phase);
    this.#controller?.abort(new Error('given up'));
  }

  #fault(code: string, phase: Phase): void {
    this.#settle({ kind: 'network', code, phase, isSecure: this.#parts.isSecure, sentBytes: this.#sentBytes });
  }

  #answer(isTruncated: boolean, isOversize: boolean): WireAnswer {
    const { maxBodyBytes } = this.#parts.limits;
    const body = isOversize ? '' : decodeBody(this.#chunks, this.#headers['content-encoding'], maxBodyBytes);
    return {
      kind: 'answer',
      status: this.#status,
      headers: this.#headers,
      body: body ?? '',
      isTruncated: isTruncated || body === null,
      isOversize,
      isStalled: this.#isStalled,
      isTaken: this.#taker !== null,
      sentBytes: this.#sentBytes,
    };
  }

  #arm(ms: number, code: string): void {
    this.#disarm();
    this.#disarm = this.#parts.clock.after(ms, () => this.#giveUp(code));
  }

  #settle(outcome: WireOutcome): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#disarm();
    this.#parts.request.signal?.removeEventListener('abort', this.#onAbort);
    this.#parts.resolve(outcome);
  }
}

function pickHeaders(headers: object): Record<string, string> {
  const all = headers as Readonly<Record<string, unknown>>;
  const picked: Record<string, string> = {};
  for (const name of keptHeaders) {
    const value = all[name];
    const first: unknown = Array.isArray(value) ? value[0] : value;
    if (typeof first === 'string' && first.length <= 8192) picked[name] = first;
  }
  return picked;
}

const decoders: Readonly<Record<string, typeof gunzipSync>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/**
 * Decodes a body as UTF-8 with replacement and drops the byte order mark. We never ask for compression, but some
 * gateways compress anyway. Null: the compressed bytes are damaged, truncated, or larger than `maxBytes` when unpacked.
 */
function decodeBody(chunks: readonly Buffer[], encoding: string | undefined, maxBytes: number): string | null {
  const bytes = Buffer.concat(chunks);
  const unpack = decoders[encoding?.trim().toLowerCase() ?? ''];
  if (unpack === undefined) return new TextDecoder().decode(bytes);
  try {
    return new TextDecoder().decode(unpack(bytes, { maxOutputLength: maxBytes }));
  } catch {
    return null;
  }
}
