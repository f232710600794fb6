import { getCACertificates } from 'node:tls';
import {
  Client,
  connectivityState,
  credentials,
  logVerbosity,
  Metadata,
  setLogVerbosity,
  type ClientDuplexStream,
} from '@grpc/grpc-js';
import {
  decodeResponse,
  encodeRequest,
  legacyCallPath,
  type SynthesizeRequest,
  type SynthesizeResponse,
} from '../../shared/wire/call-codec.ts';
import type { CallTarget } from './connection.ts';

export interface CallEnd {
  readonly status: number;
  readonly details: string;
  readonly isSent: boolean;
}

export interface CallHandlers {
  onResponse(response: SynthesizeResponse): void;
  onMalformed(): void;
  onEnd(end: CallEnd): void;
}

/** A complete WAV for 1000 characters takes several megabytes. */
const maxMessageBytes = 32 * 1024 * 1024;
const keepaliveMs = 10_000;

type Received = ReturnType<typeof decodeResponse>;

/**
 * Opens the single call of the legacy live speech. The key travels in the metadata, which no log or address shows.
 * Certificates are always checked against Node's roots; plain text is for this computer only. Neither a proxy nor a
 * root file is taken from the environment: `proxy` is the configured one (`host:port` of an HTTP proxy), null for
 * direct.
 */
export function openLegacyCall(
  target: CallTarget,
  connectMs: number,
  handlers: CallHandlers,
  proxy: string | null = null,
) {
  // The library would write addresses to standard error.
  setLogVerbosity(logVerbosity.NONE);
  const channel = target.isPlain
    ? credentials.createInsecure()
    : credentials.createSsl(rootsOfNode(), null, null, { rejectUnauthorized: true });
  const client = new Client(proxy === null ? target.host : `dns:${proxy}`, channel, {
    'grpc.enable_http_proxy': 0,
    ...(proxy === null
      ? {}
      : { 'grpc.http_connect_target': `dns:${target.host}`, 'grpc.default_authority': target.host }),
    'grpc.enable_channelz': 0,
    'grpc.enable_retries': 0,
    'grpc.service_config_disable_resolution': 1,
    'grpc.use_local_subchannel_pool': 1,
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.keepalive_time_ms': keepaliveMs,
    'grpc.keepalive_timeout_ms': keepaliveMs,
  });
  const metadata = new Metadata();
  metadata.set('x-api-key', target.key.reveal());
  let isEnded = false;
  let isSent = false;
  let call: ClientDuplexStream<Partial<SynthesizeRequest>, Received> | null = null;
  const waiting: Partial<SynthesizeRequest>[] = [];
  let isFinished = false;

  const end = (status: number, details: string): void => {
    if (isEnded) return;
    isEnded = true;
    client.close();
    handlers.onEnd({ status, details, isSent });
  };

  const begin = (): void => {
    isSent = true;
    const open = client.makeBidiStreamRequest<Partial<SynthesizeRequest>, Received>(
      legacyCallPath,
      (request) => Buffer.from(encodeRequest(request)),
      (bytes) => decodeResponse(bytes),
      metadata,
    );
    call = open;
    open.on('data', (received: Received) => {
      if (received.ok) handlers.onResponse(received.value);
      else handlers.onMalformed();
    });
    open.on('error', () => undefined);
    open.on('status', ({ code, details }) => end(code, details));
    for (const request of waiting) open.write(request);
    if (isFinished) open.end();
  };

  // A call waits for its connection for ever, so the connection is made first, with our own timeout.
  const deadline = Date.now() + connectMs;
  const connecting = client.getChannel();
  const watch = (): void => {
    if (isEnded) return;
    const state = connecting.getConnectivityState(true);
    if (state === connectivityState.READY) return begin();
    const isOver = state === connectivityState.TRANSIENT_FAILURE || state === connectivityState.SHUTDOWN;
    if (isOver) return end(unavailable, 'not connected');
    connecting.watchConnectivityState(state, deadline, (error) =>
      error === undefined ? watch() : end(unavailable, 'not connected'),
    );
  };
  setImmediate(watch);

  return {
    send(request: Partial<SynthesizeRequest>): boolean {
      if (isEnded || isFinished) return false;
      if (call === null) waiting.push(request);
      else call.write(request);
      return true;
    },
    finish(): void {
      isFinished = true;
      call?.end();
    },
    cut(): void {
      call?.cancel();
      end(cancelledStatus, 'cancelled here');
    },
  };
}

export type OpenCall = ReturnType<typeof openLegacyCall>;

/** Passed explicitly, so that no environment variable can replace them. */
const rootsOfNode = (): Buffer => Buffer.from(getCACertificates('default').join('\n'));

const cancelledStatus = 1;
const unavailable = 14;
