import { randomUUID } from 'node:crypto';
import { speechCodeRow } from '../../shared/domain/failures/live-rows.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { endpoints } from './endpoints.ts';
import { readSpeechMessage, type StreamFormat } from './stream-messages.ts';
import { openPart, type PartFile } from './download.ts';
import {
  cleanedBy,
  openLiveConnection,
  type LiveEnd,
  type LiveFrame,
  type LiveSocket,
  type LiveContext,
} from './live-socket.ts';
import { connectionOf, keyTarget, ticketTarget, type TicketApi } from './connection.ts';
import { PaidStream } from './paid.ts';
import { wavHeader, wavHeaderBytes } from '../../shared/domain/media/wav-header.ts';

/** Audio of the live stream of speech: 16-bit little-endian, mono (contract 4.5); a WAV in it tells its own rate. */
export const speechRate = 24_000;

export interface SpeechStreamInput {
  readonly text: string;
  readonly language: string;
  readonly voiceId: string;
  readonly speed: number;
  readonly target: string;
  /** While its promise is open nothing more is read, so a slow player slows the stream and not the memory. */
  readonly onAudio?: (pcm: Uint8Array) => Promise<void> | void;
  readonly signal?: AbortSignal;
}

/** `cut`: audio arrived and then something failed. What arrived is in the file and was probably charged. */
export type StreamedSpeech =
  | {
      readonly kind: 'made';
      readonly durationMs: number;
      readonly firstAudioMs: number;
      readonly characters: number | null;
    }
  | { readonly kind: 'cut'; readonly durationMs: number; readonly firstAudioMs: number; readonly failure: Failure };

const silence = { firstMs: 30_000, betweenMs: 30_000 } as const;
const readyMs = 5000;
const largestBytes = 2 * 1024 ** 3;
const highWaterBytes = 256 * 1024;

/** live-speech-unavailable: nothing was sent, an ordinary request can follow. live-speech-cut: may be charged. */
export async function streamSpeech(
  context: LiveContext,
  tickets: TicketApi,
  input: SpeechStreamInput,
): Promise<Result<StreamedSpeech>> {
  const connection = connectionOf(context.connection);
  if (!connection.ok) return connection;
  const opened = await openPart(input.target, largestBytes, wavHeader(0, speechRate));
  if (!opened.ok) return opened;
  const part = opened.value;
  try {
    const ticket = await tickets.ticket('tts', input.signal);
    const endpoint = endpoints['speak.stream'];
    // A service without the ticket route accepts the key itself at the handshake.
    if (!ticket.ok && ticket.error.kind !== 'not-offered' && ticket.error.kind !== 'incompatible') return ticket;
    const target = ticket.ok
      ? ticketTarget(connection.value, endpoint, ticket.value, context.allowsLoopbackHttp)
      : keyTarget(connection.value, endpoint, context.allowsLoopbackHttp);
    if (!target.ok) return target;
    const listening = new Listening(context, input, part, cleanedBy(target.value.secrets));
    const socket = await openLiveConnection(context, target.value, undefined, listening, input.signal);
    if (socket.ok) return await listening.speak(socket.value);
    const { kind, code } = socket.error;
    return ['not-offered', 'incompatible', 'live-dropped'].includes(kind)
      ? err(makeFailure('live-speech-unavailable', { code }))
      : socket;
  } finally {
    await part.discard();
  }
}

class Listening {
  readonly #context: LiveContext;
  readonly #input: SpeechStreamInput;
  readonly #part: PartFile;
  readonly #clean: (text: string | null) => string | undefined;
  readonly #ready = Promise.withResolvers<Failure | null>();
  readonly #over = Promise.withResolvers<Failure | null>();
  readonly #paid: PaidStream;
  #socket: LiveSocket | null = null;
  #keeping: Promise<void> = Promise.resolve();
  #waitingBytes = 0;
  #audioBytes = 0;
  #rate: number = speechRate;
  #half = Buffer.alloc(0);
  #askedAtMs = 0;
  #firstAudioMs: number | null = null;
  #characters: number | null = null;
  #isOver = false;
  #endSilence: () => void = () => undefined;

  constructor(
    context: LiveContext,
    input: SpeechStreamInput,
    part: PartFile,
    clean: (text: string | null) => string | undefined,
  ) {
    this.#context = context;
    this.#input = input;
    this.#part = part;
    this.#clean = clean;
    this.#paid = new PaidStream(context.ledger, { id: randomUUID(), route: 'speak.stream', product: 'speak' });
  }

  async speak(socket: LiveSocket): Promise<Result<StreamedSpeech>> {
    this.#socket = socket;
    const takeBack = this.#context.clock.after(readyMs, () => this.#ready.resolve(this.#broken('no_ready')));
    const trouble = (await this.#ready.promise) ?? this.#ask(socket);
    takeBack();
    if (trouble !== null) {
      socket.close();
      return err(trouble);
    }
    const failure = await this.#over.promise;
    this.#endSilence();
    socket.close();
    // The caller cancelled, and an abandoned player can't be waited for.
    if (failure !== null && this.#input.signal?.aborted === true) {
      this.#paid.fail(failure);
      return err(failure);
    }
    // Audio that arrived before any other end is kept.
    const kept = await this.#keeping.then(
      () => null,
      () => makeFailure('disk-space-short', { code: 'target_not_writable', outcome: 'unknown' }),
    );
    return this.#finish(kept ?? failure);
  }

  #ask(socket: LiveSocket): Failure | null {
    const { text, language, voiceId, speed } = this.#input;
    const refusal = this.#paid.begin({ characters: Array.from(text).length, language, speed, isStreamed: true });
    if (refusal !== null) return refusal;
    this.#askedAtMs = this.#context.clock.monotonic();
    this.#restartSilence(silence.firstMs);
    const say = (message: object): boolean => socket.send(JSON.stringify(message));
    say({
      type: 'start',
      language,
      voice_id: voiceId,
      speed,
      audio_format: 'pcm_s16le',
      sample_rate: speechRate,
      channels: 1,
    });
    say({ type: 'text', text });
    say({ type: 'commit' });
    return null;
  }

  #restartSilence(ms: number): void {
    this.#endSilence();
    this.#endSilence = this.#context.clock.after(ms, () => this.#stop(this.#broken('receive_stalled')));
  }

  #stop(failure: Failure | null): void {
    this.#isOver = true;
    this.#ready.resolve(failure ?? this.#broken('ended_before_ready'));
    this.#over.resolve(failure);
  }

  #broken(code: string): Failure {
    return makeFailure(this.#askedAtMs === 0 ? 'live-speech-unavailable' : 'live-speech-cut', { code });
  }

  onFrame(frame: LiveFrame): void {
    if (this.#isOver) return;
    if (frame.kind === 'bytes') return this.#take(frame.bytes);
    const message = readSpeechMessage(frame.text);
    switch (message.kind) {
      case 'ready':
        return this.#judge(message.format);
      case 'sound':
        return this.#take(Buffer.from(message.base64, 'base64'));
      case 'done':
        this.#characters = message.characters;
        return this.#stop(null);
      case 'error': {
        const row = speechCodeRow(message.code);
        const facts = { code: message.code, details: this.#clean(message.message) };
        return this.#stop(
          makeFailure(row === 'product-unavailable' && this.#audioBytes > 0 ? 'live-speech-cut' : row, facts),
        );
      }
      case 'note':
      case 'unknown':
        return;
    }
  }

  #judge({ audioFormat, sampleRate, channels }: StreamFormat): void {
    const isOurs =
      (audioFormat ?? 'pcm_s16le').startsWith('pcm') &&
      (sampleRate ?? speechRate) === speechRate &&
      (channels ?? 1) === 1;
    if (isOurs) this.#ready.resolve(null);
    else this.#stop(this.#broken('other_audio_format'));
  }

  #take(frame: Buffer): void {
    if (this.#askedAtMs === 0) return this.#stop(this.#broken('sound_before_start'));
    const sound = soundOf(frame, this.#rate);
    if (sound === null || (this.#audioBytes > 0 && sound.rate !== this.#rate))
      return this.#stop(this.#broken('other_audio_format'));
    const { bytes, rate } = sound;
    this.#rate = rate;
    this.#firstAudioMs ??= this.#context.clock.monotonic() - this.#askedAtMs;
    this.#restartSilence(silence.betweenMs);
    const joined = this.#half.length === 0 ? bytes : Buffer.concat([this.#half, bytes]);
    const whole = joined.subarray(0, joined.length - (joined.length % 2));
    this.#half = Buffer.from(joined.subarray(whole.length));
    if (whole.length === 0) return;
    if (this.#audioBytes + whole.length + wavHeaderBytes > largestBytes)
      return this.#stop(makeFailure('answer-too-large', { code: 'response_too_large' }));
    this.#audioBytes += whole.length;
    this.#waitingBytes += whole.length;
    if (this.#waitingBytes > highWaterBytes) this.#hold();
    this.#keeping = this.#keeping.then(async () => {
      await this.#part.taker.write(whole);
      await this.#input.onAudio?.(whole);
      this.#waitingBytes -= whole.length;
      if (this.#waitingBytes <= highWaterBytes / 2) this.#letGo();
    });
    // A full disk ends the stream at once; whoever awaits `#keeping` gets the failure.
    this.#keeping.catch(() => this.#stop(null));
  }

  #hold(): void {
    this.#endSilence();
    this.#socket?.pause();
  }

  #letGo(): void {
    if (this.#isOver) return;
    this.#socket?.resume();
    this.#restartSilence(silence.betweenMs);
  }

  onEnd({ code, why }: LiveEnd): void {
    if (why === 'ours' && this.#input.signal?.aborted)
      return this.#stop(
        makeFailure(this.#askedAtMs === 0 ? 'connection-slow' : 'live-speech-cut', {
          code: 'cancelled',
          outcome: this.#askedAtMs === 0 ? 'not_sent' : 'unknown',
          layer: 'local',
        }),
      );
    if (why === 'silent' || why === 'unsent') return this.#stop(this.#broken('ping_unanswered'));
    // A normal close after audio without a last message: the protocol is undocumented, so this may be its regular end.
    const isQuietEnd = code === 1000 && this.#audioBytes > 0;
    this.#stop(isQuietEnd ? null : this.#broken(`close_${code}`));
  }

  async #finish(ended: Failure | null): Promise<Result<StreamedSpeech>> {
    // What was heard may be charged, whatever the service says afterwards.
    const failure = ended !== null && this.#audioBytes > 0 ? { ...ended, outcome: 'unknown' as const } : ended;
    if (failure === null) this.#paid.accept({ characters: this.#characters });
    else this.#paid.fail(failure);
    if (this.#audioBytes === 0 || failure?.kind === 'disk-space-short') return err(failure ?? this.#broken('no_sound'));
    const durationMs = Math.round(this.#audioBytes / ((this.#rate * 2) / 1000));
    const firstAudioMs = Math.round(this.#firstAudioMs ?? 0);
    const unwritten = await this.#part.finish(wavHeader(this.#audioBytes, this.#rate));
    if (unwritten !== null) return err({ ...unwritten, outcome: 'accepted' });
    return ok(
      failure === null
        ? { kind: 'made', durationMs, firstAudioMs, characters: this.#characters }
        : { kind: 'cut', durationMs, firstAudioMs, failure },
    );
  }
}

/** The samples of a frame: raw, or those of a whole WAV as the legacy stream sends them; null: not 16-bit mono. */
function soundOf(frame: Buffer, rate: number): { readonly bytes: Buffer; readonly rate: number } | null {
  if (frame.toString('latin1', 0, 4) !== 'RIFF' || frame.toString('latin1', 8, 12) !== 'WAVE')
    return { bytes: frame, rate };
  const format = frame.indexOf('fmt ', 12, 'latin1') + 8;
  const data = frame.indexOf('data', format, 'latin1');
  if (format < 20 || data < format + 16 || frame.length < data + 8) return null;
  if (frame.readUInt16LE(format + 2) !== 1 || frame.readUInt16LE(format + 14) !== 16) return null;
  return { bytes: frame.subarray(data + 8), rate: frame.readUInt32LE(format + 4) };
}
