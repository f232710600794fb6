import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { sleptCode } from '../../../shared/domain/failures/network-fault.ts';
import type { Logger } from '../../../shared/domain/diagnostics/log-entry.ts';
import type { PaidLedger } from '../../../shared/domain/ledger/paid-action.ts';
import { defaultWireTable, type WireTable } from '../../../shared/wire/wire-table.ts';
import type { ConnectionSource } from '../connection.ts';
import { systemClientClock, type ClientClock } from './clock.ts';
import { createHttpCore, type HttpCore } from './http-core.ts';
import { recordPaid } from './record-paid.ts';
import { defaultTransportLimits, type TransportLimits } from './transport.ts';
import type { ProxySource } from './tunnel.ts';
import { transportWhenNeeded } from './transport-when-needed.ts';
import { watchGrants, type GrantWatch } from './watch-grants.ts';

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
  /** Where everything that costs is written down; a client that only reads needs none. */
  readonly ledger?: PaidLedger;
  /** Told of what calls show about the key. */
  readonly grants?: GrantWatch;
  /** How connections leave this computer; straight unless told. */
  readonly proxyOf?: ProxySource;
  /** How names become addresses; as the system does it unless told. */
  readonly lookup?: LookupFunction;
}

/** A core with connections of its own; `close` drops them. */
export function openHttpCore(options: ClientOptions): {
  readonly core: HttpCore;
  readonly dropConnections: () => void;
  readonly dropStaleConnections: (addresses: ReadonlySet<string>) => void;
  /** Whether the name of the service leads to an address; a proxy looks it up itself. */
  readonly isNamed: () => Promise<boolean>;
  readonly close: () => Promise<void>;
} {
  const clock = options.clock ?? systemClientClock;
  const limits = { ...defaultTransportLimits, ...options.limits };
  const transport = transportWhenNeeded(async () =>
    (await import('./transport-undici.ts')).createUndiciTransport(clock, limits, options.lookup, options.proxyOf),
  );
  const { connection, log, allowsLoopbackHttp, random = Math.random } = options;
  const { endpoints } = options.wire ?? defaultWireTable;
  const probe = endpoints['speak.languages'];
  const core = createHttpCore({ connection, log, allowsLoopbackHttp, clock, random, transport, probe });
  const watched = options.grants === undefined ? core : watchGrants(core, options.grants);
  return {
    core: options.ledger === undefined ? watched : recordPaid(watched, options.ledger, options.wire?.aliases ?? {}),
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
