import { randomUUID } from 'node:crypto';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { FailureKind } from '../../shared/result/failure-kinds.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { endpoints, type EndpointName } from './endpoints.ts';
import {
  cleanedBy,
  openLiveConnection,
  type LiveContext,
  type LiveEnd,
  type LiveFrame,
  type LiveSocket,
} from './live-socket.ts';
import { PaidStream } from './paid.ts';
import { callErrorRow, callStatusRow, closeRow } from '../../shared/domain/failures/live-rows.ts';
import type { SynthesizeResponse } from '../../shared/wire/call-codec.ts';
import type { CallEnd, CallHandlers, OpenCall } from './grpc-call.ts';
import { provenProxy, ProxyFailed } from './proxy.ts';
import { connectionOf, callTarget, legacyStreamTarget } from './connection.ts';
import { readLegacyStreamMessage, type LegacyAudio } from './legacy.ts';

export interface LegacyTurn {
  readonly text: string;
  readonly speaker: 'happy' | 'cheerful' | 'neutral' | 'sad';
  readonly language: 'uz' | 'ru' | 'en';
  readonly speed?: number;
}

/** The audio of a turn: a complete WAV of 16 kHz. */
export interface LegacySpokenTurn {
  readonly wav: Uint8Array;
  readonly sampleRate: number | null;
  readonly durationMs: number | null;
  readonly characters: number | null;
}

const longestTurnMs = 120_000;

export interface TurnMessage extends Required<LegacyTurn> {
  readonly requestId: string;
}

export interface TurnCarrier {
  send(turn: TurnMessage): boolean;
  finish(): void;
  cut(): void;
}

export class TurnKeeper {
  readonly #context: LiveContext;
  readonly #route: EndpointName;
  readonly #carrier: TurnCarrier;
  readonly #ended = Promise.withResolvers<void>();
  #end: Failure | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #turn: { readonly requestId: string; readonly answer: (result: Result<LegacySpokenTurn>) => void } | null = null;

  constructor(context: LiveContext, route: EndpointName, carrier: TurnCarrier) {
    this.#context = context;
    this.#route = route;
    this.#carrier = carrier;
  }

  /** Waits for the earlier turns. After the end each turn fails with the reason of that end. */
  speak(turn: LegacyTurn): Promise<Result<LegacySpokenTurn>> {
    const spoken = this.#last.then(() => this.#speak(turn));
    this.#last = spoken;
    return spoken;
  }

  async #speak(turn: LegacyTurn): Promise<Result<LegacySpokenTurn>> {
    if (this.#end !== null) return err({ ...this.#end, outcome: 'not_sent' });
    const requestId = randomUUID();
    const { clock, ledger } = this.#context;
    const paid = new PaidStream(ledger, { id: requestId, route: this.#route, product: 'speak' });
    const { text, language, speed = 1 } = turn;
    const refusal = paid.begin({ characters: Array.from(text).length, language, speed });
    if (refusal !== null) return err(refusal);
    const spoken = await new Promise<Result<LegacySpokenTurn>>((resolve) => {
      const takeBack = clock.after(longestTurnMs, () =>
        this.stop(makeFailure('live-closed', { code: 'turn_timeout' })),
      );
      this.#turn = {
        requestId,
        answer: (result) => {
          takeBack();
          this.#turn = null;
          resolve(result);
        },
      };
      if (!this.#carrier.send({ ...turn, speed, requestId }))
        this.stop(makeFailure('live-closed', { code: 'not_open' }));
    });
    if (spoken.ok) paid.accept({ characters: spoken.value.characters, durationMs: spoken.value.durationMs }, requestId);
    else paid.fail(spoken.error);
    return spoken;
  }

  sound(requestId: string | null, audio: LegacySpokenTurn): void {
    if (this.#turn === null || (requestId !== null && requestId !== this.#turn.requestId)) return;
    const isWav = Buffer.from(audio.wav.subarray(0, 4)).toString('latin1') === 'RIFF' && audio.wav.length > 44;
    this.#turn.answer(isWav ? ok(audio) : err(makeFailure('audio-damaged', { code: 'damaged_wav' })));
  }

  error(requestId: string | null, row: FailureKind, code: string, details: string | undefined): void {
    if (requestId !== null && this.#turn !== null && requestId !== this.#turn.requestId) return;
    const failure = makeFailure(row, { code, details });
    if (this.#turn !== null) this.#turn.answer(err(failure));
    // An error outside a turn explains the end that follows it (live-closed-after-error).
    else this.#end ??= failure;
  }

  stop(failure: Failure): void {
    this.#end ??= failure;
    this.#turn?.answer(err(this.#end));
    this.#carrier.cut();
    this.#ended.resolve();
  }

  async end(): Promise<void> {
    await this.#last;
    if (this.#end === null) {
      this.#end = makeFailure('dictation-finished', { code: 'ended' });
      this.#carrier.finish();
    }
    await this.#ended.promise;
  }

  cut(): void {
    this.stop(makeFailure('live-closed-after-error', { code: 'cancelled', outcome: 'unknown', layer: 'local' }));
  }
}

/** The connection is made while the first turn waits, so its failure is the result of that turn. */
export async function openLegacyCallVoice(context: LiveContext): Promise<Result<TurnKeeper>> {
  const connection = connectionOf(context.connection);
  if (!connection.ok) return connection;
  const target = callTarget(connection.value, context.allowsLoopbackHttp);
  if (!target.ok) return target;
  const { upgradeMs } = context.limits;
  const proxy = await proxyFor(context, target.value.host, upgradeMs);
  if (!proxy.ok) return proxy;
  // Loaded on demand: the library is large, and most runs never need it.
  const { openLegacyCall } = await import('./grpc-call.ts');
  const talk = new Talk(context, cleanedBy([target.value.key]));
  talk.call = openLegacyCall(target.value, upgradeMs, talk, proxy.value);
  return ok(talk.keeper);
}

async function proxyFor({ proxyOf }: LiveContext, place: string, limitMs: number): Promise<Result<string | null>> {
  const [host = '', port = '443'] = place.split(':');
  try {
    return ok(proxyOf === undefined ? null : await provenProxy(proxyOf, { host, port: Number(port) }, limitMs));
  } catch (error) {
    const code = error instanceof ProxyFailed ? error.code : 'proxy_unreachable';
    return err(makeFailure('proxy-sign-in', { code, outcome: 'not_sent' }));
  }
}

class Talk implements CallHandlers {
  readonly #context: LiveContext;
  readonly #clean: (text: string | null) => string | undefined;
  readonly #startedAtMs: number;
  readonly keeper: TurnKeeper;
  call: OpenCall | null = null;
  #isFinished = false;
  #afterEnd: () => void = () => undefined;

  constructor(context: LiveContext, clean: (text: string | null) => string | undefined) {
    this.#context = context;
    this.#clean = clean;
    this.#startedAtMs = context.clock.monotonic();
    this.keeper = new TurnKeeper(context, 'legacy.speak.call', {
      send: ({ requestId, speaker, language, text, speed }) =>
        this.call?.send({ requestId, speakerId: speaker, language, text, speed }) ?? false,
      finish: () => {
        this.#isFinished = true;
        this.call?.send({ end: true });
        this.call?.finish();
        // The service should end the call; if it does not, we stop waiting.
        this.#afterEnd = context.clock.after(context.limits.closeMs, () => this.call?.cut());
      },
      cut: () => this.call?.cut(),
    });
  }

  onResponse({
    requestId,
    audioWav,
    sampleRate,
    durationSec,
    characters,
    errorCode,
    errorMessage,
  }: SynthesizeResponse): void {
    const turn = requestId === '' ? null : requestId;
    if (errorCode !== '') {
      const details = this.#clean(errorMessage);
      return this.keeper.error(turn, callErrorRow(errorCode.toLowerCase()), errorCode, details);
    }
    this.keeper.sound(turn, {
      wav: audioWav,
      sampleRate: sampleRate === 0 ? null : sampleRate,
      durationMs: durationSec === 0 ? null : Math.round(durationSec * 1000),
      characters: characters === 0 ? null : characters,
    });
  }

  onMalformed(): void {
    this.keeper.stop(makeFailure('live-refused', { code: 'malformed_message' }));
  }

  onEnd({ status, details, isSent }: CallEnd): void {
    this.#afterEnd();
    const failure = this.#failureOf(status, details, isSent);
    this.#context.log.write({
      event: 'stream-lost',
      level: status === 0 ? 'info' : 'warn',
      route: endpoints['legacy.speak.call'].path,
      code: failure.code,
      row: failure.row,
      ms: Math.round(this.#context.clock.monotonic() - this.#startedAtMs),
    });
    this.keeper.stop(failure);
  }

  #failureOf(status: number, details: string, isSent: boolean): Failure {
    if (status === 0)
      return makeFailure(this.#isFinished ? 'dictation-finished' : 'live-closed', { code: 'call_ended' });
    if (!isSent) return makeFailure('service-unreachable', { code: 'not_connected', outcome: 'not_sent' });
    return makeFailure(callStatusRow(status), { code: `grpc_${status}`, details: this.#clean(details) });
  }
}

const startMs = 5000;
/** A complete WAV for 1000 characters takes several megabytes. */
const maxFrameBytes = 32 * 1024 * 1024;

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
  const listening = new Listening(context, cleanedBy(target.value.secrets));
  const limits = { ...context.limits, maxFrameBytes: Math.max(context.limits.maxFrameBytes, maxFrameBytes) };
  const socket = await openLiveConnection({ ...context, limits }, target.value, 'legacy', listening, signal);
  return socket.ok ? listening.begin(socket.value) : socket;
}

class Listening {
  readonly #context: LiveContext;
  readonly #clean: (text: string | null) => string | undefined;
  readonly #started = Promise.withResolvers<Failure | null>();
  readonly #keeper: TurnKeeper;
  #socket: LiveSocket | null = null;
  #announced: LegacyAudio | null = null;
  #said: Failure | null = null;

  constructor(context: LiveContext, clean: (text: string | null) => string | undefined) {
    this.#context = context;
    this.#clean = clean;
    this.#keeper = new TurnKeeper(context, 'legacy.speak.stream', {
      send: (turn) => this.#socket?.send(JSON.stringify(messageOf(turn))) ?? false,
      finish: () => {
        this.#socket?.send(JSON.stringify({ type: 'end' }));
        // The service should close the socket; if it does not, we stop waiting.
        this.#afterEnd = context.clock.after(context.limits.closeMs, () => this.#socket?.close());
      },
      cut: () => this.#socket?.close(),
    });
  }

  #afterEnd: () => void = () => undefined;

  async begin(socket: LiveSocket): Promise<Result<TurnKeeper>> {
    this.#socket = socket;
    const takeBack = this.#context.clock.after(startMs, () =>
      this.#started.resolve(makeFailure('live-start-timeout', { code: 'no_session_started' })),
    );
    const failure = await this.#started.promise;
    takeBack();
    if (failure === null) return ok(this.#keeper);
    socket.close();
    return err(failure);
  }

  onFrame(frame: LiveFrame): void {
    if (frame.kind === 'bytes') {
      const announced = this.#announced;
      this.#announced = null;
      const { requestId = null, sampleRate = null, durationMs = null, characters = null } = announced ?? {};
      return this.#keeper.sound(requestId, { wav: frame.bytes, sampleRate, durationMs, characters });
    }
    const message = readLegacyStreamMessage(frame.text);
    switch (message.kind) {
      case 'started':
        return this.#started.resolve(null);
      case 'sound':
        this.#announced = message.sound;
        return;
      case 'error': {
        const row = callErrorRow(message.code);
        const details = this.#clean(message.message);
        this.#said = makeFailure(row, { code: message.code, details });
        this.#started.resolve(this.#said);
        return this.#keeper.error(message.requestId, row, message.code, details);
      }
      case 'unknown':
        return this.#context.log.write({ event: 'stream-message-passed-over', level: 'warn', code: 'unknown' });
    }
  }

  /** A final error frame takes precedence over the close code (live-closed-after-error). */
  onEnd({ code, why }: LiveEnd): void {
    this.#afterEnd();
    const row = why === 'silent' || why === 'unsent' ? 'live-aborted' : closeRow(code, why === 'ours');
    const failure = this.#said ?? makeFailure(row, { code: `close_${code}` });
    this.#started.resolve(failure);
    this.#keeper.stop(failure);
  }
}

const messageOf = ({ requestId, speaker, language, text, speed }: TurnMessage) => ({
  request_id: requestId,
  speaker_id: speaker,
  language,
  text,
  speed,
});
