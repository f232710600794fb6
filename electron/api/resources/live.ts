import type { Failure } from '../../../shared/result/failure.ts';
import type { Result } from '../../../shared/result/result.ts';
import type { DictationListener, DictationSession, DictationOptions } from '../live/dictation-events.ts';
import { LiveDictation } from '../live/dictation-session.ts';
import type { LiveContext } from '../live/live-connection.ts';
import { openLegacyCallVoice } from '../legacy/speech-call.ts';
import { openLegacySocket } from '../legacy/speech-socket.ts';
import type { LegacyVoice } from '../legacy/turns.ts';
import { streamSpeech, type SpeechStreamInput, type StreamedSpeech } from '../live/speech-stream.ts';
import type { TicketApi } from './ticket.ts';

/** What goes over live streams (contract 4.5, 4.10, 4.15). */
export interface LiveApi extends TicketApi {
  /** Begins at once; the listener receives every event, starting with a later turn of the event loop. */
  dictate(options: DictationOptions, listener: DictationListener): DictationSession;
  /** Speech into a file while it is generated, and optionally to a player. */
  streamSpeech(input: SpeechStreamInput): Promise<Result<StreamedSpeech, Failure>>;
  /** The legacy live speech by gRPC. */
  legacyCall(): Promise<Result<LegacyVoice, Failure>>;
  /** The legacy live speech by socket. Its key is part of the address, so no screen offers it. */
  legacySocket(signal?: AbortSignal): Promise<Result<LegacyVoice, Failure>>;
}

/** Tickets use the HTTP core, everything else opens its own streams. */
export function createLiveApi(context: LiveContext, tickets: TicketApi): LiveApi {
  return {
    ...tickets,
    dictate: (options, listener) => new LiveDictation(context, tickets, options, listener),
    streamSpeech: (input) => streamSpeech(context, tickets, input),
    legacyCall: () => openLegacyCallVoice(context),
    legacySocket: (signal) => openLegacySocket(context, signal),
  };
}
