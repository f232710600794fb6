import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { sleptCode } from '../../../shared/domain/failures/network-fault.ts';
import type { Logger } from '../../../shared/domain/diagnostics/log-entry.ts';
import { endpoints } from '../../../shared/wire/endpoints.ts';
import type { ConnectionSource } from '../connection.ts';
import {
  systemClientClock,
  defaultTransportLimits,
  onDemand,
  type ClientClock,
  type TransportLimits,
} from './transport.ts';
import { createHttpCore, type GrantWatch } from './http-core.ts';
import type { ProxySource } from './tunnel.ts';

export interface ClientOptions {
  readonly connection: ConnectionSource;
  readonly log: Logger;
  readonly allowsLoopbackHttp: boolean;
  readonly clock?: ClientClock;
  readonly random?: () => number;
  readonly limits?: Partial<TransportLimits>;
  readonly grants?: GrantWatch;
  readonly proxyOf?: ProxySource;
  readonly lookup?: LookupFunction;
}

/** Everything that talks to one service with one key shares this core. */
export function openServiceCore(options: ClientOptions) {
  const clock = options.clock ?? systemClientClock;
  const limits = { ...defaultTransportLimits, ...options.limits };
  const transport = onDemand(async () =>
    (await import('./transport-undici.ts')).createUndiciTransport(clock, limits, options.lookup, options.proxyOf),
  );
  const { connection, log, allowsLoopbackHttp, random = Math.random } = options;
  const probe = endpoints['speak.languages'];
  const { grants } = options;
  return {
    ...createHttpCore({ log, allowsLoopbackHttp, clock, random, transport, probe, grants }, connection),
    dropConnections: () => transport.made()?.dropAll(sleptCode),
    dropStaleConnections: (addresses: ReadonlySet<string>) => transport.made()?.dropStale(addresses),
    isNamed: () => hasAddress(options, clock, limits.connectMs),
    close: async () => (await transport.asked())?.close(),
  };
}

export type ServiceCore = ReturnType<typeof openServiceCore>;

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
