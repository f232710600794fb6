import { isPublicAddress } from '../../../shared/domain/urls/judge-address.ts';
import { Agent as HttpsAgent, request as requestSecurely } from 'node:https';
import { request, type Agent, type ClientRequest, type RequestOptions } from 'node:http';
import type { Socket, LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectSecurely, type ConnectionOptions } from 'node:tls';
import { isThisComputer } from '../../../shared/domain/network/proxy.ts';
import { lookup } from 'node:dns/promises';
import { err, ok, type Result } from '../../../shared/result/result.ts';

/** The proxy for an address, as `http://host:port`; null: direct. Called for each new connection. */
export type ProxySource = (url: URL) => Promise<string | null>;

export class ProxyFailed extends Error {
  readonly code: 'proxy_sign_in' | 'proxy_unreachable';

  constructor(code: ProxyFailed['code']) {
    super('no way through the proxy');
    this.code = code;
  }
}

const proxyAuthenticationRequired = 407;

/**
 * A connection to `host:port` through a proxy, by CONNECT: the proxy learns the name of the service and passes on what
 * it can't read. Rejects with `ProxyFailed`.
 */
export function openTunnel(
  proxy: string,
  target: { readonly host: string; readonly port: number },
  limitMs: number,
): Promise<Socket> {
  const { protocol, hostname, port } = new URL(proxy);
  const place = `${target.host.includes(':') && !target.host.startsWith('[') ? `[${target.host}]` : target.host}:${String(target.port)}`;
  const isSecure = protocol === 'https:';
  const options: RequestOptions & { readonly rejectUnauthorized?: boolean } = {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (isSecure ? 443 : 80) : Number(port),
    method: 'CONNECT',
    path: place,
    headers: { host: place },
    agent: false,
    timeout: limitMs,
    ...(isSecure ? { rejectUnauthorized: true, minVersion: 'TLSv1.2' } : {}),
  };
  return new Promise((resolve, reject) => {
    const fail = (code: ProxyFailed['code']) => {
      asked.destroy();
      reject(new ProxyFailed(code));
    };
    const asked: ClientRequest = isSecure ? requestSecurely(options) : request(options);
    asked.once('connect', (answer, socket) => {
      socket.setTimeout(0);
      if (answer.statusCode === 200) resolve(socket as Socket);
      else {
        socket.destroy();
        fail(answer.statusCode === proxyAuthenticationRequired ? 'proxy_sign_in' : 'proxy_unreachable');
      }
    });
    // A server that answers CONNECT like an ordinary request is no proxy.
    asked.once('response', (answer) => {
      answer.resume();
      fail(answer.statusCode === proxyAuthenticationRequired ? 'proxy_sign_in' : 'proxy_unreachable');
    });
    asked.once('timeout', () => fail('proxy_unreachable'));
    asked.once('error', () => fail('proxy_unreachable'));
    asked.end();
  });
}

export async function openRoute(
  proxyOf: ProxySource,
  target: { readonly host: string; readonly port: number },
  limitMs: number,
): Promise<Socket | null> {
  if (isThisComputer(target.host)) return null;
  const proxy = await proxyOf(
    new URL(`https://${target.host.includes(':') ? `[${target.host}]` : target.host}:${String(target.port)}/`),
  );
  return proxy === null ? null : openTunnel(proxy, target, limitMs);
}

/** For clients that speak CONNECT themselves and don't report what went wrong. Rejects with `ProxyFailed`. */
export async function provenProxy(
  proxyOf: ProxySource,
  target: { readonly host: string; readonly port: number },
  limitMs: number,
): Promise<string | null> {
  if (isThisComputer(target.host)) return null;
  const proxy = await proxyOf(new URL(`https://${target.host}:${String(target.port)}/`));
  if (proxy === null) return null;
  const { protocol, hostname, port } = new URL(proxy);
  if (protocol !== 'http:') throw new ProxyFailed('proxy_unreachable');
  (await openTunnel(proxy, target, limitMs)).destroy();
  return `${hostname}:${port === '' ? '80' : port}`;
}

type Connected = (error: Error | null, socket?: Duplex) => void;

class TunnelAgent extends HttpsAgent {
  readonly #proxyOf: ProxySource;
  readonly #limitMs: number;

  constructor(proxyOf: ProxySource, limitMs: number) {
    super({ keepAlive: false });
    this.#proxyOf = proxyOf;
    this.#limitMs = limitMs;
  }

  override createConnection(options: ConnectionOptions, connected: Connected): undefined {
    const host = options.servername ?? options.host ?? '';
    const secure = { ...options, servername: host, rejectUnauthorized: true, minVersion: 'TLSv1.2' } as const;
    openRoute(this.#proxyOf, { host, port: Number(options.port ?? 443) }, this.#limitMs).then(
      (socket) => {
        connected(
          null,
          connectSecurely(socket === null ? { ...secure, lookup: guardedLookup() } : { ...secure, socket }),
        );
      },
      (error: unknown) => {
        connected(error instanceof Error ? error : new ProxyFailed('proxy_unreachable'));
      },
    );
    return undefined;
  }
}

export const tunnelAgents =
  (proxyOf: ProxySource, limitMs = 10_000) =>
  (url: URL): Agent | undefined =>
    url.protocol !== 'wss:' || isThisComputer(url.hostname) ? undefined : new TunnelAgent(proxyOf, limitMs);

export type Resolve = (hostname: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;

export const unsafeAddressCode = 'unsafe_address';

const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true, verbatim: true });

/**
 * Resolves a name once and hands the connection exactly the addresses that were judged, so that a second DNS answer
 * can't replace them. A name with even one address outside the public internet is refused.
 */
export function guardedLookup(resolve: Resolve = systemResolve): LookupFunction {
  return (hostname, options, callback) => {
    void checkedAddresses(hostname, resolve).then((found) => {
      const [first] = found.ok ? found.value : [];
      if (!found.ok || first === undefined) {
        const code = found.ok ? 'ENOTFOUND' : found.error;
        return setImmediate(callback, Object.assign(new Error('not looked up'), { code }), '', 0);
      }
      return options.all === true
        ? setImmediate(callback, null, found.value)
        : setImmediate(callback, null, first.address, first.family);
    });
  };
}

type Addresses = Awaited<ReturnType<Resolve>>;

async function checkedAddresses(hostname: string, resolve: Resolve): Promise<Result<Addresses[number][], string>> {
  try {
    const addresses = await resolve(hostname);
    return addresses.every(({ address }) => isPublicAddress(address)) ? ok([...addresses]) : err(unsafeAddressCode);
  } catch (error) {
    return err(error instanceof Error && 'code' in error ? String(error.code) : 'ENOTFOUND');
  }
}
