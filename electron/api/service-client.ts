import type { PaidLedger } from '../../shared/domain/ledger/paid-action.ts';
import type { Product } from '../../shared/domain/permissions/permission-map.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { defaultWireTable, type WireTable } from '../../shared/wire/wire-table.ts';
import type { Agent } from 'node:http';
import { systemClientClock } from './http/clock.ts';
import { defaultLiveLimits, type LiveLimits } from './http/transport.ts';
import { recordPaid } from './http/record-paid.ts';
import { answerOf, createCaller, type AnswerApi } from './http/resource-call.ts';
import { openServiceCore, type ClientOptions, type ServiceCore } from './http/service-core.ts';
import { tunnelAgents } from './http/tunnel.ts';
import { createAccountApi, type AccountApi } from './resources/account.ts';
import { createAskApi, type AskApi } from './resources/ask.ts';
import { createCloneApi, type CloneApi } from './resources/clone.ts';
import { readProductAccess } from './resources/connection-check.ts';
import { createIsolateApi, type IsolateApi } from './resources/isolate.ts';
import { createLegacyApi, type LegacyApi } from './legacy/resources.ts';
import { createSpeakApi, type SpeakApi } from './resources/speak.ts';
import { createLiveApi, type LiveApi } from './resources/live.ts';
import { createSttApi } from './resources/stt.ts';
import type { SttApi } from './stt-api.ts';
import { createTicketApi } from './resources/ticket.ts';
import { createWebhooksApi, type WebhooksApi } from './resources/webhooks.ts';

export interface ServiceClientOptions extends ClientOptions {
  /** A core shared with other clients of this service; without one the client opens and closes its own. */
  readonly core?: ServiceCore;
  /** Records what costs; a client that only reads needs none. */
  readonly ledger?: PaidLedger;
  /** Nothing is charged, so what got no answer on a live stream is sent again at once. */
  readonly isFree?: boolean;
  /** Transcriptions of more characters are passed on unread; absent: all are read. */
  readonly longestRead?: number;
  /** Longest silence of a streamed answer, milliseconds; 60 s by default. */
  readonly streamIdleMs?: number;
  /** The language of messages from the legacy API; English by default. */
  readonly messageLanguage?: 'uz' | 'en' | 'ru';
  /** Limits of live streams, where they are not the usual ones. */
  readonly liveLimits?: Partial<LiveLimits>;
  /** Connects live streams indirectly, for example through a proxy; called for each stream. */
  readonly agentFor?: (url: URL) => Agent | undefined;
}

/** Everything of the service over one core: one rate, one retry budget and one clock for all of it. */
export interface ServiceClient {
  readonly stt: SttApi;
  readonly speak: SpeakApi;
  readonly isolate: IsolateApi;
  readonly ask: AskApi;
  readonly live: LiveApi;
  readonly clone: CloneApi;
  readonly webhooks: WebhooksApi;
  readonly account: AccountApi;
  readonly legacy: LegacyApi;
  /** Free reads and small changes whose answer is passed on unchanged (the tool server, contract 4.13). */
  readonly answer: AnswerApi;
  /** The routes and names that it goes by. */
  readonly wire: WireTable;
  /**
   * The reason why this product should not be started with this key, by one free read; null: nothing speaks against it.
   */
  whyNotToBegin(product: Product, signal?: AbortSignal): Promise<Failure | null>;
  /** Requests under way end at once as unknown (E-019); later ones use new connections. */
  dropConnections(): void;
  /** Drops idle connections at the end of the program. */
  close(this: void): Promise<void>;
}

export function openServiceClient({
  core: sharedCore,
  ledger,
  isFree = false,
  longestRead = Infinity,
  streamIdleMs,
  messageLanguage = 'en',
  liveLimits,
  agentFor: ownAgentFor,
  ...options
}: ServiceClientOptions): ServiceClient {
  const core = sharedCore ?? openServiceCore(options);
  const { connection, log, allowsLoopbackHttp, clock = systemClientClock, wire = defaultWireTable } = options;
  const agentFor = ownAgentFor ?? (options.proxyOf === undefined ? undefined : tunnelAgents(options.proxyOf));
  const caller = createCaller(ledger === undefined ? core : recordPaid(core, ledger, wire.aliases), wire);
  const live = {
    connection,
    log,
    allowsLoopbackHttp,
    clock,
    wire,
    isFree,
    limits: { ...defaultLiveLimits, ...liveLimits },
    ...(ledger === undefined ? {} : { ledger }),
    ...(agentFor === undefined ? {} : { agentFor }),
    ...(options.proxyOf === undefined ? {} : { proxyOf: options.proxyOf }),
  };
  return {
    stt: createSttApi({ caller, core, clock, longestRead }),
    speak: createSpeakApi(caller),
    isolate: createIsolateApi(caller),
    ask: createAskApi(caller, streamIdleMs),
    live: createLiveApi(
      live,
      createTicketApi(
        caller,
        () => clock.now(),
        () => core.clockOffsetMs(),
      ),
    ),
    clone: createCloneApi(caller),
    webhooks: createWebhooksApi(caller),
    account: createAccountApi(caller),
    legacy: createLegacyApi(caller, messageLanguage, () => connection()?.baseUrl ?? null),
    answer: answerOf(caller),
    wire,
    whyNotToBegin: (product, signal) => readProductAccess(core, wire, product, signal),
    dropConnections: () => core.dropConnections(),
    close: async () => {
      if (sharedCore === undefined) await core.close();
    },
  };
}
