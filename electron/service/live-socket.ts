import { classify, type HttpAnswer } from '../../shared/domain/failures/classify.ts';
import type { FailureArea } from '../../shared/domain/failures/area-rows.ts';
import type { Logger } from '../../shared/domain/diagnostics/log-entry.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { NetworkFault } from '../../shared/domain/failures/network-fault.ts';
import type { PaidLedger } from '../../shared/domain/ledger/paid-action.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import { withoutSecrets, type ConnectionSource, type StreamTarget } from './connection.ts';
import type { Secret } from '../secret/secret.ts';
import type { ClientClock, LiveLimits } from './transport.ts';
import { guardedLookup, unsafeAddressCode, type ProxySource } from './proxy.ts';
import type { LookupFunction } from 'node:net';
import { WebSocket, type ClientOptions, type RawData } from 'ws';

export interface LiveContext {
  readonly connection: ConnectionSource;
  readonly log: Logger;
  readonly clock: ClientClock;
  readonly allowsLoopbackHttp: boolean;
  readonly limits: LiveLimits;
  readonly allowProbe?: () => void;
  readonly ledger?: PaidLedger;
  /** Nothing is charged, so what got no answer is sent again at once. */
  readonly isFree?: boolean;
  readonly agentFor?: (url: URL) => Agent | undefined;
  readonly proxyOf?: ProxySource;
}

export async function openLiveConnection(
  context: LiveContext,
  target: StreamTarget,
  area: FailureArea | undefined,
  handlers: LiveHandlers,
  signal?: AbortSignal,
): Promise<Result<LiveSocket>> {
  const { clock, limits, log } = context;
  const startedAtMs = clock.monotonic();
  const agent = context.agentFor?.(target.url);
  const isLoopback = target.url.protocol === 'ws:';
  const seen = await openLiveSocket(
    {
      url: target.url,
      limits,
      clock,
      signal,
      // The address was judged by its name; this judges what the name resolves to. A proxy does so itself.
      ...(isLoopback || agent !== undefined ? {} : { lookup: guardedLookup() }),
      ...(agent === undefined ? {} : { agent }),
      headers: Object.fromEntries(
        Object.entries(target.headers ?? {}).map(([name, secret]) => [name, secret.reveal()]),
      ),
    },
    handlers,
  );
  const ms = Math.round(clock.monotonic() - startedAtMs);
  const line = { event: 'stream-opened', route: target.route, method: 'GET', ms } as const;
  if (seen.kind === 'open') {
    log.write({ ...line, level: 'info', status: 101 });
    return ok(seen.socket);
  }
  const failure =
    seen.kind === 'cancelled'
      ? makeFailure('connection-slow', { code: 'cancelled', outcome: 'not_sent', layer: 'local' })
      : refusalOf(seen, area, target, clock);
  log.write({
    ...line,
    level: 'warn',
    code: failure.code,
    row: failure.row,
    ...(failure.status === undefined ? {} : { status: failure.status }),
    ...(failure.requestId === undefined ? {} : { requestId: failure.requestId }),
  });
  return err(failure);
}

function refusalOf(
  seen: HttpAnswer | NetworkFault,
  area: FailureArea | undefined,
  { url, secrets }: StreamTarget,
  clock: ClientClock,
): Failure {
  const context = { request: 'change', target: 'route', area, host: url.host, serverNowMs: clock.now() } as const;
  if (seen.kind === 'network') {
    if (seen.code === unsafeAddressCode)
      return makeFailure('download-unsafe', { code: seen.code, outcome: 'not_sent' });
    if (seen.phase === 'connecting' && seen.code === 'upgrade_timeout')
      return makeFailure('service-timeout', { code: seen.code, outcome: 'not_sent' });
    // Only the handshake was sent, so nothing was done and nothing was charged.
    return seen.phase === 'connecting'
      ? classify(seen, context)
      : makeFailure('live-dropped', { code: seen.code.toLowerCase(), outcome: 'not_sent' });
  }
  const clean = (text: string): string => withoutSecrets(text, secrets);
  const answer = {
    ...seen,
    headers: Object.fromEntries(Object.entries(seen.headers).map(([name, value]) => [name, clean(value ?? '')])),
    body: clean(seen.body),
  };
  const failure = classify(answer, context);
  // A plain 2xx answer to an upgrade is no stream, whatever it says; and an HTML page did not come from the service.
  const isPage = failure.envelope === 'html';
  if (answer.status >= 300 && (failure.kind === 'web-page-answered' || !isPage)) return failure;
  const { status } = answer;
  return makeFailure('live-dropped', {
    code: isPage ? 'html_page' : 'not_upgraded',
    envelope: failure.envelope,
    status,
    outcome: 'not_sent',
    ...(failure.retryAfterMs === undefined ? {} : { retryAfterMs: failure.retryAfterMs }),
  });
}

export const cleanedBy =
  (secrets: readonly Secret[]) =>
  (text: string | null): string | undefined =>
    text === null ? undefined : withoutSecrets(text, secrets);

export type LiveFrame =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes'; readonly bytes: Buffer };

/** `code` is that of the close frame, or 1006 without one. */
export interface LiveEnd {
  readonly code: number;
  readonly why: 'closed' | 'lost' | 'protocol' | 'silent' | 'unsent' | 'ours';
}

export interface LiveHandlers {
  onFrame(frame: LiveFrame): void;
  onSilence?(): boolean;
  onEnd(end: LiveEnd): void;
}

export interface LiveSocketOptions {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly limits: LiveLimits;
  readonly clock: ClientClock;
  readonly lookup?: LookupFunction;
  readonly agent?: Agent;
  readonly signal?: AbortSignal | undefined;
}

export type Upgrade =
  | { readonly kind: 'open'; readonly socket: LiveSocket }
  | HttpAnswer
  | NetworkFault
  | { readonly kind: 'cancelled' };

/** Certificates are always checked, redirects are answers, nothing is compressed. Never rejects. */
export function openLiveSocket(options: LiveSocketOptions, handlers: LiveHandlers): Promise<Upgrade> {
  return new Promise((resolve) => {
    if (options.signal?.aborted) return resolve({ kind: 'cancelled' });
    const opening = new Opening(options, resolve);
    const socket = opening.connect();
    socket.once('open', () => {
      if (!opening.settle()) return socket.terminate();
      resolve({ kind: 'open', socket: new LiveSocket(socket, options, handlers) });
    });
  });
}

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

export class LiveSocket {
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

  /** False: the socket is closed. `whenSent` is called when the system has taken the data, or never will. */
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

/** The close code of a protocol error (RFC 6455); null: the connection broke. */
function violationOf(error: Error): number | null {
  const code: unknown = 'code' in error ? error.code : undefined;
  if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH' || code === 'WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH') return 1009;
  if (code === 'WS_ERR_INVALID_UTF8') return 1007;
  return typeof code === 'string' && code.startsWith('WS_ERR_') ? 1002 : null;
}
