import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { sleptCode } from '../../../shared/domain/failures/network-fault.ts';
import type { Logger } from '../../../shared/domain/diagnostics/log-entry.ts';
import { defaultWireTable, type WireTable } from '../../../shared/wire/wire-table.ts';
import type { ConnectionSource } from '../connection.ts';
import { systemClientClock, type ClientClock } from './clock.ts';
import { createHttpCore, type HttpCore } from './http-core.ts';
import { lazyTransport, defaultTransportLimits, type TransportLimits } from './transport.ts';
import type { ProxySource } from './tunnel.ts';
import type { Failure } from '../../../shared/result/failure.ts';

/** What a client of the service is made from. */
export interface ClientOptions {
  readonly connection: ConnectionSource;
  readonly log: Logger;
  /** Plain http on loopback for a service that is not practice: runs from source only. */
  readonly allowsLoopbackHttp: boolean;
  readonly clock?: ClientClock;
  readonly random?: () => number;
  readonly limits?: Partial<TransportLimits>;
  /** Routes and names as corrected by the settings (`readOverrides`). */
  readonly wire?: WireTable;
  /** Hears what calls show about the key. */
  readonly grants?: GrantWatch;
  /** How connections leave this computer; direct by default. */
  readonly proxyOf?: ProxySource;
  /** How names become addresses; by the resolver of the system by default. */
  readonly lookup?: LookupFunction;
}

/** The one way to a service: everything that talks to it shares its connections and its limits. */
export interface ServiceCore extends HttpCore {
  /** Requests under way end as unknown at once (E-019), and what follows goes over new connections. */
  dropConnections(): void;
  /** Drops the connections that left from none of these addresses. */
  dropStaleConnections(addresses: ReadonlySet<string>): void;
  /** Whether the name of the service leads to an address; a proxy looks it up itself. */
  isNamed(): Promise<boolean>;
  /** Drops idle connections at the end of the program. */
  close(): Promise<void>;
}

export function openServiceCore(options: ClientOptions): ServiceCore {
  const clock = options.clock ?? systemClientClock;
  const limits = { ...defaultTransportLimits, ...options.limits };
  const transport = lazyTransport(async () =>
    (await import('./transport-undici.ts')).createUndiciTransport(clock, limits, options.lookup, options.proxyOf),
  );
  const { connection, log, allowsLoopbackHttp, random = Math.random } = options;
  const { endpoints } = options.wire ?? defaultWireTable;
  const probe = endpoints['speak.languages'];
  const core = createHttpCore({ log, allowsLoopbackHttp, clock, random, transport, probe }, connection);
  return {
    ...(options.grants === undefined ? core : watchGrants(core, options.grants)),
    dropConnections: () => transport.dropAll(sleptCode),
    dropStaleConnections: (addresses) => transport.dropStale(addresses),
    isNamed: () => hasAddress(options, clock, limits.connectMs),
    close: () => transport.close(),
  };
}

async function hasAddress(
  { connection, lookup = systemLookup, proxyOf }: ClientOptions,
  clock: ClientClock,
  limitMs: number,
): Promise<boolean> {
  const url = URL.parse(connection()?.baseUrl ?? '');
  if (url === null) return false;
  if (isIP(url.hostname.replace(/^\[(.*)\]$/u, '$1')) !== 0 || ((await proxyOf?.(url)) ?? null) !== null) return true;
  return new Promise((resolve) => {
    const takeBack = clock.after(limitMs, () => resolve(false));
    lookup(url.hostname, { all: true }, (error) => {
      takeBack();
      resolve(error === null);
    });
  });
}

/** Listens to what a key turns out to be allowed. */
export interface GrantWatch {
  /** A call of this product was refused for a missing grant (E-037). */
  readonly refused: (product: string, failure: Failure) => void;
  /** A change or creation of this product was taken. */
  readonly used: (product: string) => void;
}

/** Reports what every call shows about the key; changes nothing. */
const watchGrants = (core: HttpCore, watch: GrantWatch): HttpCore => ({
  ...core,
  async call(call) {
    const reply = await core.call(call);
    const { product, method } = call.endpoint;
    if (!reply.ok && reply.error.row === 'E-037') watch.refused(product, reply.error);
    else if (reply.ok && method !== 'GET') watch.used(product);
    return reply;
  },
});
