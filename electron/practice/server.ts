import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { assertNever } from '../../shared/result/result.ts';
import { Analyst } from './analysis/analyst.ts';
import { endAfter, endBefore, slowed, type Ending } from './faults/apply-faults.ts';
import { noFaults, plannedFailure, shapeFor, type FaultPlan } from './faults/fault-plan.ts';
import { problem, serialise, type Answer } from './http/answer.ts';
import { refuseForeign, refuseUnknownKey } from './http/guard.ts';
import { matchRoute } from './http/route.ts';
import { WorkQueue, type Pace } from './queue/work-queue.ts';
import { routes } from './routes/route-table.ts';
import type { Limits, Services } from './services.ts';
import { openDatabase } from './state/database.ts';
import { prepareStateFolder } from './state/state-folder.ts';
import { Transcriptions } from './state/transcriptions.ts';

export interface PracticeOptions {
  /** 0, the default, takes any free port. The address is always 127.0.0.1. */
  readonly port?: number;
  /** Where state lives on; without it, a temporary folder that is removed at the end. */
  readonly stateDir?: string;
  readonly faultPlan?: FaultPlan;
  /** For tests that restart a server; otherwise made new at each start. */
  readonly token?: string;
  readonly limits?: Partial<Limits>;
  readonly pace?: Pace;
  /** The module that runs in the decoding threads. */
  readonly workerUrl?: URL;
}

export interface PracticeServer {
  readonly url: string;
  readonly token: string;
  readonly stateDir: string;
  close(): Promise<void>;
}

const maxConnections = 64;
const idleMs = 60_000;

const defaultLimits: Limits = { maxBodyBytes: 300 * 1024 * 1024, shortAudioMs: 20_000 };
const defaultPace: Pace = { queuedMs: 400, processingMs: 500 };
const ownWorker = new URL('./analysis/analysis-worker.ts', import.meta.url);

/** 256 bits, with a beginning that tells a person where the key belongs. */
const mintToken = (): string => `practice_${randomBytes(32).toString('base64url')}`;

function finish(response: ServerResponse, ending: Ending): void {
  switch (ending.kind) {
    case 'hold':
      // Reads on, so that the client waits for words and not for room to send.
      response.req.resume();
      return;
    case 'drop':
      response.req.socket.resetAndDestroy();
      return;
    case 'send': {
      const { status, headers, body } = ending.wire;
      response.writeHead(status, headers);
      if (ending.cutAt === undefined) {
        response.end(body);
        return;
      }
      response.write(body.subarray(0, ending.cutAt), () => response.req.socket.destroy());
      return;
    }
    default:
      assertNever(ending);
  }
}

async function respond(
  request: IncomingMessage,
  port: number,
  token: string,
  faultPlan: FaultPlan,
  services: Services,
): Promise<Ending | null> {
  const requestId = `req_${randomUUID().replaceAll('-', '')}`;
  const say = (answer: Answer): Ending => ({ kind: 'send', wire: serialise(answer, requestId) });
  const refusal = refuseForeign(request, port) ?? refuseUnknownKey(request, token);
  if (refusal !== null) return say(refusal);

  const url = URL.parse(request.url ?? '/', 'http://127.0.0.1');
  if (url === null) return say(problem(400, 'invalid_request', 'This is not an address.'));
  const match = matchRoute(routes, request.method ?? '', url.pathname);
  if (match.kind === 'none') return say(problem(404, 'not_found', 'There is nothing at this address.'));
  if (match.kind === 'wrong-method') {
    return say(
      problem(405, 'method_not_allowed', 'This address does not take this method.', undefined, {
        allow: match.allowed.join(', '),
      }),
    );
  }
  const { route, params } = match;
  const faults = faultPlan.meet(route.method, route.path, params['transcriptionId'] ?? '');
  const early = await endBefore(faults, requestId);
  if (early !== null) return early;
  if (route.handle === undefined) {
    return say(
      problem(
        403,
        'insufficient_scope',
        `The practice key has no permission ${route.permission}: practice mode does not offer this yet.`,
      ),
    );
  }
  try {
    const exchange = {
      request,
      body: slowed(request, faults),
      query: url.searchParams,
      params,
      shape: shapeFor(faults),
    };
    const answer = await route.handle(exchange, services);
    return answer === null ? null : await endAfter(faults, answer, requestId);
  } catch {
    return say(problem(500, 'internal_error', 'The practice service made a mistake.'));
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve((server.address() as AddressInfo).port));
  });
}

/**
 * Starts the practice service on loopback. It answers by the contract of saved speech to text (service-api 4.6) and
 * really measures the sound it gets. Rejects when the port is taken or the state folder can't be used.
 */
export async function startPracticeServer(options: PracticeOptions = {}): Promise<PracticeServer> {
  const token = options.token ?? mintToken();
  const limits = { ...defaultLimits, ...options.limits };
  const faultPlan = options.faultPlan ?? noFaults;
  const folder = await prepareStateFolder(options.stateDir);
  const database = openDatabase(folder.path);
  const transcriptions = new Transcriptions(database);
  await folder.removeLeftovers(new Set(transcriptions.unfinished().map(({ id }) => id)));
  const workerUrl = options.workerUrl ?? ownWorker;
  const admission = new Analyst(workerUrl);
  const labour = new Analyst(workerUrl);
  const queue = new WorkQueue(transcriptions, labour, folder.uploadsDir, options.pace ?? defaultPace, (id) =>
    plannedFailure(faultPlan, id),
  );
  const services: Services = {
    transcriptions,
    admission,
    queue,
    uploadsDir: folder.uploadsDir,
    limits,
    now: Date.now,
    admissions: new Map(),
  };

  let port = 0;
  const server = createServer(
    { requestTimeout: 0, keepAliveTimeout: idleMs, headersTimeout: idleMs },
    (request, response) => {
      request.on('error', () => undefined);
      respond(request, port, token, faultPlan, services)
        .then((ending) => (ending === null ? undefined : finish(response, ending)))
        .catch(() => request.socket.destroy());
    },
  );
  server.maxConnections = maxConnections;
  server.timeout = idleMs;
  server.on('timeout', (socket: Socket) => socket.destroy());
  // Nothing here speaks another protocol; without this, Node would hand the socket over unanswered.
  server.on('upgrade', (_request, socket) =>
    socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'),
  );
  try {
    port = await listen(server, options.port ?? 0);
  } catch (error) {
    database.close();
    await folder.dispose();
    throw error;
  }
  queue.resume();

  return {
    url: `http://127.0.0.1:${port}`,
    token,
    stateDir: folder.path,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      const stopped = queue.stop();
      await Promise.all([admission.close(), labour.close()]);
      await stopped;
      database.close();
      await folder.dispose();
    },
  };
}
