import type { PaidLedger } from '../../shared/domain/ledger/paid-action.ts';
import type { Product } from '../../shared/domain/permissions/permission-map.ts';
import {
  systemClientClock,
  defaultLiveLimits,
  type LiveLimits,
  defaultTransportLimits,
  onDemand,
  type ClientClock,
  type TransportLimits,
} from './transport.ts';
import { tunnelAgents, type ProxySource } from './proxy.ts';
import { createLegacyApi } from './legacy.ts';
import { createLiveDictation } from './dictation-socket.ts';
import type { LiveContext } from './live-socket.ts';
import { streamSpeech, type SpeechStreamInput } from './speech-stream.ts';
import { createAccountApi, createWebhooksApi } from './account.ts';
import { createAskApi } from './ask.ts';
import { createCloneApi, createSpeakApi } from './speak.ts';
import { readProductAccess } from './connection-check.ts';
import { createIsolateApi } from './isolate.ts';
import { createTicketApi, type ConnectionSource } from './connection.ts';
import { createSttApi } from './stt.ts';
import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { sleptCode } from '../../shared/domain/failures/network-fault.ts';
import type { Logger } from '../../shared/domain/diagnostics/log-entry.ts';
import { endpoints } from './endpoints.ts';
import { createHttpCore, type GrantWatch } from './http.ts';
import { createCaller } from './caller.ts';

export interface ServiceClientOptions extends ClientOptions {
  readonly core?: ServiceCore;
  readonly ledger?: PaidLedger;
  readonly isFree?: boolean;
  readonly longestRead?: number;
  readonly streamIdleMs?: number;
  readonly liveLimits?: Partial<LiveLimits>;
}

/** Everything of the service over one core: one rate, one retry budget and one clock for all of it. */
export function openServiceClient({
  core: sharedCore,
  ledger,
  isFree = false,
  longestRead = Infinity,
  streamIdleMs,
  liveLimits,
  ...options
}: ServiceClientOptions) {
  const core = sharedCore ?? openServiceCore(options);
  const { connection, log, allowsLoopbackHttp, proxyOf, clock = systemClientClock } = options;
  const caller = createCaller(core, ledger);
  const live: LiveContext = {
    connection,
    log,
    allowsLoopbackHttp,
    clock,
    isFree,
    allowProbe: () => core.allowProbe(),
    limits: { ...defaultLiveLimits, ...liveLimits },
    ledger,
    agentFor: proxyOf && tunnelAgents(proxyOf),
    proxyOf,
  };
  const tickets = createTicketApi(
    caller,
    () => clock.now(),
    () => core.clockOffsetMs(),
  );
  return {
    stt: createSttApi(caller, core, clock, longestRead),
    speak: createSpeakApi(caller),
    isolate: createIsolateApi(caller),
    ask: createAskApi(caller, streamIdleMs),
    live: {
      ...tickets,
      dictation: createLiveDictation(live, tickets),
      streamSpeech: (input: SpeechStreamInput) => streamSpeech(live, tickets, input),
      // Loaded on demand: gRPC is large, and most runs never need it.
      legacyCall: async () => (await import('./legacy-speech.ts')).openLegacyCallVoice(live),
      /** Its key is part of the address, so no screen offers it. */
      legacySocket: async (signal?: AbortSignal) => (await import('./legacy-speech.ts')).openLegacySocket(live, signal),
    },
    clone: createCloneApi(caller),
    webhooks: createWebhooksApi(caller),
    account: createAccountApi(caller),
    legacy: createLegacyApi(caller, () => connection()?.baseUrl ?? null),
    /** Answers are passed on unchanged (the tool server, contract 4.13). */
    answer: caller.answer,
    missingPermission: (product: Product, signal?: AbortSignal) => readProductAccess(core, product, signal),
    dropConnections: () => core.dropConnections(),
    close: async (): Promise<void> => {
      if (sharedCore === undefined) await core.close();
    },
  };
}

export type ServiceClient = ReturnType<typeof openServiceClient>;

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

export const uploadRoute = endpoints['clone.upload'].path;
