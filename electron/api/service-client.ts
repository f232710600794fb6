import { defaultWireTable, type WireTable } from '../../shared/wire/wire-table.ts';
import { openHttpCore, type ClientOptions } from './core/client-options.ts';
import { createCaller } from './core/resource-call.ts';
import { createAskApi, type AskApi } from './resources/ask.ts';
import { createIsolateApi, type IsolateApi } from './resources/isolate.ts';
import { createSpeakApi, type SpeakApi } from './resources/speak.ts';

export interface ServiceClientOptions extends ClientOptions {
  /** Routes and names as corrected by the settings (`overrideWire`). */
  readonly wire?: WireTable;
  /** Longest silence of a streamed answer, milliseconds; 60 s unless told. */
  readonly streamIdleMs?: number;
}

/** Everything of the service beyond saved transcription, over one core and its connections. */
export interface ServiceClient {
  readonly speak: SpeakApi;
  readonly isolate: IsolateApi;
  readonly ask: AskApi;
  /** Drops idle connections at the end of the program. */
  close(): Promise<void>;
}

export function openServiceClient({
  wire = defaultWireTable,
  streamIdleMs,
  ...options
}: ServiceClientOptions): ServiceClient {
  const { core, close } = openHttpCore(options);
  const caller = createCaller(core, wire);
  return {
    speak: createSpeakApi(caller),
    isolate: createIsolateApi(caller),
    ask: createAskApi(caller, streamIdleMs),
    close,
  };
}
