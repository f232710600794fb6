import { isPublicAddress } from '../../shared/domain/urls/judge-address.ts';
import { Agent as HttpsAgent } from 'node:https';
import type { Agent } from 'node:http';
import type { Socket, LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectSecurely, type ConnectionOptions } from 'node:tls';
import { isThisComputer } from '../../shared/domain/network/proxy.ts';
import { lookup } from 'node:dns/promises';
import { err, ok, type Result } from '../../shared/result/result.ts';

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

interface Place {
  readonly host: string;
  readonly port: number;
}

const placeOf = ({ host, port }: Place): string =>
  `${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${String(port)}`;

/** By CONNECT: the proxy learns the name of the service and passes on what it can't read. Rejects with `ProxyFailed`. */
export async function openTunnel(proxy: string, target: Place, limitMs: number): Promise<Socket> {
  const { Client } = await import('undici');
  const client = new Client(proxy, {
    connect: { timeout: limitMs, rejectUnauthorized: true, minVersion: 'TLSv1.2', allowH2: false },
    headersTimeout: limitMs,
  });
  const path = placeOf(target);
  try {
    const { statusCode, socket } = await client.connect({ path, headers: { host: path } });
    if (statusCode === 200) return socket as Socket;
    socket.on('error', () => undefined).destroy();
    throw new ProxyFailed(statusCode === proxyAuthenticationRequired ? 'proxy_sign_in' : 'proxy_unreachable');
  } catch (error) {
    throw error instanceof ProxyFailed ? error : new ProxyFailed('proxy_unreachable');
  } finally {
    void client.destroy();
  }
}

/** The proxy for a place; null: direct. */
const proxyFor = async (proxyOf: ProxySource, target: Place): Promise<string | null> =>
  isThisComputer(target.host) ? null : proxyOf(new URL(`https://${placeOf(target)}/`));

export async function openRoute(proxyOf: ProxySource, target: Place, limitMs: number): Promise<Socket | null> {
  const proxy = await proxyFor(proxyOf, target);
  return proxy === null ? null : openTunnel(proxy, target, limitMs);
}

/** For clients that speak CONNECT themselves and don't report what went wrong. Rejects with `ProxyFailed`. */
export async function provenProxy(proxyOf: ProxySource, target: Place, limitMs: number): Promise<string | null> {
  const proxy = await proxyFor(proxyOf, target);
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
