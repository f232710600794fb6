import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono, type Context } from 'hono';
import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Readable, type Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { unaffordable } from './credits.ts';
import { livePaths, serveDictation } from './dictation.ts';
import { endAfter, endBefore, shapeFor, type Ending } from './faults.ts';
import {
  json,
  newId,
  openRateLimit,
  problem,
  refuse,
  Refusal,
  serialise,
  singleHeader,
  type Answer,
  type RateLimit,
  type Route,
} from './http.ts';
import { authenticate, grants, isLegacyKey, keyTrouble, legacyCaller, type ApiKey } from './keys.ts';
import type { CallServer } from './legacy-call.ts';
import { legacyStreamPath, serveLegacySpeech } from './legacy-live.ts';
import { refuseLegacy } from './legacy-words.ts';
import { serveSpeech } from './live-speech.ts';
import { routes } from './routes.ts';
import { openServices, type ServiceOptions, type Services } from './services.ts';
import { get, noteAttempt, snakeCase } from './state.ts';
import { logRequest } from './usage.ts';

export interface PracticeOptions extends ServiceOptions {
  /** 0, the default, chooses a free port. The address is always 127.0.0.1. */
  readonly port?: number;
}

/** How long a connection may be idle while nothing is being answered on it. */
const idleMs = 60_000;

interface Env {
  Bindings: HttpBindings;
  Variables: { requestId: string; caller: ApiKey };
}

/**
 * Only a program on this computer may talk to this server. A web page can't, because it always sends an Origin, a
 * foreign Host (DNS rebinding) or a Sec-Fetch-Site.
 */
function refuseForeign(request: IncomingMessage, url: string): void {
  if (`http://${singleHeader(request, 'host')}` !== url)
    refuse(403, 'host_forbidden', 'This address is not served here.');
  const site = request.headers['sec-fetch-site'] ?? 'none';
  if (request.headers.origin !== undefined || site !== 'none')
    refuse(403, 'origin_forbidden', 'The practice service does not talk to web pages.');
}

/** How a request ends that was refused, or in which this service made a mistake. */
function endOf(error: unknown, requestId: string): Ending {
  const mistake = problem(500, 'internal_error', 'The practice service made a mistake.');
  const answer = error instanceof Refusal ? error.answer : mistake;
  return answer === null ? { kind: 'drop' } : { kind: 'send', wire: serialise(answer, requestId) };
}

/** Whose request this is; those without a key of their own are never asked to pay. */
function callerOf(request: IncomingMessage, path: string, services: Services, takeTurn: RateLimit): ApiKey {
  const now = services.now();
  // The address itself is the credential.
  if (path.startsWith('/storage/')) return legacyCaller;
  if (path.startsWith('/api/v1/account/')) {
    services.session.refuseOthers(request);
    return legacyCaller;
  }
  if (path.startsWith('/api/')) {
    if (!isLegacyKey(singleHeader(request, 'x-api-key'), services)) refuseLegacy(request, 401, 'invalid_key');
    const wait = takeTurn(legacyCaller.id, now);
    if (wait !== null) refuseLegacy(request, 429, 'rate_limited', { 'retry-after': String(wait) });
    return legacyCaller;
  }
  const key = authenticate(request, services);
  const wait = takeTurn(key.id, now);
  const headers = { 'retry-after': String(wait) };
  if (wait !== null) refuse(429, 'rate_limited', 'Too many requests in one second.', undefined, headers);
  return key;
}

/** What the handler of a route answers, unless a fault ends the request before or changes the answer after. */
async function endRoute(route: Route, c: Context<Env>, services: Services): Promise<Ending> {
  const { requestId, caller } = c.var;
  const faults = services.faultPlan.meet(route.method, route.path);
  const early = await endBefore(faults, requestId);
  if (early !== null) return early;
  const { permissions } = route;
  if (permissions.length > 0 && !permissions.some((permission) => grants(caller, permission)))
    refuse(403, 'insufficient_scope', `This key has no permission ${permissions[0]}.`);
  const params = c.req.param() as Readonly<Record<string, string>>;
  const [id = ''] = Object.values(params);
  const query = new URL(c.req.url).searchParams;
  const exchange = { request: c.env.incoming, requestId, query, id, params, shape: shapeFor(faults), caller };
  // A refusal is an answer like any other, which faults can lose.
  let answer: Answer;
  try {
    answer = await route.handle(exchange, services);
  } catch (error) {
    if (!(error instanceof Refusal) || error.answer === null) throw error;
    ({ answer } = error);
  }
  return endAfter(faults, answer, requestId);
}

/** The answer for the framework to send, or what is left when a fault breaks it. */
async function finish(ending: Ending, { incoming, outgoing }: HttpBindings): Promise<Response> {
  // Keeps reading, so that the client waits for an answer and not for room to send.
  if (ending.kind === 'hold') incoming.resume();
  if (ending.kind === 'drop') incoming.socket.resetAndDestroy();
  if (ending.kind !== 'send') return RESPONSE_ALREADY_SENT;
  const { wire, cutAt } = ending;
  const { status, headers } = wire;
  if (cutAt === undefined) {
    const body = Buffer.isBuffer(wire.body) ? new Uint8Array(wire.body) : Readable.toWeb(wire.body());
    return new Response(status === 204 ? null : (body as BodyInit), { status, headers });
  }
  const whole = Buffer.isBuffer(wire.body) ? wire.body : Buffer.concat(await wire.body().toArray());
  outgoing.writeHead(status, headers).write(whole.subarray(0, cutAt), () => incoming.socket.destroy());
  return RESPONSE_ALREADY_SENT;
}

/** The routes, and before them what every request meets: a note for checkers, a caller, and the end of the idling. */
function openApp(services: Services, url: () => string): Hono<Env> {
  const { folder, now, state } = services;
  const app = new Hono<Env>();
  const takeTurn = openRateLimit(services.limits.requestsPerSecond);
  app.use(async (c, next) => {
    const { incoming } = c.env;
    const id = newId('req');
    c.set('requestId', id);
    const key = incoming.headers['idempotency-key'];
    const idempotencyKey = typeof key === 'string' ? key.toLowerCase().slice(0, 128) : null;
    const note = (end: object): void => {
      const { method, path } = c.req;
      if (idempotencyKey !== null) noteAttempt(folder, { id, beganAtMs, method, path, idempotencyKey, ...end });
    };
    const beganAtMs = now();
    note({});
    await next();
    incoming.socket.setTimeout(idleMs);
    const isWhole = !c.res.headers.has('x-hono-already-sent');
    const wait = isWhole ? c.res.headers.get('retry-after') : null;
    const retryAfterMs = wait === null ? null : Number(wait) * 1000;
    note({ endedAtMs: now(), status: isWhole ? c.res.status : null, retryAfterMs });
  });
  app.use(async (c, next) => {
    refuseForeign(c.env.incoming, url());
    c.set('caller', callerOf(c.env.incoming, c.req.path, services, takeTurn));
    await next();
  });
  for (const route of routes)
    app.on(route.method, route.path, async (c) => {
      const { requestId, caller } = c.var;
      const atMs = now();
      const ending = await endRoute(route, c, services).catch((error: unknown) => endOf(error, requestId));
      // A client that left, or was meant to get no answer, has no status.
      if (caller !== legacyCaller && ending.kind === 'send')
        logRequest(state, caller, {
          requestId,
          atMs,
          method: route.method,
          route: documentedPath(route.path),
          statusCode: ending.wire.status,
          latencyMs: Math.max(0, now() - atMs),
          requestBytes: Number(c.req.header('content-length') ?? 0),
          responseBytes: Number(ending.wire.headers['content-length'] ?? 0),
        });
      return finish(ending, c.env);
    });
  app.notFound(() => refuse(404, 'not_found', 'There is nothing at this address.'));
  app.onError((error, c) => finish(endOf(error, c.var.requestId), c.env));
  return app;
}

/** `/v1/things/:thingId` as the service's document writes it: `/v1/things/{thing_id}`. */
const documentedPath = (path: string): string =>
  path.replaceAll(/:(\w+)/g, (_whole, name: string) => `{${snakeCase(name)}}`);

/** Refuses an upgrade in plain HTTP, the only protocol both sides speak at that point (contract 4.10). */
function refuseUpgrade(socket: Duplex, ending: Ending): void {
  if (ending.kind === 'hold') return;
  if (ending.kind === 'drop' || !Buffer.isBuffer(ending.wire.body)) return void socket.destroy();
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
  product: 'stt' | 'tts',
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
  return grants(key, `${product}_realtime:access`) ? key : null;
}

/** What serves the stream once it is open. */
async function admit(
  request: IncomingMessage,
  requestId: string,
  baseUrl: string,
  services: Services,
): Promise<((socket: WebSocket) => void) | Ending> {
  refuseForeign(request, baseUrl);
  const url = URL.parse(request.url ?? '/', baseUrl);
  const path = url?.pathname ?? '';
  const product = (['stt', 'tts'] as const).find((one) => livePaths[one] === path);
  if (url === null || (product === undefined && path !== legacyStreamPath))
    return refuse(404, 'not_found', 'There is no stream at this address.');
  const early = await endBefore(services.faultPlan.meet('GET', path), requestId);
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
    const sizes = { statusCode: 101, latencyMs: 0, requestBytes: 0, responseBytes: 0 };
    logRequest(services.state, key, { requestId, atMs: services.now(), method: 'GET', route: path, ...sizes });
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
  let port = 0;
  const url = (): string => `http://127.0.0.1:${port}`;
  const services = await openServices(options, url);
  const app = openApp(services, url);
  const server = createAdaptorServer({
    fetch: app.fetch,
    overrideGlobalObjects: false,
    autoCleanupIncoming: false,
    serverOptions: { requestTimeout: 0, keepAliveTimeout: idleMs, headersTimeout: idleMs },
  }) as Server;
  let answering = 0;
  server.prependListener('request', (request, response) => {
    answering += 1;
    response.once('close', () => (answering -= 1));
    request.on('error', () => undefined);
    // What takes long to answer is not idle.
    request.once('end', () => request.socket.setTimeout(0));
  });
  server.maxConnections = 64;
  server.timeout = idleMs;
  server.on('timeout', (socket: Socket) => socket.destroy());
  // A second of audio has 32 kB; no client needs a much larger frame.
  const streams = new WebSocketServer({ noServer: true, maxPayload: 1024 * 1024, perMessageDeflate: false });
  const take = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    socket.on('error', () => undefined);
    const requestId = newId('req');
    const admitted = await admit(request, requestId, url(), services).catch((error: unknown) =>
      endOf(error, requestId),
    );
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
  const listener = createServer((socket) => {
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
