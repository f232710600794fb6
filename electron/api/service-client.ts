import type { Agent } from 'node:http';
import type { PaidLedger } from '../../shared/domain/ledger/paid-action.ts';
import type { Product } from '../../shared/domain/permissions/permission-map.ts';
import { systemClientClock, defaultLiveLimits, type LiveLimits } from './http/transport.ts';
import { recordPaid } from './http/record-paid.ts';
import { answerOf, createCaller } from './http/resource-call.ts';
import { tunnelAgents } from './http/tunnel.ts';
import { createLegacyApi } from './legacy/resources.ts';
import { openLegacyCallVoice, openLegacySocket } from './legacy/live-speech.ts';
import { createLiveDictation } from './live/dictation-socket.ts';
import type { LiveContext } from './http/live-socket.ts';
import { streamSpeech, type SpeechStreamInput } from './live/speech-stream.ts';
import { createAccountApi, createWebhooksApi } from './resources/account.ts';
import { createAskApi } from './resources/ask.ts';
import { createCloneApi, createSpeakApi } from './resources/speak.ts';
import { readProductAccess } from './resources/connection-check.ts';
import { createIsolateApi } from './resources/isolate.ts';
import { createTicketApi } from './http/stream-address.ts';
import { createSttApi } from './stt-api.ts';
import { openServiceCore, type ClientOptions, type ServiceCore } from './http/service-core.ts';

export interface ServiceClientOptions extends ClientOptions {
  readonly core?: ServiceCore;
  readonly ledger?: PaidLedger;
  readonly isFree?: boolean;
  readonly longestRead?: number;
  readonly streamIdleMs?: number;
  readonly messageLanguage?: 'uz' | 'en' | 'ru';
  readonly liveLimits?: Partial<LiveLimits>;
  readonly agentFor?: (url: URL) => Agent | undefined;
}

/** Everything of the service over one core: one rate, one retry budget and one clock for all of it. */
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
}: ServiceClientOptions) {
  const core = sharedCore ?? openServiceCore(options);
  const { connection, log, allowsLoopbackHttp, clock = systemClientClock } = options;
  const agentFor = ownAgentFor ?? (options.proxyOf === undefined ? undefined : tunnelAgents(options.proxyOf));
  const caller = createCaller(ledger === undefined ? core : recordPaid(core, ledger));
  const live: LiveContext = {
    connection,
    log,
    allowsLoopbackHttp,
    clock,
    isFree,
    allowProbe: () => core.allowProbe(),
    limits: { ...defaultLiveLimits, ...liveLimits },
    ...(ledger === undefined ? {} : { ledger }),
    ...(agentFor === undefined ? {} : { agentFor }),
    ...(options.proxyOf === undefined ? {} : { proxyOf: options.proxyOf }),
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
      legacyCall: () => openLegacyCallVoice(live),
      /** Its key is part of the address, so no screen offers it. */
      legacySocket: (signal?: AbortSignal) => openLegacySocket(live, signal),
    },
    clone: createCloneApi(caller),
    webhooks: createWebhooksApi(caller),
    account: createAccountApi(caller),
    legacy: createLegacyApi(caller, messageLanguage, () => connection()?.baseUrl ?? null),
    /** Answers are passed on unchanged (the tool server, contract 4.13). */
    answer: answerOf(caller),
    missingPermission: (product: Product, signal?: AbortSignal) => readProductAccess(core, product, signal),
    dropConnections: () => core.dropConnections(),
    close: async (): Promise<void> => {
      if (sharedCore === undefined) await core.close();
    },
  };
}

export type ServiceClient = ReturnType<typeof openServiceClient>;
