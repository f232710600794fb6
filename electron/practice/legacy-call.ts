import { Server, ServerCredentials, status, type ServerDuplexStream } from '@grpc/grpc-js';
import type { Socket } from 'node:net';
import {
  decodeRequest,
  encodeResponse,
  legacyCallPath,
  type SynthesizeRequest,
  type SynthesizeResponse,
} from '../../shared/wire/call-codec.ts';
import { isLegacyKey } from './keys.ts';
import { legacyRate, readTurn, speakTurn, turnRefusals, type Turn } from './legacy-live.ts';
import type { Services } from './services.ts';

const maxMessageBytes = 64 * 1024;
const maxStreams = 8;
const idleMs = 60_000;

type Asked = ReturnType<typeof decodeRequest>;
type Call = ServerDuplexStream<Asked, Partial<SynthesizeResponse>>;

/** The gRPC definition of the legacy call: a bidirectional stream with our own message codec. */
export const legacyCall = {
  Synthesize: {
    path: legacyCallPath,
    requestStream: true,
    responseStream: true,
    requestSerialize: () => Buffer.alloc(0),
    requestDeserialize: (bytes: Buffer): Asked => decodeRequest(bytes),
    responseSerialize: (response: Partial<SynthesizeResponse>) => Buffer.from(encodeResponse(response)),
    responseDeserialize: () => undefined,
  },
} as const;

export type CallServer = ReturnType<typeof openCallServer>;

/**
 * The legacy live speech over gRPC, on connections that were accepted elsewhere. Same key and same rules as over the
 * WebSocket; `authority` is the name of this server: a request for any other comes from a web page that found the port.
 */
export function openCallServer(services: Services, authority: () => string) {
  const server = new Server({
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.max_concurrent_streams': maxStreams,
    'grpc.max_connection_idle_ms': idleMs,
    'grpc.enable_channelz': 0,
  });
  server.addService(legacyCall, { Synthesize: (call: Call) => serve(call, services, authority()) });
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  return {
    take: (socket: Socket): void => injector.injectConnection(socket),
    close: (): void => {
      injector.destroy();
      server.forceShutdown();
    },
  };
}

function serve(call: Call, services: Services, authority: string): void {
  const refuse = (code: status, details: string): void => {
    call.emit('error', { code, details });
  };
  const sent = call.metadata.get('x-api-key');
  const [first] = sent;
  if (call.getHost() !== authority) return refuse(status.PERMISSION_DENIED, 'This address is not served here.');
  if (sent.length !== 1 || typeof first !== 'string' || !isLegacyKey(first, services))
    return refuse(status.UNAUTHENTICATED, 'This is the practice service: send its own legacy key as x-api-key.');
  const seen = new Set<string>();
  let last: Promise<void> = Promise.resolve();
  let isOver = false;
  const finish = (): void => {
    if (isOver) return;
    isOver = true;
    last = last.then(() => void call.end());
  };

  const speak = async (turn: Turn): Promise<void> => {
    const spoken = await speakTurn(turn, `GRPC ${legacyCallPath}`, services);
    if (!spoken.ok) {
      call.write({ requestId: turn.requestId, errorCode: spoken.error, errorMessage: turnRefusals[spoken.error] });
      return;
    }
    const { wav, durationMs, characters } = spoken.value;
    call.write({
      requestId: turn.requestId,
      speakerId: turn.mood,
      sampleRate: legacyRate,
      durationSec: durationMs / 1000,
      characters,
      audioWav: wav,
    });
  };

  call.on('data', (asked: Asked) => {
    if (isOver) return;
    if (!asked.ok) return refuse(status.INVALID_ARGUMENT, 'This is no message of this call.');
    if (asked.value.end) return finish();
    const turn = readTurn(turnOf(asked.value), seen);
    if (turn === null) {
      const { requestId } = asked.value;
      call.write({ requestId, errorCode: 'invalid_request', errorMessage: turnRefusals.invalid_request });
      return;
    }
    last = last.then(() => speak(turn)).catch(() => refuse(status.INTERNAL, 'The practice service made a mistake.'));
  });
  call.on('end', finish);
  call.on('error', () => (isOver = true));
  call.on('cancelled', () => (isOver = true));
}

/** Fields that proto3 omits get the documented defaults. */
const turnOf = ({ requestId, speakerId, language, text, speed }: SynthesizeRequest) => ({
  request_id: requestId,
  text,
  ...(speakerId === '' ? {} : { speaker_id: speakerId }),
  ...(language === '' ? {} : { language }),
  ...(speed === 0 ? {} : { speed }),
});
