import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { slowNameCode } from '../../shared/domain/failures/network-fault.ts';
import {
  defaultTransportLimits,
  BodyFailed,
  codeOf,
  type ClientClock,
  type Transport,
  type TransportLimits,
  type WireRequest,
  type BodySink,
  type WireAnswer,
  type WireFault,
  type WireOutcome,
} from './transport.ts';
import { openRoute, type ProxySource } from './proxy.ts';

const slowestBytesPerSecond = 1024;
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
class Exchange implements Dispatcher.DispatchHandler {
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
      this.#taker = this.#parts.request.sinkBody?.(head) ?? null;
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

  /** While our own disk is the slow side, no timeout runs and the sender is paused. */
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

const decoders: Readonly<Record<string, typeof gunzipSync>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

class ConnectFailed extends Error {
  readonly code: string;

  constructor(code: string) {
    super('connection not made');
    this.code = code;
  }
}

/** Uploads of `undici` stay flat in memory, whereas the built-in fetch holds the whole file. */
export function createUndiciTransport(
  clock: ClientClock,
  limits: TransportLimits = defaultTransportLimits,
  lookup: LookupFunction = systemLookup,
  proxyOf: ProxySource = async () => null,
): Transport {
  const asked = new Map<string, number>();
  const watchedLookup: LookupFunction = (hostname, options, callback) => {
    asked.set(hostname, (asked.get(hostname) ?? 0) + 1);
    lookup(hostname, options, (...found) => {
      asked.set(hostname, (asked.get(hostname) ?? 1) - 1);
      callback(...found);
    });
  };
  const open = new Set<Socket>();
  const connect = buildConnector({
    timeout: limits.connectMs,
    allowH2: false,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    lookup: watchedLookup,
  });
  const newAgent = (): Agent =>
    new Agent({
      // Set explicitly, so that an environment variable can't choose the experimental parser.
      useMilo: false,
      allowH2: false,
      // Our own timeouts cover every phase: undici's would also count the time in which we are sending.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (options, callback) => {
        const { protocol, hostname, port } = options;
        const fail = (error: Error) => callback(new ConnectFailed(codeOf(error, 'connect_failed')), null);
        const go = (tunnel: Socket | null) =>
          connect(tunnel === null ? options : { ...options, httpSocket: tunnel }, (...args) => {
            const [error, socket] = args;
            if (error !== null) {
              // A refusal is an answer, whatever another connection to this name still waits for.
              const isLate = codeOf(error, '') === 'UND_ERR_CONNECT_TIMEOUT';
              const isWithoutAddress = isLate && tunnel === null && (asked.get(hostname) ?? 0) > 0;
              fail(isWithoutAddress ? new ConnectFailed(slowNameCode) : error);
              return;
            }
            open.add(socket);
            socket.once('close', () => open.delete(socket));
            callback(...args);
          });
        if (protocol !== 'https:') {
          go(null);
          return;
        }
        openRoute(proxyOf, { host: hostname, port: Number(port || 443) }, limits.connectMs).then(go, (error: unknown) =>
          fail(error instanceof Error ? error : new Error('no way')),
        );
      },
    });
  let agent = newAgent();
  const running = new Set<Exchange>();

  return {
    send: (request) =>
      new Promise((resolve) => {
        let settled = (): void => undefined;
        const exchange = new Exchange({
          request,
          limits,
          clock,
          isSecure: request.url.protocol === 'https:',
          isConnectFailure: (error) => error instanceof ConnectFailed,
          resolve: (outcome) => {
            settled();
            resolve(outcome);
          },
        });
        if (exchange.isSettled) return;
        running.add(exchange);
        settled = () => void running.delete(exchange);
        const body = request.body === null ? null : Readable.from(request.body.chunks(), { highWaterMark: 1 });
        try {
          agent.dispatch(
            {
              origin: request.url.origin,
              path: `${request.url.pathname}${request.url.search}`,
              method: request.method as Dispatcher.HttpMethod,
              headers: headersOf(request),
              body,
            },
            exchange,
          );
        } catch (error) {
          exchange.onResponseError(null, error instanceof Error ? error : new Error('dispatch failed'));
        }
      }),
    dropAll(code) {
      const dead = agent;
      agent = newAgent();
      for (const exchange of running) exchange.drop(code);
      void dead.destroy();
    },
    dropStale(addresses) {
      for (const socket of open) {
        const { localAddress } = socket;
        if (localAddress === undefined || !addresses.has(localAddress.replace(/^::ffff:/u, ''))) socket.destroy();
      }
    },
    close: () => agent.destroy(),
  };
}

function headersOf(request: WireRequest): Record<string, string> {
  return {
    ...request.headers,
    ...(request.body === null
      ? {}
      : { 'content-type': request.body.contentType, 'content-length': String(request.body.lengthBytes) }),
  };
}

interface ExchangeParts {
  readonly request: WireRequest;
  readonly limits: TransportLimits;
  readonly clock: ClientClock;
  readonly isSecure: boolean;
  readonly isConnectFailure: (error: Error) => boolean;
  readonly resolve: (outcome: WireOutcome) => void;
}

type Phase = WireFault['phase'];

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

/** Some gateways compress without being asked. Null: damaged, truncated, or too large when unpacked. */
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
