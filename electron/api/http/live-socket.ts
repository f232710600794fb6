import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import { WebSocket, type ClientOptions, type RawData } from 'ws';
import type { HttpAnswer } from '../../../shared/domain/failures/classify.ts';
import type { NetworkFault } from '../../../shared/domain/failures/network-fault.ts';
import type { ClientClock } from './clock.ts';
import type { LiveLimits } from './transport.ts';

export type LiveFrame =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes'; readonly bytes: Buffer };

/**
 * How a stream ended. `code` is that of the close frame, or 1006 without one. `why`: the other side closed, the
 * connection was cut, the protocol was broken, pings went unanswered, or the other side stopped taking what was sent.
 */
export interface LiveEnd {
  readonly code: number;
  readonly why: 'closed' | 'lost' | 'protocol' | 'silent' | 'unsent' | 'ours';
}

export interface LiveSocket {
  /** False: the socket is closed. `whenSent` is called when the system has taken the data, or never will. */
  send(data: string | Uint8Array, whenSent?: () => void): boolean;
  /** Whether the other side was heard lately; if not, it is pinged, and `whenHeard` called once it is heard again. */
  isHeard(whenHeard: () => void): boolean;
  /** Bytes that were passed to the socket but not yet taken by the system. */
  unsentBytes(): number;
  /** Stops reading, so that the other side has to wait too. */
  pause(): void;
  resume(): void;
  /** Sends a close frame, and disconnects when nobody answers it. */
  close(code?: number): void;
  /** Hangs up. */
  cut(): void;
}

export interface LiveHandlers {
  onFrame(frame: LiveFrame): void;
  /** Called while nothing is heard for too long; true: wait on. Without it the stream ends. */
  onSilence?(): boolean;
  /** Called exactly once, after the last frame. */
  onEnd(end: LiveEnd): void;
}

export interface LiveSocketOptions {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly limits: LiveLimits;
  readonly clock: ClientClock;
  readonly lookup?: LookupFunction;
  /** Connects through this agent, for example a proxy; absent: directly. */
  readonly agent?: Agent;
  readonly signal?: AbortSignal | undefined;
}

export type Upgrade =
  | { readonly kind: 'open'; readonly socket: LiveSocket }
  | HttpAnswer
  | NetworkFault
  | { readonly kind: 'cancelled' };

/**
 * Opens a WebSocket by the rules of the HTTP client: certificates are always checked, redirects are answers, no origin
 * and no cookie is sent, nothing is compressed. The answer to a refused upgrade is read and given back. Never rejects.
 */
export function openLiveSocket(options: LiveSocketOptions, handlers: LiveHandlers): Promise<Upgrade> {
  return new Promise((resolve) => {
    if (options.signal?.aborted) return resolve({ kind: 'cancelled' });
    const opening = new Opening(options, resolve);
    const socket = opening.connect();
    socket.once('open', () => {
      if (!opening.settle()) return socket.terminate();
      resolve({ kind: 'open', socket: new OpenSocket(socket, options, handlers) });
    });
  });
}

/** The phase from the first packet to the answer of the upgrade. Settles once. */
class Opening {
  readonly #options: LiveSocketOptions;
  readonly #resolve: (upgrade: Upgrade) => void;
  #phase: NetworkFault['phase'] = 'connecting';
  #isSettled = false;
  #socket: WebSocket | null = null;
  #takeBack: () => void = () => undefined;

  constructor(options: LiveSocketOptions, resolve: (upgrade: Upgrade) => void) {
    this.#options = options;
    this.#resolve = resolve;
  }

  connect(): WebSocket {
    const { url, headers, limits, lookup, agent, clock, signal } = this.#options;
    const options: ClientOptions = {
      followRedirects: false,
      perMessageDeflate: false,
      maxPayload: limits.maxFrameBytes,
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      headers: { 'user-agent': 'OvozStudio', ...headers },
      ...(lookup === undefined ? {} : { lookup }),
      ...(agent === undefined ? {} : { agent }),
      finishRequest: (request) => {
        this.#watch(request);
        request.end();
      },
    };
    const socket = new WebSocket(url, options);
    this.#socket = socket;
    socket.on('error', (error) => this.#fail(codeOf(error)));
    socket.once('unexpected-response', (_request, response) => this.#read(response));
    this.#takeBack = clock.after(limits.upgradeMs, () => this.#fail('upgrade_timeout'));
    signal?.addEventListener('abort', this.#onAbort, { once: true });
    return socket;
  }

  readonly #onAbort = (): void => {
    if (this.settle()) this.#resolve({ kind: 'cancelled' });
    this.#socket?.terminate();
  };

  #watch(request: ClientRequest): void {
    const ready = this.#options.url.protocol === 'wss:' ? 'secureConnect' : 'connect';
    request.once('socket', (socket) => socket.once(ready, () => (this.#phase = 'waiting')));
  }

  /** True for the first outcome. */
  settle(): boolean {
    if (this.#isSettled) return false;
    this.#isSettled = true;
    this.#takeBack();
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    return true;
  }

  #fail(code: string): void {
    if (!this.settle()) return;
    const isSecure = this.#options.url.protocol === 'wss:';
    this.#resolve({ kind: 'network', code, phase: this.#phase, isSecure });
    this.#socket?.terminate();
  }

  /** The answer to a refused upgrade, with the time that is left for it. */
  #read(response: IncomingMessage): void {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (isTruncated: boolean, isOversize: boolean): void => {
      if (this.settle()) {
        const status = response.statusCode ?? 0;
        const body = Buffer.concat(chunks)
          .toString('utf8')
          .replace(/^\ufeff/u, '');
        this.#resolve({ kind: 'answer', status, headers: headersOf(response), body, isTruncated, isOversize });
      }
      response.destroy();
      this.#socket?.terminate();
    };
    response.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > this.#options.limits.maxErrorBytes) finish(false, true);
      else chunks.push(chunk);
    });
    response.once('end', () => finish(!response.complete, false));
    response.once('error', () => finish(true, false));
    response.once('close', () => finish(true, false));
  }
}

const keptHeaders = ['content-type', 'date', 'location', 'retry-after', 'x-request-id'] as const;

const headersOf = (response: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(
    keptHeaders.flatMap((name) => response.headersDistinct[name]?.slice(0, 1).map((v) => [name, v]) ?? []),
  );

function codeOf(error: Error): string {
  const code: unknown = 'code' in error ? error.code : undefined;
  if (typeof code === 'string') return code;
  // Several addresses were tried and all failed: the first says why.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  return first instanceof Error && first !== error ? codeOf(first) : 'bad_upgrade';
}

/** An open stream that watches over itself. */
class OpenSocket implements LiveSocket {
  readonly #socket: WebSocket;
  readonly #options: LiveSocketOptions;
  readonly #handlers: LiveHandlers;
  #heardAt: number;
  #whenHeard: (() => void) | null = null;
  #why: LiveEnd['why'] | null = null;
  #protocolCode: number | null = null;
  #takeBack: () => void = () => undefined;

  constructor(socket: WebSocket, options: LiveSocketOptions, handlers: LiveHandlers) {
    this.#socket = socket;
    this.#options = options;
    this.#handlers = handlers;
    this.#heardAt = options.clock.monotonic();
    socket.on('message', (data, isBinary) => {
      this.#heard();
      if (this.#why === null) handlers.onFrame(frameOf(data, isBinary));
    });
    socket.on('pong', () => this.#heard());
    socket.on('ping', () => this.#heard());
    socket.on('error', (error) => {
      this.#protocolCode = violationOf(error);
      if (this.#protocolCode !== null) this.#why ??= 'protocol';
    });
    socket.once('close', (code) => {
      this.#takeBack();
      options.signal?.removeEventListener('abort', this.#onAbort);
      const why = this.#why ?? (code === 1006 ? 'lost' : 'closed');
      handlers.onEnd({ code: this.#protocolCode ?? code, why });
    });
    options.signal?.addEventListener('abort', this.#onAbort, { once: true });
    this.#watch();
  }

  readonly #onAbort = (): void => this.cut();

  #heard(): void {
    this.#heardAt = this.#options.clock.monotonic();
    const whenHeard = this.#whenHeard;
    this.#whenHeard = null;
    whenHeard?.();
  }

  isHeard(whenHeard: () => void): boolean {
    const { clock, limits } = this.#options;
    if (clock.monotonic() - this.#heardAt < limits.silenceMs / 2) return true;
    if (this.#whenHeard === null && this.#socket.readyState === WebSocket.OPEN) this.#socket.ping();
    this.#whenHeard = whenHeard;
    return false;
  }

  #watch(): void {
    const { clock, limits } = this.#options;
    this.#takeBack = clock.after(limits.pingEveryMs, () => {
      // While reading is paused by us nothing can be heard, so silence proves nothing.
      if (this.#socket.isPaused) this.#heard();
      const isSilent = clock.monotonic() - this.#heardAt >= limits.silenceMs;
      if (isSilent && this.#handlers.onSilence?.() !== true) return this.#end('silent');
      if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping();
      this.#watch();
    });
  }

  #end(why: LiveEnd['why']): void {
    this.#why ??= why;
    this.#socket.terminate();
  }

  send(data: string | Uint8Array, whenSent?: () => void): boolean {
    if (this.#socket.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(data, () => whenSent?.());
    if (this.#socket.bufferedAmount > this.#options.limits.maxUnsentBytes) this.#end('unsent');
    return true;
  }

  unsentBytes(): number {
    return this.#socket.bufferedAmount;
  }

  pause(): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.pause();
  }

  resume(): void {
    this.#heard();
    this.#socket.resume();
  }

  close(code = 1000): void {
    this.#why ??= 'ours';
    this.#takeBack();
    this.#socket.resume();
    this.#socket.close(code);
    const takeBack = this.#options.clock.after(this.#options.limits.closeMs, () => this.#socket.terminate());
    this.#socket.once('close', takeBack);
  }

  cut(): void {
    this.#end('ours');
  }
}

function frameOf(data: RawData, isBinary: boolean): LiveFrame {
  const bytes = Buffer.isBuffer(data) ? data : Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
  return isBinary ? { kind: 'bytes', bytes } : { kind: 'text', text: bytes.toString('utf8') };
}

/**
 * The close code that corresponds to a protocol error (RFC 6455); null: the connection broke and nobody violated
 * anything.
 */
function violationOf(error: Error): number | null {
  const code: unknown = 'code' in error ? error.code : undefined;
  if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH' || code === 'WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH') return 1009;
  if (code === 'WS_ERR_INVALID_UTF8') return 1007;
  return typeof code === 'string' && code.startsWith('WS_ERR_') ? 1002 : null;
}
