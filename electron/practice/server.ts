import { createServer as listenTo, type AddressInfo, type Socket } from 'node:net';
import type { CallServer } from './legacy-call.ts';
import {
  newId,
  documentedPath,
  json,
  matchRoutes,
  needsOf,
  problem,
  RateLimit,
  refuse,
  Refusal,
  serialise,
  singleHeader,
  type Answer,
  type Exchange,
  type Route,
} from './http.ts';
import { createServer, STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import { Transform, type Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { WebSocketServer, type WebSocket } from 'ws';
import { unaffordable } from './credits.ts';
import { serveDictation } from './dictation.ts';
import { endAfter, endBefore, shapeFor, slowed, type Ending } from './faults.ts';
import { authenticate, isLegacyKey, keyTrouble, legacyCaller, type ApiKey } from './keys.ts';
import { legacyStreamPath, serveLegacySpeech } from './legacy-live.ts';
import { refuseLegacy } from './legacy-words.ts';
import { serveSpeech } from './live-speech.ts';
import { isGranted } from './permissions.ts';
import { livePaths, type LiveProduct } from './realtime.ts';
import { offeredPermissions, routes } from './routes.ts';
import { openServices, type ServiceOptions, type Services } from './services.ts';
import { get, noteAttempt } from './state.ts';
import { logRequest } from './usage.ts';

export interface PracticeOptions extends ServiceOptions {
  /** 0, the default, chooses a free port. The address is always 127.0.0.1. */
  readonly port?: number;
  /** How long a connection may be idle while nothing is being answered on it, milliseconds. */
  readonly idleMs?: number;
}

/** Everything between a socket and a handler. */
interface Reception {
  readonly port: () => number;
  readonly rateLimit: RateLimit;
  readonly services: Services;
}

/**
 * Only a program on this computer may talk to this server. A web page can't, because it always sends an Origin, a
 * foreign Host (DNS rebinding) or a Sec-Fetch-Site.
 */
function refuseForeign(request: IncomingMessage, port: number): void {
  if (singleHeader(request, 'host') !== `127.0.0.1:${port}`)
    refuse(403, 'host_forbidden', 'This address is not served here.');
  const site = request.headers['sec-fetch-site'] ?? 'none';
  if (request.headers.origin !== undefined || site !== 'none')
    refuse(403, 'origin_forbidden', 'The practice service does not talk to web pages.');
}

const sent = (answer: Answer, requestId: string): Ending => ({ kind: 'send', wire: serialise(answer, requestId) });

/** How a request ends that was refused, or in which this service made a mistake. Null: the client is gone. */
function endOf(error: unknown, requestId: string): Ending | null {
  if (!(error instanceof Refusal))
    return sent(problem(500, 'internal_error', 'The practice service made a mistake.'), requestId);
  return error.answer === null ? null : sent(error.answer, requestId);
}

/** The credential that an address requires; only callers with a valid one learn that an address does not exist. */
const credentialOf = (path: string): Route['credential'] =>
  path.startsWith('/api/v1/account/') ? 'access-token' : path.startsWith('/api/') ? 'legacy-key' : 'api-key';

/** Whose request this is; those without a key of their own are never asked to pay. */
function callerOf(request: IncomingMessage, credential: Route['credential'], reception: Reception): ApiKey {
  const { services, rateLimit } = reception;
  const now = services.now();
  if (credential === 'access-token') services.session.refuseOthers(request);
  if (credential === 'legacy-key') {
    if (!isLegacyKey(singleHeader(request, 'x-api-key'), services)) refuseLegacy(request, 401, 'invalid_key');
    const wait = rateLimit.take(legacyCaller.id, now);
    if (wait !== null) refuseLegacy(request, 429, 'rate_limited', { 'retry-after': String(wait) });
  }
  if (credential !== 'api-key') return legacyCaller;
  const key = authenticate(request, services);
  const wait = rateLimit.take(key.id, now);
  const headers = { 'retry-after': String(wait) };
  if (wait !== null) refuse(429, 'rate_limited', 'Too many requests in one second.', undefined, headers);
  return key;
}

async function handle(request: IncomingMessage, requestId: string, reception: Reception): Promise<Ending | null> {
  const { port, services } = reception;
  refuseForeign(request, port());
  const url = URL.parse(request.url ?? '/', 'http://127.0.0.1');
  if (url === null) return refuse(400, 'invalid_request', 'This is not an address.');
  const matches = matchRoutes(routes, url.pathname);
  const match = matches.find(({ route }) => route.method === request.method);
  const beganAtMs = services.now();
  const caller = callerOf(request, match?.route.credential ?? credentialOf(url.pathname), reception);
  if (matches.length === 0) refuse(404, 'not_found', 'There is nothing at this address.');
  if (match === undefined) {
    const headers = { allow: matches.map(({ route }) => route.method).join(', ') };
    return refuse(405, 'method_not_allowed', 'This address does not take this method.', undefined, headers);
  }
  const { route, params } = match;
  const ending = await answerRoute(route, params, url.searchParams, caller, request, requestId, services).catch(
    (error: unknown) => endOf(error, requestId),
  );
  // A client that left, or was meant to get no answer, has no status.
  if (route.credential === 'api-key' && ending?.kind === 'send')
    logRequest(services.state, {
      requestId,
      atMs: beganAtMs,
      method: route.method,
      route: documentedPath(route.path),
      statusCode: ending.wire.status,
      latencyMs: Math.max(0, services.now() - beganAtMs),
      requestBytes: Number(request.headers['content-length'] ?? 0),
      responseBytes: Number(ending.wire.headers['content-length'] ?? 0),
      keyId: caller.id,
      keyPrefix: caller.prefix,
    });
  return ending;
}

async function answerRoute(
  route: Route,
  params: Readonly<Record<string, string>>,
  query: URLSearchParams,
  caller: ApiKey,
  request: IncomingMessage,
  requestId: string,
  services: Services,
): Promise<Ending> {
  const id = Object.values(params)[0] ?? '';
  const faults = services.faultPlan.meet(route.method, route.path, id);
  const early = await endBefore(faults, requestId);
  if (early !== null) return early;
  const mayEnter = !caller.restrictKey || needsOf(route).some((need) => isGranted(caller.permissions, need));
  if (route.credential === 'api-key' && !mayEnter)
    refuse(403, 'insufficient_scope', `This key has no permission ${route.permissions[0]}.`);
  const body = slowed(request, faults);
  const shape = shapeFor(faults);
  const exchange = { request, requestId, body, query, id, params, shape, faults, caller };
  return endAfter(faults, await answerOf(route, exchange, services), requestId);
}

/** A refusal is an answer like any other, which faults can lose. */
async function answerOf({ handle: answer }: Route, exchange: Exchange, services: Services): Promise<Answer> {
  try {
    return await answer(exchange, services);
  } catch (error) {
    if (error instanceof Refusal && error.answer !== null) return error.answer;
    throw error;
  }
}

/** Seconds, or a date relative to the date of the answer. */
function askedWaitMs(headers: Readonly<Record<string, string>>, nowMs: number): number | null {
  const asked = headers['retry-after'];
  if (asked === undefined) return null;
  if (/^\d+(?:\.\d+)?$/u.test(asked)) return Number(asked) * 1000;
  const until = Date.parse(asked) - (headers['date'] === undefined ? nowMs : Date.parse(headers['date']));
  return Number.isFinite(until) ? Math.max(0, until) : null;
}

/** Decides how a request ends. Requests with an idempotency key are noted for checkers. */
async function respond(request: IncomingMessage, reception: Reception): Promise<Ending | null> {
  const { folder, now } = reception.services;
  const requestId = newId('req');
  const idempotencyKey = request.headers['idempotency-key'];
  const attempt =
    typeof idempotencyKey === 'string'
      ? {
          id: requestId,
          beganAtMs: now(),
          method: request.method ?? '',
          path: (request.url ?? '').split('?')[0] ?? '',
          idempotencyKey: idempotencyKey.toLowerCase().slice(0, 128),
        }
      : null;
  if (attempt !== null) noteAttempt(folder, attempt);
  const ending = await handle(request, requestId, reception).catch((error: unknown) => endOf(error, requestId));
  if (attempt !== null) {
    const endedAtMs = now();
    const wire = ending?.kind === 'send' && ending.cutAt === undefined ? ending.wire : null;
    const status = wire?.status ?? null;
    noteAttempt(folder, { ...attempt, endedAtMs, status, retryAfterMs: askedWaitMs(wire?.headers ?? {}, endedAtMs) });
  }
  return ending;
}

/** Lets this many bytes pass and then fails, which ends the connection in the middle of a body. */
function cutAfter(bytes: number): Transform {
  let left = bytes;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (left > 0) this.push(chunk.subarray(0, left));
      left -= chunk.length;
      done(left > 0 ? null : new Error('cut by a fault'));
    },
  });
}

/** Writes the answer, broken if a fault asks for it. A client that leaves midway needs no answer. */
async function finish(response: ServerResponse, ending: Ending): Promise<void> {
  const { socket } = response.req;
  // Keeps reading, so that the client waits for an answer and not for room to send.
  if (ending.kind === 'hold') return void response.req.resume();
  if (ending.kind === 'drop') return void socket.resetAndDestroy();
  const { wire, cutAt } = ending;
  response.writeHead(wire.status, wire.headers);
  if (Buffer.isBuffer(wire.body)) {
    if (cutAt === undefined) response.end(wire.body);
    else response.write(wire.body.subarray(0, cutAt), () => socket.destroy());
    return;
  }
  const source = wire.body();
  const written =
    cutAt === undefined ? pipeline(source, response) : pipeline(source, cutAfter(cutAt), response, { end: false });
  await written.catch(() => socket.destroy());
}

/** Refuses an upgrade in plain HTTP, the only protocol both sides speak at that point (contract 4.10). */
function refuseUpgrade(socket: Duplex, ending: Ending | null): void {
  if (ending?.kind === 'hold') return;
  if (ending?.kind !== 'send' || !Buffer.isBuffer(ending.wire.body)) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = ending.wire;
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}`, 'connection: close'];
  for (const [name, value] of Object.entries({ ...headers, 'content-length': String(body.length) }))
    lines.push(`${name}: ${value}`);
  socket.end(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]));
}

/** The key behind the ticket, or for speech the key itself, if it is still valid and has the permission. */
function liveCaller(
  request: IncomingMessage,
  query: URLSearchParams,
  product: LiveProduct,
  services: Services,
): ApiKey | null {
  const tickets = query.getAll('ticket');
  const header = product === 'tts' && tickets.length === 0 ? singleHeader(request, 'x-service-api-key') : null;
  const keyId = tickets.length === 1 ? services.tickets.redeem(tickets[0] ?? '', product) : null;
  let key = keyId === null ? null : get(services.state.keys, keyId);
  try {
    if (header !== null) key = authenticate(request, services, header);
  } catch {
    return null;
  }
  if (key === null || keyTrouble(key, services.now()) !== null) return null;
  const isAllowed = isGranted(key.permissions, { permission: `${product}_realtime`, level: 'access' });
  return !key.restrictKey || isAllowed ? key : null;
}

/** What serves the stream once it is open. */
async function admit(
  request: IncomingMessage,
  requestId: string,
  { port, services }: Reception,
): Promise<((socket: WebSocket) => void) | Ending> {
  refuseForeign(request, port());
  const url = URL.parse(request.url ?? '/', 'http://127.0.0.1');
  const path = url?.pathname ?? '';
  const product = (['stt', 'tts'] as const).find((one) => livePaths[one] === path);
  if (url === null || (product === undefined && path !== legacyStreamPath))
    return refuse(404, 'not_found', 'There is no stream at this address.');
  const early = await endBefore(services.faultPlan.meet('GET', path, ''), requestId);
  if (early !== null) return early;
  if (product === undefined) {
    const tokens = url.searchParams.getAll('token');
    const detail = 'Send the legacy key of practice mode as token.';
    if (tokens.length !== 1 || !isLegacyKey(tokens[0] ?? '', services))
      throw new Refusal(json(401, { detail, error_key: 'invalid_key' }));
    return (socket) => serveLegacySpeech(socket, services);
  }
  const key = liveCaller(request, url.searchParams, product, services);
  if (key === null)
    return refuse(401, 'invalid_realtime_ticket', 'This ticket is unknown, used, too old or for another service.');
  // The balance is checked when the session starts (contract 4.5).
  if (product === 'tts' && unaffordable(services.state, key, 1) !== null)
    refuse(402, 'insufficient_credits', 'There are not enough credits.');
  return (socket) => {
    logRequest(services.state, {
      requestId,
      atMs: services.now(),
      method: 'GET',
      route: path,
      statusCode: 101,
      latencyMs: 0,
      requestBytes: 0,
      responseBytes: 0,
      keyId: key.id,
      keyPrefix: key.prefix,
    });
    const connection = { socket, services, requestId, keyId: key.id };
    if (product === 'stt') serveDictation(connection);
    else serveSpeech(connection);
  };
}

/**
 * Starts the practice service on loopback. It follows the contract of the service and really processes what it gets.
 * Rejects when the port is taken or the state folder can't be used.
 */
export async function startPracticeServer(options: PracticeOptions = {}) {
  const { idleMs = 60_000 } = options;
  let port = 0;
  const url = (): string => `http://127.0.0.1:${port}`;
  const services = await openServices(options, offeredPermissions, url);
  const rateLimit = new RateLimit(services.limits.requestsPerSecond);
  const reception: Reception = { port: () => port, rateLimit, services };
  let answering = 0;
  const server = createServer(
    { requestTimeout: 0, keepAliveTimeout: idleMs, headersTimeout: idleMs },
    (request, response) => {
      answering += 1;
      response.once('close', () => (answering -= 1));
      request.on('error', () => undefined);
      // What takes long to answer is not idle.
      request.once('end', () => request.socket.setTimeout(0));
      respond(request, reception)
        .then((ending) => {
          request.socket.setTimeout(idleMs);
          return ending === null ? undefined : finish(response, ending);
        })
        .catch(() => request.socket.destroy());
    },
  );
  server.maxConnections = 64;
  server.timeout = idleMs;
  server.on('timeout', (socket: Socket) => socket.destroy());
  // A second of audio has 32 kB; no client needs a much larger frame.
  const streams = new WebSocketServer({ noServer: true, maxPayload: 1024 * 1024, perMessageDeflate: false });
  const take = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    socket.on('error', () => undefined);
    const requestId = newId('req');
    const admitted = await admit(request, requestId, reception).catch((error: unknown) => endOf(error, requestId));
    if (typeof admitted === 'function') streams.handleUpgrade(request, socket, head, admitted);
    else refuseUpgrade(socket, admitted);
  };
  server.on('upgrade', (request, socket, head) => {
    take(request, socket, head).catch(() => socket.destroy());
  });
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ port: options.port ?? 0, host: '127.0.0.1', exclusive: true }, resolve);
    });
    ({ port } = server.address() as AddressInfo);
  } catch (error) {
    await services.close();
    throw error;
  }
  const callPort = await openCallPort(services);
  services.start();

  return {
    url: url(),
    /** The developer key of this start, for the product routes. */
    token: services.token,
    /** The sign-in of this start, for the account routes. */
    accessToken: services.session.token,
    /** The key of this start for the legacy API. */
    legacyToken: services.legacyToken,
    /** Host of the legacy gRPC call: `127.0.0.1:port`. */
    callHost: callPort.host,
    stateDir: services.folder,
    /** Recordings wait before their next piece; what is dictated is recognised all the same. */
    pauseRecognition: (isPaused: boolean): void => services.recogniser?.pause(isPaused),
    /** Whether a caller or work that a restart would begin again is under way. */
    isBusy: (): boolean =>
      answering > 0 || streams.clients.size > 0 || services.isolationQueue.isAtWork || services.speaker.isAtWork,
    close: async (): Promise<void> => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of streams.clients) socket.terminate();
      streams.close();
      server.closeAllConnections();
      await Promise.all([closed, callPort.close()]);
      await services.close();
    },
  };
}

export type PracticeServer = Awaited<ReturnType<typeof startPracticeServer>>;

/** Listens for gRPC on 127.0.0.1. Its library is loaded with the first connection: most runs never need it. */
async function openCallPort(services: Services) {
  const sockets = new Set<Socket>();
  let host = '';
  let loading: Promise<CallServer> | null = null;
  const listener = listenTo((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    loading ??= import('./legacy-call.ts').then(({ openCallServer }) => openCallServer(services, () => host));
    loading.then(
      (server) => server.take(socket),
      () => socket.destroy(),
    );
  });
  listener.maxConnections = 16;
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject);
    listener.listen({ port: 0, host: '127.0.0.1', exclusive: true }, resolve);
  });
  host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
  return {
    /** `127.0.0.1:port`. */
    host,
    close: async (): Promise<void> => {
      const closed = new Promise<void>((resolve) => listener.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      (await loading)?.close();
      await closed;
    },
  };
}
