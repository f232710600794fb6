import { classify, type HttpAnswer } from '../../shared/domain/failures/classify.ts';
import type { FailureArea } from '../../shared/domain/failures/area-rows.ts';
import { parseGuardedJson } from '../../shared/domain/failures/guarded-json.ts';
import type { Logger } from '../../shared/domain/diagnostics/log-entry.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { NetworkFault } from '../../shared/domain/failures/network-fault.ts';
import type { PaidLedger } from '../../shared/domain/ledger/paid-action.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import type { Agent, IncomingMessage } from 'node:http';
import { withoutSecrets, type ConnectionSource, type StreamTarget } from './connection.ts';
import type { Secret } from '../secret/secret.ts';
import { codeOf, type ClientClock, type LiveLimits } from './transport.ts';
import { guardedLookup, unsafeAddressCode, type ProxySource } from './proxy.ts';
import { asCount, asFilledText, isJsonObject, objectsIn, pick, pickFrom, type JsonObject } from './values.ts';
import { WebSocket, type RawData } from 'ws';

export interface LiveContext {
  readonly connection: ConnectionSource;
  readonly log: Logger;
  readonly clock: ClientClock;
  readonly allowsLoopbackHttp: boolean;
  readonly limits: LiveLimits;
  readonly allowProbe: () => void;
  readonly ledger: PaidLedger | undefined;
  /** Nothing is charged, so what got no answer is sent again at once. */
  readonly isFree: boolean;
  readonly agentFor: ((url: URL) => Agent | undefined) | undefined;
  readonly proxyOf: ProxySource | undefined;
}

/** A `ready` that comes later than this is none. */
const readyMs = 5000;

/** Opens a stream and waits until the service is ready, or for what came instead; `late`: nothing came. */
export async function openReadyStream(
  context: LiveContext,
  target: StreamTarget,
  area: FailureArea | undefined,
  handlers: LiveHandlers & { readonly ready: PromiseWithResolvers<Failure | null> },
  late: Failure,
  signal?: AbortSignal,
): Promise<Result<LiveSocket>> {
  const socket = await openLiveConnection(context, target, area, handlers, signal);
  if (!socket.ok) return socket;
  const takeBack = context.clock.after(readyMs, () => handlers.ready.resolve(late));
  const failure = await handlers.ready.promise;
  takeBack();
  if (failure === null) return socket;
  socket.value.close();
  return err(failure);
}

async function openLiveConnection(
  context: LiveContext,
  target: StreamTarget,
  area: FailureArea | undefined,
  handlers: LiveHandlers,
  signal?: AbortSignal,
): Promise<Result<LiveSocket>> {
  const { clock, log } = context;
  const startedAtMs = clock.monotonic();
  const seen = await openSocket(context, target, handlers, signal);
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
  const { code, row, status, requestId } = failure;
  log.write({
    ...line,
    level: 'warn',
    code,
    row,
    ...(status === undefined ? {} : { status }),
    ...(requestId === undefined ? {} : { requestId }),
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

type Upgrade =
  | { readonly kind: 'open'; readonly socket: LiveSocket }
  | HttpAnswer
  | NetworkFault
  | { readonly kind: 'cancelled' };

/** Certificates are always checked, redirects are answers, nothing is compressed. Never rejects. */
function openSocket(
  context: LiveContext,
  { url, headers = {} }: StreamTarget,
  handlers: LiveHandlers,
  signal?: AbortSignal,
): Promise<Upgrade> {
  const { promise, resolve } = Promise.withResolvers<Upgrade>();
  if (signal?.aborted) return Promise.resolve({ kind: 'cancelled' });
  const { clock, limits } = context;
  const isSecure = url.protocol === 'wss:';
  const agent = context.agentFor?.(url);
  let phase: NetworkFault['phase'] = 'connecting';
  let isSettled = false;
  const socket = new WebSocket(url, {
    followRedirects: false,
    perMessageDeflate: false,
    maxPayload: limits.maxFrameBytes,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    headers: {
      'user-agent': 'OvozStudio',
      ...Object.fromEntries(Object.entries(headers).map(([name, secret]) => [name, secret.reveal()])),
    },
    // The address was judged by its name; this judges what the name resolves to. A proxy does so itself.
    ...(isSecure && agent === undefined ? { lookup: guardedLookup() } : {}),
    ...(agent === undefined ? {} : { agent }),
    finishRequest: (request) => {
      const connected = isSecure ? 'secureConnect' : 'connect';
      request.once('socket', (wire) => wire.once(connected, () => (phase = 'waiting')));
      request.end();
    },
  });
  const settle = (seen: Exclude<Upgrade, { kind: 'open' }> | null): void => {
    if (isSettled) return;
    isSettled = true;
    takeBack();
    signal?.removeEventListener('abort', onAbort);
    resolve(seen ?? { kind: 'open', socket: liveSocketOf(socket, context, handlers, signal) });
    if (seen !== null) socket.terminate();
  };
  const fail = (code: string): void => settle({ kind: 'network', code, phase, isSecure });
  const onAbort = (): void => settle({ kind: 'cancelled' });
  const takeBack = clock.after(limits.upgradeMs, () => fail('upgrade_timeout'));
  signal?.addEventListener('abort', onAbort, { once: true });
  socket.on('error', (error) => fail(codeOf(error, 'bad_upgrade')));
  socket.once('unexpected-response', (_request, response) => readRefusal(response, limits.maxErrorBytes, settle));
  socket.once('open', () => (isSettled ? socket.terminate() : settle(null)));
  return promise;
}

function readRefusal(response: IncomingMessage, maxBytes: number, settle: (seen: HttpAnswer) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const finish = (isTruncated: boolean, isOversize: boolean): void => {
    const status = response.statusCode ?? 0;
    const body = new TextDecoder().decode(Buffer.concat(chunks));
    settle({ kind: 'answer', status, headers: headersOf(response), body, isTruncated, isOversize });
    response.destroy();
  };
  response.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes) finish(false, true);
    else chunks.push(chunk);
  });
  response.once('end', () => finish(!response.complete, false));
  response.once('error', () => finish(true, false));
  response.once('close', () => finish(true, false));
}

const keptHeaders = ['content-type', 'date', 'location', 'retry-after', 'x-request-id'] as const;

const headersOf = (response: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(
    keptHeaders.flatMap((name) => response.headersDistinct[name]?.slice(0, 1).map((v) => [name, v]) ?? []),
  );

function liveSocketOf(
  socket: WebSocket,
  { clock, limits }: LiveContext,
  handlers: LiveHandlers,
  signal: AbortSignal | undefined,
) {
  let heardAt = clock.monotonic();
  let afterHeard: (() => void) | null = null;
  let why: LiveEnd['why'] | null = null;
  let protocolCode: number | null = null;
  let takeBack = (): void => undefined;

  const heard = (): void => {
    heardAt = clock.monotonic();
    const told = afterHeard;
    afterHeard = null;
    told?.();
  };
  const ping = (): void => {
    if (socket.readyState === WebSocket.OPEN) socket.ping();
  };
  const end = (reason: LiveEnd['why']): void => {
    why ??= reason;
    socket.terminate();
  };
  const cut = (): void => end('ours');
  const watch = (): void => {
    takeBack = clock.after(limits.pingEveryMs, () => {
      // While reading is paused by us nothing can be heard, so silence proves nothing.
      if (socket.isPaused) heard();
      const isSilent = clock.monotonic() - heardAt >= limits.silenceMs;
      if (isSilent && handlers.onSilence?.() !== true) return end('silent');
      ping();
      watch();
    });
  };
  socket.on('message', (data, isBinary) => {
    heard();
    if (why === null) handlers.onFrame(frameOf(data, isBinary));
  });
  socket.on('pong', heard);
  socket.on('ping', heard);
  socket.on('error', (error) => {
    protocolCode = violationOf(error);
    if (protocolCode !== null) why ??= 'protocol';
  });
  socket.once('close', (code) => {
    takeBack();
    signal?.removeEventListener('abort', cut);
    handlers.onEnd({ code: protocolCode ?? code, why: why ?? (code === 1006 ? 'lost' : 'closed') });
  });
  signal?.addEventListener('abort', cut, { once: true });
  watch();

  const send = (data: string | Uint8Array, whenSent = (): void => undefined): boolean => {
    if (socket.readyState !== WebSocket.OPEN) return false;
    socket.send(data, () => whenSent());
    if (socket.bufferedAmount > limits.maxUnsentBytes) end('unsent');
    return true;
  };
  return {
    /** False: the socket is closed. `whenSent` is called when the system has taken the data, or never will. */
    send,
    say: (message: object): boolean => send(JSON.stringify(message)),
    /** Whether the other side was heard just now; if not, `whenHeard` is called once it is. */
    isHeard(whenHeard: () => void): boolean {
      if (clock.monotonic() - heardAt < limits.silenceMs / 2) return true;
      if (afterHeard === null) ping();
      afterHeard = whenHeard;
      return false;
    },
    unsentBytes: (): number => socket.bufferedAmount,
    pause(): void {
      if (socket.readyState === WebSocket.OPEN) socket.pause();
    },
    resume(): void {
      heard();
      socket.resume();
    },
    close(): void {
      why ??= 'ours';
      takeBack();
      socket.resume();
      socket.close(1000);
      socket.once(
        'close',
        clock.after(limits.closeMs, () => socket.terminate()),
      );
    },
  };
}

export type LiveSocket = ReturnType<typeof liveSocketOf>;

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

/** The names of a `ready`. */
export const readyNames = new Set(['ready', 'session_ready', 'session_started', 'connected']);

/** A message of a live stream as JSON, and its type; null: no message. */
export function readStreamMessage(text: string): { readonly name: string; readonly body: JsonObject } | null {
  const json = parseGuardedJson(text);
  const body = json.isJson ? json.value : null;
  if (!isJsonObject(body)) return null;
  const named = pick(body, ['event', 'type', 'action', 'status'], asFilledText)?.toLowerCase();
  const name = named ?? (Object.hasOwn(body, 'error') || Object.hasOwn(body, 'error_code') ? 'error' : '');
  return { name, body };
}

/** The code and the text of an error event, at its top or under `error`. */
export function readStreamError(body: JsonObject): { readonly code: string; readonly message: string | null } {
  const sources = [body, ...objectsIn(body, ['error'])];
  const code = pickFrom(sources, ['code', 'error_code'], (value) =>
    typeof value === 'number' ? String(value) : asFilledText(value),
  );
  return {
    code: (code ?? asFilledText(body['error']) ?? 'unknown_error').toLowerCase(),
    message: pickFrom(sources, ['message', 'error_message', 'detail'], asFilledText) ?? null,
  };
}

/** Whether the format in a `ready`, at its top or under `format` or `audio`, is ours; what is not given is. */
export function isFormatOurs(body: JsonObject, encoding: RegExp, rate: number): boolean {
  const sources = [body, ...objectsIn(body, ['format', 'audio', 'config'])];
  const named = pickFrom(sources, ['audio_format', 'encoding', 'format'], asFilledText);
  return (
    (named === undefined || encoding.test(named)) &&
    (pickFrom(sources, ['sample_rate', 'sampleRate', 'rate'], asCount) ?? rate) === rate &&
    (pickFrom(sources, ['channels', 'channel_count'], asCount) ?? 1) === 1
  );
}
