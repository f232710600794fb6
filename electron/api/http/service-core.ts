import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { sleptCode } from '../../../shared/domain/failures/network-fault.ts';
import type { Logger } from '../../../shared/domain/diagnostics/log-entry.ts';
import { defaultWireTable, type WireTable } from '../../../shared/wire/wire-table.ts';
import type { ConnectionSource } from '../connection.ts';
import { systemClientClock, type ClientClock } from './clock.ts';
import { createHttpCore, type GrantWatch, type HttpCore } from './http-core.ts';
import { defaultTransportLimits, onDemand, type TransportLimits } from './transport.ts';
import type { ProxySource } from './tunnel.ts';

/** What a client of the service is made from. */
export interface ClientOptions {
  readonly connection: ConnectionSource;
  readonly log: Logger;
  /** Plain http on loopback for a service that is not practice: runs from source only. */
  readonly allowsLoopbackHttp: boolean;
  readonly clock?: ClientClock;
  readonly random?: () => number;
  readonly limits?: Partial<TransportLimits>;
  /** Routes and names after the corrections in the settings (`readOverrides`). */
  readonly wire?: WireTable;
  /** Hears what calls show about the key. */
  readonly grants?: GrantWatch;
  /** How connections leave this computer; direct by default. */
  readonly proxyOf?: ProxySource;
  /** How names are resolved; by the system's resolver by default. */
  readonly lookup?: LookupFunction;
}

/** The shared core of a service: everything that talks to it shares its connections and its limits. */
export interface ServiceCore extends HttpCore {
  /** Requests under way end at once as unknown (E-019); later ones use new connections. */
  dropConnections(): void;
  /** Drops the connections that left from none of these local addresses. */
  dropStaleConnections(addresses: ReadonlySet<string>): void;
  /** Whether the name of the service resolves; behind a proxy the proxy resolves it. */
  isNamed(): Promise<boolean>;
  /** Drops idle connections at the end of the program. */
  close(): Promise<void>;
}

export function openServiceCore(options: ClientOptions): ServiceCore {
  const clock = options.clock ?? systemClientClock;
  const limits = { ...defaultTransportLimits, ...options.limits };
  const transport = onDemand(async () =>
    (await import('./transport-undici.ts')).createUndiciTransport(clock, limits, options.lookup, options.proxyOf),
  );
  const { connection, log, allowsLoopbackHttp, random = Math.random } = options;
  const { endpoints } = options.wire ?? defaultWireTable;
  const probe = endpoints['speak.languages'];
  const { grants } = options;
  return {
    ...createHttpCore({ log, allowsLoopbackHttp, clock, random, transport, probe, grants }, connection),
    dropConnections: () => transport.made()?.dropAll(sleptCode),
    dropStaleConnections: (addresses) => transport.made()?.dropStale(addresses),
    isNamed: () => hasAddress(options, clock, limits.connectMs),
    close: async () => (await transport.asked())?.close(),
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
