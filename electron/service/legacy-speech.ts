import { randomUUID } from 'node:crypto';
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
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { callErrorRow, callStatusRow, closeRow } from '../../shared/domain/failures/live-rows.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import {
  decodeResponse,
  encodeRequest,
  legacyCallPath,
  type SynthesizeRequest,
  type SynthesizeResponse,
} from '../../shared/wire/call-codec.ts';
import { endpoints, type EndpointName } from './endpoints.ts';
import {
  cleanedBy,
  openReadyStream,
  readStreamError,
  readStreamMessage,
  type LiveContext,
  type LiveEnd,
  type LiveFrame,
  type LiveSocket,
} from './live-socket.ts';
import { openPaidStream } from './caller.ts';
import { provenProxy, ProxyFailed } from './proxy.ts';
import { connectionOf, callTarget, legacyStreamTarget, type CallTarget } from './connection.ts';
import { fieldsOf, msOfSeconds } from './values.ts';

interface LegacyTurn {
  readonly text: string;
  readonly speaker: 'happy' | 'cheerful' | 'neutral' | 'sad';
  readonly language: 'uz' | 'ru' | 'en';
  readonly speed?: number;
}

/** The audio of a turn: a complete WAV of 16 kHz. */
interface SpokenTurn {
  readonly wav: Uint8Array;
  readonly sampleRate: number | null;
  readonly durationMs: number | null;
  readonly characters: number | null;
}

interface TurnCarrier {
  send(turn: Required<LegacyTurn> & { readonly requestId: string }): boolean;
  finish(): void;
  cut(): void;
}

const longestTurnMs = 120_000;
/** A complete WAV for 1000 characters takes several megabytes. */
const maxMessageBytes = 32 * 1024 * 1024;

export type TurnKeeper = ReturnType<typeof createTurnKeeper>;

function createTurnKeeper({ clock, ledger }: LiveContext, route: EndpointName, carrier: TurnCarrier) {
  const ended = Promise.withResolvers<void>();
  let end: Failure | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let current: { readonly requestId: string; readonly answer: (result: Result<SpokenTurn>) => void } | null = null;

  const stop = (failure: Failure): void => {
    end ??= failure;
    current?.answer(err(end));
    carrier.cut();
    ended.resolve();
  };

  const speakNow = async ({ speed = 1, ...turn }: LegacyTurn): Promise<Result<SpokenTurn>> => {
    if (end !== null) return err({ ...end, outcome: 'not_sent' });
    const requestId = randomUUID();
    const paid = openPaidStream(ledger, { route, product: 'speak' }, requestId);
    const refusal = paid.begin({ characters: Array.from(turn.text).length, language: turn.language, speed });
    if (refusal !== null) return err(refusal);
    const { promise, resolve } = Promise.withResolvers<Result<SpokenTurn>>();
    const takeBack = clock.after(longestTurnMs, () => stop(makeFailure('live-closed', { code: 'turn_timeout' })));
    current = {
      requestId,
      answer: (result) => {
        takeBack();
        current = null;
        resolve(result);
      },
    };
    if (!carrier.send({ ...turn, speed, requestId })) stop(makeFailure('live-closed', { code: 'not_open' }));
    const spoken = await promise;
    if (!spoken.ok) paid.fail(spoken.error);
    else paid.accept({ characters: spoken.value.characters, durationMs: spoken.value.durationMs }, requestId);
    return spoken;
  };

  return {
    stop,
    /** Waits for the earlier turns. After the end each turn fails with the reason of that end. */
    speak(turn: LegacyTurn): Promise<Result<SpokenTurn>> {
      const spoken = last.then(() => speakNow(turn));
      last = spoken;
      return spoken;
    },
    sound(requestId: string | null, audio: SpokenTurn): void {
      if (current === null || (requestId !== null && requestId !== current.requestId)) return;
      const isWav = Buffer.from(audio.wav.subarray(0, 4)).toString('latin1') === 'RIFF' && audio.wav.length > 44;
      current.answer(isWav ? ok(audio) : err(makeFailure('audio-damaged', { code: 'damaged_wav' })));
    },
    error(requestId: string | null, failure: Failure): void {
      if (requestId !== null && current !== null && requestId !== current.requestId) return;
      if (current !== null) current.answer(err(failure));
      // An error outside a turn explains the end that follows it (live-closed-after-error).
      else end ??= failure;
    },
    async end(): Promise<void> {
      await last;
      if (end === null) {
        end = makeFailure('dictation-finished', { code: 'ended' });
        carrier.finish();
      }
      await ended.promise;
    },
    cut: (): void =>
      stop(makeFailure('live-closed-after-error', { code: 'cancelled', outcome: 'unknown', layer: 'local' })),
  };
}

/** The connection is made while the first turn waits, so its failure is the result of that turn. */
export async function openLegacyCallVoice(context: LiveContext): Promise<Result<TurnKeeper>> {
  const connection = connectionOf(context.connection);
  if (!connection.ok) return connection;
  const target = callTarget(connection.value, context.allowsLoopbackHttp);
  if (!target.ok) return target;
  const [host = '', port = '443'] = target.value.host.split(':');
  const { proxyOf, limits } = context;
  let proxy: string | null = null;
  try {
    if (proxyOf !== undefined) proxy = await provenProxy(proxyOf, { host, port: Number(port) }, limits.upgradeMs);
  } catch (error) {
    const code = error instanceof ProxyFailed ? error.code : 'proxy_unreachable';
    return err(makeFailure('proxy-sign-in', { code, outcome: 'not_sent' }));
  }
  return ok(openCall(context, target.value, proxy));
}

const keepaliveMs = 10_000;
const cancelledStatus = 1;
const unavailable = 14;

type Received = ReturnType<typeof decodeResponse>;

/**
 * The key travels in the metadata, which no log or address shows. Certificates are always checked against Node's roots;
 * plain text is for this computer only. Neither a proxy nor a root file is taken from the environment: `proxy` is the
 * configured one (`host:port` of an HTTP proxy), null for direct.
 */
function openCall(context: LiveContext, target: CallTarget, proxy: string | null): TurnKeeper {
  const { clock, limits, log } = context;
  const startedAtMs = clock.monotonic();
  const clean = cleanedBy([target.key]);
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
  let call: ClientDuplexStream<Partial<SynthesizeRequest>, Received> | null = null;
  const waiting: Partial<SynthesizeRequest>[] = [];
  let isEnded = false;
  let isFinished = false;
  let afterEnd = (): void => undefined;

  const failureOf = (status: number, details: string): Failure => {
    if (status === 0) return makeFailure(isFinished ? 'dictation-finished' : 'live-closed', { code: 'call_ended' });
    if (call === null) return makeFailure('service-unreachable', { code: 'not_connected', outcome: 'not_sent' });
    return makeFailure(callStatusRow(status), { code: `grpc_${status}`, details: clean(details) });
  };
  const end = (status: number, details: string): void => {
    if (isEnded) return;
    isEnded = true;
    client.close();
    afterEnd();
    const failure = failureOf(status, details);
    log.write({
      event: 'stream-lost',
      level: status === 0 ? 'info' : 'warn',
      route: endpoints['legacy.speak.call'].path,
      code: failure.code,
      row: failure.row,
      ms: Math.round(clock.monotonic() - startedAtMs),
    });
    keeper.stop(failure);
  };
  const cut = (): void => {
    call?.cancel();
    end(cancelledStatus, 'cancelled here');
  };
  const send = (request: Partial<SynthesizeRequest>): boolean => {
    if (isEnded || isFinished) return false;
    if (call === null) waiting.push(request);
    else call.write(request);
    return true;
  };
  const keeper = createTurnKeeper(context, 'legacy.speak.call', {
    send: ({ speaker, ...turn }) => send({ ...turn, speakerId: speaker }),
    finish: () => {
      send({ end: true });
      isFinished = true;
      call?.end();
      // The service should end the call; if it does not, we stop waiting.
      afterEnd = clock.after(limits.closeMs, cut);
    },
    cut,
  });

  const take = ({ requestId, errorCode, errorMessage, ...audio }: SynthesizeResponse): void => {
    const turn = requestId === '' ? null : requestId;
    if (errorCode !== '') {
      const row = callErrorRow(errorCode.toLowerCase());
      return keeper.error(turn, makeFailure(row, { code: errorCode, details: clean(errorMessage) }));
    }
    const { audioWav, sampleRate, durationSec, characters } = audio;
    return keeper.sound(turn, {
      wav: audioWav,
      sampleRate: sampleRate === 0 ? null : sampleRate,
      durationMs: durationSec === 0 ? null : msOfSeconds(durationSec),
      characters: characters === 0 ? null : characters,
    });
  };
  const begin = (): void => {
    const open = client.makeBidiStreamRequest<Partial<SynthesizeRequest>, Received>(
      legacyCallPath,
      (request) => Buffer.from(encodeRequest(request)),
      (bytes) => decodeResponse(bytes),
      metadata,
    );
    call = open;
    open.on('data', (received: Received) => {
      if (received.ok) take(received.value);
      else keeper.stop(makeFailure('live-refused', { code: 'malformed_message' }));
    });
    open.on('error', () => undefined);
    open.on('status', ({ code, details }) => end(code, details));
    for (const request of waiting) open.write(request);
    if (isFinished) open.end();
  };

  // A call waits for its connection for ever, so the connection is made first, with our own timeout.
  const deadline = Date.now() + limits.upgradeMs;
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
  return keeper;
}

/** Passed explicitly, so that no environment variable can replace them. */
const rootsOfNode = (): Buffer => Buffer.from(getCACertificates('default').join('\n'));

/**
 * The legacy live speech over a WebSocket (contract 4.15). The service accepts its key only in the address, so no
 * screen offers this: gRPC does the same without a key in an address (reliability S-35).
 */
export async function openLegacySocket(context: LiveContext, signal?: AbortSignal): Promise<Result<TurnKeeper>> {
  const connection = connectionOf(context.connection);
  if (!connection.ok) return connection;
  const endpoint = endpoints['legacy.speak.stream'];
  const target = legacyStreamTarget(connection.value, endpoint, context.allowsLoopbackHttp);
  if (!target.ok) return target;
  const listener = listen(context, cleanedBy(target.value.secrets));
  const limits = { ...context.limits, maxFrameBytes: Math.max(context.limits.maxFrameBytes, maxMessageBytes) };
  const late = makeFailure('live-start-timeout', { code: 'no_session_started' });
  const socket = await openReadyStream({ ...context, limits }, target.value, 'legacy', listener, late, signal);
  return socket.ok ? ok(listener.begin(socket.value)) : socket;
}

function listen(context: LiveContext, clean: (text: string | null) => string | undefined) {
  const { clock, limits, log } = context;
  const ready = Promise.withResolvers<Failure | null>();
  const unannounced = { requestId: null, sampleRate: null, durationMs: null, characters: null };
  /** The metadata of a turn's audio, which precede the audio itself. */
  let announced: Omit<SpokenTurn, 'wav'> & { readonly requestId: string | null } = unannounced;
  let socket: LiveSocket | null = null;
  let said: Failure | null = null;
  let afterEnd = (): void => undefined;
  const keeper = createTurnKeeper(context, 'legacy.speak.stream', {
    send: ({ requestId, speaker, ...turn }) =>
      socket?.say({ request_id: requestId, speaker_id: speaker, ...turn }) ?? false,
    finish: () => {
      socket?.say({ type: 'end' });
      // The service should close the socket; if it does not, we stop waiting.
      afterEnd = clock.after(limits.closeMs, () => socket?.close());
    },
    cut: () => socket?.close(),
  });
  const read = (frame: string): void => {
    const { name, body } = readStreamMessage(frame) ?? { name: '', body: {} };
    const { id, count } = fieldsOf(body);
    const requestId = id('request_id');
    if (name === 'session_started') return ready.resolve(null);
    if (name === 'error') {
      const { code, message } = readStreamError(body);
      said = makeFailure(callErrorRow(code), { code, details: clean(message) });
      ready.resolve(said);
      return keeper.error(requestId, said);
    }
    if (name !== 'audio') return log.write({ event: 'stream-message-passed-over', level: 'warn', code: 'unknown' });
    const durationMs = msOfSeconds(count('duration_sec'));
    announced = { requestId, sampleRate: count('sample_rate'), durationMs, characters: count('characters') };
  };
  return {
    ready,
    begin(opened: LiveSocket): TurnKeeper {
      socket = opened;
      return keeper;
    },
    onFrame(frame: LiveFrame): void {
      if (frame.kind === 'text') return read(frame.text);
      const { requestId, ...audio } = announced;
      announced = unannounced;
      return keeper.sound(requestId, { wav: frame.bytes, ...audio });
    },
    /** A final error frame takes precedence over the close code (live-closed-after-error). */
    onEnd({ code, why }: LiveEnd): void {
      afterEnd();
      const row = why === 'silent' || why === 'unsent' ? 'live-aborted' : closeRow(code, why === 'ours');
      const failure = said ?? makeFailure(row, { code: `close_${code}` });
      ready.resolve(failure);
      keeper.stop(failure);
    },
  };
}
