import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { slowNameCode } from '../../../shared/domain/failures/network-fault.ts';
import type { ClientClock } from './clock.ts';
import { Exchange } from './exchange.ts';
import { wayTo, type ProxySource } from './tunnel.ts';
import { defaultTransportLimits, type Transport, type TransportLimits, type WireRequest } from './transport.ts';

/** A connection that could not be made. */
class ConnectFailed extends Error {
  readonly code: string;

  constructor(code: string) {
    super('connection not made');
    this.code = code;
  }
}

/**
 * HTTP/1.1 with the `undici` package, whose uploads stay flat in memory, whereas the built-in fetch holds the whole
 * file. No redirects, no cookies, no cache; certificates are always checked, whatever the environment says.
 */
export function createUndiciTransport(
  clock: ClientClock,
  limits: TransportLimits = defaultTransportLimits,
  lookup: LookupFunction = systemLookup,
  proxyOf: ProxySource = async () => null,
): Transport {
  /** Names that are still being resolved: a connection that times out meanwhile never had an address. */
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
        const fail = (error: Error) => callback(new ConnectFailed(codeOf(error)), null);
        const go = (tunnel: Socket | null) =>
          connect(tunnel === null ? options : { ...options, httpSocket: tunnel }, (...args) => {
            const [error, socket] = args;
            if (error !== null) {
              // A refusal is an answer, whatever another connection to this name still waits for.
              const isLate = codeOf(error) === 'UND_ERR_CONNECT_TIMEOUT';
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
        wayTo(proxyOf, { host: hostname, port: Number(port || 443) }, limits.connectMs).then(go, (error: unknown) =>
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

function codeOf(error: Error): string {
  const code: unknown = 'code' in error ? error.code : undefined;
  if (typeof code === 'string') return code;
  // Several addresses were tried and all failed: the first one gives the reason.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  return first instanceof Error && first !== error ? codeOf(first) : 'connect_failed';
}
