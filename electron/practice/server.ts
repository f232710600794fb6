import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { assemble, type AssemblyOptions } from './assemble.ts';
import { finish } from './http/finish.ts';
import { RateLimit } from './http/guard.ts';
import { respond, type Reception } from './http/respond.ts';
import { openCallPort } from './legacy/call-port.ts';
import { Upgrades } from './realtime/upgrades.ts';
import { routes } from './routes/route-table.ts';

export interface PracticeOptions extends AssemblyOptions {
  /** 0, the default, chooses a free port. The address is always 127.0.0.1. */
  readonly port?: number;
}

export interface PracticeServer {
  readonly url: string;
  /** The developer key of this start, for the product routes. */
  readonly token: string;
  /** The sign-in of this start, for the account routes. */
  readonly accessToken: string;
  /** The key of this start for the legacy API. */
  readonly legacyToken: string;
  /** Host of the legacy gRPC call: `127.0.0.1:port`. */
  readonly callHost: string;
  readonly stateDir: string;
  /** Recordings wait before their next piece; what is dictated is recognised all the same. */
  pauseRecognition(isPaused: boolean): void;
  /** Whether a caller or work that a restart would begin again is under way. */
  isBusy(): boolean;
  close(): Promise<void>;
}

const maxConnections = 64;
const idleMs = 60_000;

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve((server.address() as AddressInfo).port));
  });
}

function openServer(reception: Reception): { readonly server: Server; readonly answering: () => number } {
  let answering = 0;
  const server = createServer(
    { requestTimeout: 0, keepAliveTimeout: idleMs, headersTimeout: idleMs },
    (request, response) => {
      answering += 1;
      response.once('close', () => (answering -= 1));
      request.on('error', () => undefined);
      respond(request, reception)
        .then((ending) => (ending === null ? undefined : finish(response, ending)))
        .catch(() => request.socket.destroy());
    },
  );
  server.maxConnections = maxConnections;
  server.timeout = idleMs;
  server.on('timeout', (socket: Socket) => socket.destroy());
  return { server, answering: () => answering };
}

/**
 * Starts the practice service on loopback. It follows the contract of the service and really processes what it gets.
 * Rejects when the port is taken or the state folder can't be used.
 */
export async function startPracticeServer(options: PracticeOptions = {}): Promise<PracticeServer> {
  let port = 0;
  const url = (): string => `http://127.0.0.1:${port}`;
  const assembly = await assemble(options, url);
  const { services, session, faultPlan } = assembly;
  const rateLimit = new RateLimit(services.limits.requestsPerSecond);
  const reception: Reception = { routes, port: () => port, session, rateLimit, faultPlan, services };
  const upgrades = new Upgrades(reception);
  const { server, answering } = openServer(reception);
  server.on('upgrade', (request, socket, head) => {
    upgrades.take(request, socket, head).catch(() => socket.destroy());
  });
  try {
    port = await listen(server, options.port ?? 0);
  } catch (error) {
    await assembly.close();
    throw error;
  }
  const callPort = await openCallPort(services, services.legacyKey);
  assembly.start();

  return {
    url: url(),
    token: assembly.token,
    accessToken: session.token,
    legacyToken: services.legacyKey.secret,
    callHost: callPort.host,
    stateDir: assembly.stateDir,
    pauseRecognition: (isPaused) => services.recogniser?.pause(isPaused),
    isBusy: () =>
      answering() > 0 || upgrades.count > 0 || services.isolationQueue.isAtWork || services.speaker.isAtWork,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      upgrades.close();
      server.closeAllConnections();
      await Promise.all([closed, callPort.close()]);
      await assembly.close();
    },
  };
}
