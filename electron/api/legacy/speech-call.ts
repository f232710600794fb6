import { callErrorRow, callStatusRow } from '../../../shared/domain/failures/live-rows.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { legacyCallPath, type SynthesizeResponse } from '../../../shared/wire/legacy/call-codec.ts';
import type { CallEnd, CallHandlers, OpenCall } from './grpc-call.ts';
import { provenProxy, ProxyFailed } from '../http/tunnel.ts';
import { callTarget } from '../http/stream-address.ts';
import { cleanedBy, type LiveContext } from '../live/live-connection.ts';
import { TurnKeeper, type LegacyVoice } from './turns.ts';

/**
 * The legacy live speech over gRPC (contract 4.15): many turns over one call. The connection is made while the first
 * turn waits, so a connection failure is the result of that turn.
 */
export async function openLegacyCallVoice(context: LiveContext): Promise<Result<LegacyVoice, Failure>> {
  const connection = context.connection();
  if (connection === null) return err(makeFailure('E-235', { code: 'no_key', outcome: 'not_sent', layer: 'local' }));
  const target = callTarget(connection, context.allowsLoopbackHttp);
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

async function proxyFor(
  { proxyOf }: LiveContext,
  place: string,
  limitMs: number,
): Promise<Result<string | null, Failure>> {
  const [host = '', port = '443'] = place.split(':');
  try {
    return ok(proxyOf === undefined ? null : await provenProxy(proxyOf, { host, port: Number(port) }, limitMs));
  } catch (error) {
    const code = error instanceof ProxyFailed ? error.code : 'proxy_unreachable';
    return err(makeFailure('E-008', { code, outcome: 'not_sent' }));
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
    this.keeper.stop(makeFailure('E-142', { code: 'malformed_message' }));
  }

  onEnd({ status, details, isSent }: CallEnd): void {
    this.#afterEnd();
    const failure = this.#failureOf(status, details, isSent);
    this.#context.log.write({
      event: 'stream-lost',
      level: status === 0 ? 'info' : 'warn',
      route: legacyCallPath,
      code: failure.code,
      row: failure.row,
      ms: Math.round(this.#context.clock.monotonic() - this.#startedAtMs),
    });
    this.keeper.stop(failure);
  }

  #failureOf(status: number, details: string, isSent: boolean): Failure {
    if (status === 0) return makeFailure(this.#isFinished ? 'E-140' : 'E-141', { code: 'call_ended' });
    if (!isSent) return makeFailure('E-003', { code: 'not_connected', outcome: 'not_sent' });
    return makeFailure(callStatusRow(status), { code: `grpc_${status}`, details: this.#clean(details) });
  }
}
