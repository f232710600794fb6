import { callErrorRow, closeRow } from '../../../shared/domain/failures/live-rows.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { readLegacyStreamMessage, type LegacyAudio } from '../../../shared/wire/legacy/read-stream.ts';
import type { LiveEnd, LiveFrame, LiveSocket } from '../http/live-socket.ts';
import { legacyStreamTarget } from '../http/stream-address.ts';
import { cleanedBy, openLiveConnection, type LiveContext } from '../live/live-connection.ts';
import { TurnKeeper, type LegacyVoice, type TurnMessage } from './turns.ts';

const startMs = 5000;
/** A complete WAV for 1000 characters takes several megabytes. */
const maxFrameBytes = 32 * 1024 * 1024;

/**
 * The legacy live speech over a WebSocket (contract 4.15). The service accepts its key only in the address, so no
 * screen offers this: gRPC does the same without a key in an address (reliability S-35).
 */
export async function openLegacySocket(
  context: LiveContext,
  signal?: AbortSignal,
): Promise<Result<LegacyVoice, Failure>> {
  const connection = context.connection();
  if (connection === null) return err(makeFailure('E-235', { code: 'no_key', outcome: 'not_sent', layer: 'local' }));
  const endpoint = context.wire.endpoints['legacy.speak.stream'];
  const target = legacyStreamTarget(connection, endpoint, context.allowsLoopbackHttp);
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

  async begin(socket: LiveSocket): Promise<Result<LegacyVoice, Failure>> {
    this.#socket = socket;
    const takeBack = this.#context.clock.after(startMs, () =>
      this.#started.resolve(makeFailure('E-125', { code: 'no_session_started' })),
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
    const message = readLegacyStreamMessage(frame.text, this.#context.wire.aliases);
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

  /** A final error frame takes precedence over the close code (reliability E-145). */
  onEnd({ code, why }: LiveEnd): void {
    this.#afterEnd();
    const row = why === 'silent' || why === 'unsent' ? 'E-146' : closeRow(code, why === 'ours');
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
