import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Grants } from './access/permissions.ts';
import { openSession } from './access/session-token.ts';
import { ApiKeys, mintSecret } from './account/api-keys.ts';
import { RequestLog } from './account/request-log.ts';
import { Analyst } from './analysis/analyst.ts';
import { Credits } from './billing/credits.ts';
import { toUnits } from './billing/units.ts';
import { noFaults, plannedFailure, type FaultPlan } from './faults/fault-plan.ts';
import { finish } from './http/finish.ts';
import { RateLimit } from './http/rate-limit.ts';
import { respond, type Reception } from './http/respond.ts';
import { WorkQueue, type Pace } from './queue/work-queue.ts';
import { offeredPermissions, routes } from './routes/route-table.ts';
import type { Limits, Services } from './services.ts';
import { openDatabase, openDatabaseForLog } from './state/database.ts';
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
  /** What the account has to spend in this run. */
  readonly credits?: number;
  /** How long the sign-in of the account lasts. */
  readonly sessionLifeMs?: number;
  /** The module that runs in the decoding threads. */
  readonly workerUrl?: URL;
}

export interface PracticeServer {
  readonly url: string;
  /** The developer key of this start, for the product routes. */
  readonly token: string;
  /** The sign-in of this start, for the account routes. */
  readonly accessToken: string;
  readonly stateDir: string;
  close(): Promise<void>;
}

const maxConnections = 64;
const idleMs = 60_000;

const defaultLimits: Limits = { maxBodyBytes: 300 * 1024 * 1024, shortAudioMs: 20_000, requestsPerSecond: 70 };
const defaultPace: Pace = { queuedMs: 400, processingMs: 500 };
const defaultCredits = 1_000_000;
const defaultSessionMs = 30 * 24 * 3_600_000;
const ownWorker = new URL('./analysis/analysis-worker.ts', import.meta.url);

/** All that is offered, and nothing else. */
const ownGrants: Grants = Object.fromEntries([...offeredPermissions].map((id) => [id, 'access']));

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve((server.address() as AddressInfo).port));
  });
}

function openServer(reception: Reception): Server {
  const server = createServer(
    { requestTimeout: 0, keepAliveTimeout: idleMs, headersTimeout: idleMs },
    (request, response) => {
      request.on('error', () => undefined);
      respond(request, reception)
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
  return server;
}

/**
 * Starts the practice service on loopback. It answers by the contract of the service and really measures the sound it
 * gets. Rejects when the port is taken or the state folder can't be used.
 */
export async function startPracticeServer(options: PracticeOptions = {}): Promise<PracticeServer> {
  const token = options.token ?? mintSecret();
  const limits = { ...defaultLimits, ...options.limits };
  const faultPlan = options.faultPlan ?? noFaults;
  const folder = await prepareStateFolder(options.stateDir);
  const database = openDatabase(folder.path);
  const logDatabase = openDatabaseForLog(folder.path);
  const transcriptions = new Transcriptions(database);
  await folder.removeLeftovers(new Set(transcriptions.unfinished().map(({ id }) => id)));
  const keys = new ApiKeys(database);
  keys.renewOwn(token, ownGrants, Date.now());
  const credits = new Credits(database);
  credits.fill(toUnits(options.credits ?? defaultCredits));
  const log = new RequestLog(logDatabase);
  const workerUrl = options.workerUrl ?? ownWorker;
  const admission = new Analyst(workerUrl);
  const labour = new Analyst(workerUrl);
  const pace = options.pace ?? defaultPace;
  const queue = new WorkQueue(transcriptions, labour, folder.uploadsDir, pace, credits, (id) =>
    plannedFailure(faultPlan, id),
  );
  const services: Services = {
    transcriptions,
    keys,
    credits,
    log,
    offered: offeredPermissions,
    admission,
    queue,
    uploadsDir: folder.uploadsDir,
    limits,
    now: Date.now,
    admissions: new Map(),
  };
  const session = openSession(options.sessionLifeMs ?? defaultSessionMs, Date.now);

  let port = 0;
  const rateLimit = new RateLimit(limits.requestsPerSecond);
  const server = openServer({ routes, port: () => port, session, keys, log, rateLimit, faultPlan, services });
  const closeFiles = async (): Promise<void> => {
    logDatabase.close();
    database.close();
    await folder.dispose();
  };
  try {
    port = await listen(server, options.port ?? 0);
  } catch (error) {
    await closeFiles();
    throw error;
  }
  queue.resume();

  return {
    url: `http://127.0.0.1:${port}`,
    token,
    accessToken: session.token,
    stateDir: folder.path,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      const stopped = queue.stop();
      await Promise.all([admission.close(), labour.close()]);
      await stopped;
      await closeFiles();
    },
  };
}
