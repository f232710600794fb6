import { defaultWireTable } from '../../shared/wire/wire-table.ts';
import type { Agent } from 'node:http';
import { openHttpCore, type ClientOptions } from './http/client-options.ts';
import { systemClientClock } from './http/clock.ts';
import { defaultLiveLimits, type LiveLimits } from './http/live-limits.ts';
import { createCaller } from './http/resource-call.ts';
import { tunnelAgents } from './http/tunnel.ts';
import { createAccountApi, type AccountApi } from './resources/account.ts';
import { createAskApi, type AskApi } from './resources/ask.ts';
import { createCloneApi, type CloneApi } from './resources/clone.ts';
import { createIsolateApi, type IsolateApi } from './resources/isolate.ts';
import { createOlderApi, type OlderApi } from './legacy/resources.ts';
import { createSpeakApi, type SpeakApi } from './resources/speak.ts';
import { createLiveApi, type LiveApi } from './resources/live.ts';
import { createTicketApi } from './resources/ticket.ts';
import { createWebhooksApi, type WebhooksApi } from './resources/webhooks.ts';

export interface ServiceClientOptions extends ClientOptions {
  /** Longest silence of a streamed answer, milliseconds; 60 s unless told. */
  readonly streamIdleMs?: number;
  /** What the older generation may write its messages in; English unless told. */
  readonly messageLanguage?: 'uz' | 'en' | 'ru';
  /** Limits of live streams, where they are not the usual ones. */
  readonly liveLimits?: Partial<LiveLimits>;
  /** How live streams are connected when not directly, for example through a proxy; asked for each. */
  readonly agentFor?: (url: URL) => Agent | undefined;
}

/** Everything of the service beyond saved transcription, over one core and its connections. */
export interface ServiceClient {
  readonly speak: SpeakApi;
  readonly isolate: IsolateApi;
  readonly ask: AskApi;
  readonly live: LiveApi;
  readonly clone: CloneApi;
  readonly webhooks: WebhooksApi;
  readonly account: AccountApi;
  readonly older: OlderApi;
  /** The computer slept: what runs ends as unknown at once (E-019) and what follows goes over new connections. */
  dropConnections(): void;
  /** Drops idle connections at the end of the program. */
  close(): Promise<void>;
}

export function openServiceClient({
  streamIdleMs,
  messageLanguage = 'en',
  liveLimits,
  agentFor: ownAgentFor,
  ...options
}: ServiceClientOptions): ServiceClient {
  const { core, dropConnections, close } = openHttpCore(options);
  const { connection, log, allowsLoopbackHttp, clock = systemClientClock, wire = defaultWireTable, ledger } = options;
  const agentFor = ownAgentFor ?? (options.proxyOf === undefined ? undefined : tunnelAgents(options.proxyOf));
  const caller = createCaller(core, wire);
  const live = {
    connection,
    log,
    allowsLoopbackHttp,
    clock,
    wire,
    limits: { ...defaultLiveLimits, ...liveLimits },
    ...(ledger === undefined ? {} : { ledger }),
    ...(agentFor === undefined ? {} : { agentFor }),
    ...(options.proxyOf === undefined ? {} : { proxyOf: options.proxyOf }),
  };
  return {
    speak: createSpeakApi(caller),
    isolate: createIsolateApi(caller),
    ask: createAskApi(caller, streamIdleMs),
    live: createLiveApi(live, createTicketApi(caller)),
    clone: createCloneApi(caller),
    webhooks: createWebhooksApi(caller),
    account: createAccountApi(caller),
    older: createOlderApi(caller, messageLanguage, () => connection()?.baseUrl ?? null),
    dropConnections,
    close,
  };
}
