import { defaultWireTable } from '../../shared/wire/wire-table.ts';
import { openHttpCore, type ClientOptions } from './core/client-options.ts';
import { createCaller } from './core/resource-call.ts';
import { createAccountApi, type AccountApi } from './resources/account.ts';
import { createAskApi, type AskApi } from './resources/ask.ts';
import { createCloneApi, type CloneApi } from './resources/clone.ts';
import { createIsolateApi, type IsolateApi } from './resources/isolate.ts';
import { createOlderApi, type OlderApi } from './resources/older.ts';
import { createSpeakApi, type SpeakApi } from './resources/speak.ts';
import { createTicketApi, type TicketApi } from './resources/ticket.ts';
import { createWebhooksApi, type WebhooksApi } from './resources/webhooks.ts';

export interface ServiceClientOptions extends ClientOptions {
  /** Longest silence of a streamed answer, milliseconds; 60 s unless told. */
  readonly streamIdleMs?: number;
  /** What the older generation may write its messages in; English unless told. */
  readonly messageLanguage?: 'uz' | 'en' | 'ru';
}

/** Everything of the service beyond saved transcription, over one core and its connections. */
export interface ServiceClient {
  readonly speak: SpeakApi;
  readonly isolate: IsolateApi;
  readonly ask: AskApi;
  readonly live: TicketApi;
  readonly clone: CloneApi;
  readonly webhooks: WebhooksApi;
  readonly account: AccountApi;
  readonly older: OlderApi;
  /** Drops idle connections at the end of the program. */
  close(): Promise<void>;
}

export function openServiceClient({
  streamIdleMs,
  messageLanguage = 'en',
  ...options
}: ServiceClientOptions): ServiceClient {
  const { core, close } = openHttpCore(options);
  const caller = createCaller(core, options.wire ?? defaultWireTable);
  return {
    speak: createSpeakApi(caller),
    isolate: createIsolateApi(caller),
    ask: createAskApi(caller, streamIdleMs),
    live: createTicketApi(caller),
    clone: createCloneApi(caller),
    webhooks: createWebhooksApi(caller),
    account: createAccountApi(caller),
    older: createOlderApi(caller, messageLanguage),
    close,
  };
}
