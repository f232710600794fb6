import { speechCodeRow } from '../../shared/domain/failures/live-rows.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { endpoints } from './endpoints.ts';
import { openPart, type PartFile } from './download.ts';
import {
  cleanedBy,
  isFormatOurs,
  openReadyStream,
  readStreamError,
  readStreamMessage,
  readyNames,
  type LiveEnd,
  type LiveFrame,
  type LiveSocket,
  type LiveContext,
} from './live-socket.ts';
import { connectionOf, keyTarget, ticketTarget, type TicketApi } from './connection.ts';
import { openPaidStream } from './caller.ts';
import type { SpeechInput } from './speak.ts';
import { asFilledText, fieldsOf, pick } from './values.ts';
import { wavHeader, wavHeaderBytes } from '../../shared/domain/media/wav-header.ts';

/** Audio of the live stream of speech: 16-bit little-endian, mono (contract 4.5); a WAV in it tells its own rate. */
const speechRate = 24_000;

export interface SpeechStreamInput extends Omit<SpeechInput, 'idempotencyKey' | 'listen'> {
  /** While its promise is open nothing more is read, so a slow player slows the stream and not the memory. */
  readonly onAudio?: (pcm: Uint8Array) => Promise<void> | void;
}

/** `cut`: audio arrived and then something failed. What arrived is in the file and was probably charged. */
export type StreamedSpeech = { readonly durationMs: number; readonly firstAudioMs: number } & (
  | { readonly kind: 'made'; readonly characters: number | null }
  | { readonly kind: 'cut'; readonly failure: Failure }
);

const silenceMs = 30_000;
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
    const listener = listen(context, input, part, cleanedBy(target.value.secrets));
    const late = makeFailure('live-speech-unavailable', { code: 'no_ready' });
    const socket = await openReadyStream(context, target.value, undefined, listener, late, input.signal);
    if (socket.ok) return await listener.speak(socket.value);
    const { kind, code } = socket.error;
    return ['not-offered', 'incompatible', 'live-dropped'].includes(kind)
      ? err(makeFailure('live-speech-unavailable', { code }))
      : socket;
  } finally {
    await part.discard();
  }
}

const doneNames = new Set(['final', 'done', 'end', 'ended', 'completed', 'complete', 'finished', 'stream_end']);
const audioNames = ['audio', 'audio_base64', 'data', 'chunk'];

function listen(
  { clock, ledger }: LiveContext,
  { text, language, voiceId, speed, onAudio, signal }: SpeechStreamInput,
  part: PartFile,
  clean: (text: string | null) => string | undefined,
) {
  const ready = Promise.withResolvers<Failure | null>();
  const over = Promise.withResolvers<Failure | null>();
  const paid = openPaidStream(ledger, { route: 'speak.stream', product: 'speak' });
  let socket: LiveSocket | null = null;
  let keeping = Promise.resolve();
  let waitingBytes = 0;
  let audioBytes = 0;
  let rate: number = speechRate;
  let half = Buffer.alloc(0);
  let askedAtMs = 0;
  let firstAudioMs: number | null = null;
  let characters: number | null = null;
  let isOver = false;
  let endSilence = (): void => undefined;

  const broken = (code: string): Failure =>
    makeFailure(askedAtMs === 0 ? 'live-speech-unavailable' : 'live-speech-cut', { code });
  const stop = (failure: Failure | null): void => {
    isOver = true;
    ready.resolve(failure ?? broken('ended_before_ready'));
    over.resolve(failure);
  };
  const restartSilence = (): void => {
    endSilence();
    endSilence = clock.after(silenceMs, () => stop(broken('receive_stalled')));
  };

  const take = (frame: Buffer): void => {
    if (askedAtMs === 0) return stop(broken('sound_before_start'));
    const sound = soundOf(frame, rate);
    if (sound === null || (audioBytes > 0 && sound.rate !== rate)) return stop(broken('other_audio_format'));
    ({ rate } = sound);
    firstAudioMs ??= clock.monotonic() - askedAtMs;
    restartSilence();
    const joined = Buffer.concat([half, sound.bytes]);
    const whole = joined.subarray(0, joined.length - (joined.length % 2));
    half = Buffer.from(joined.subarray(whole.length));
    if (whole.length === 0) return;
    if (audioBytes + whole.length + wavHeaderBytes > largestBytes)
      return stop(makeFailure('answer-too-large', { code: 'response_too_large' }));
    audioBytes += whole.length;
    waitingBytes += whole.length;
    if (waitingBytes > highWaterBytes) {
      endSilence();
      socket?.pause();
    }
    keeping = keeping.then(async () => {
      await part.taker.write(whole);
      await onAudio?.(whole);
      waitingBytes -= whole.length;
      if (waitingBytes > highWaterBytes / 2 || isOver) return;
      socket?.resume();
      restartSilence();
    });
    // A full disk ends the stream at once; whoever awaits `keeping` gets the failure.
    keeping.catch(() => stop(null));
  };

  /** By the assumption `speech-stream` and by the documented legacy one; what has no consequence is passed over. */
  const read = (frame: string): void => {
    const message = readStreamMessage(frame);
    if (message === null) return;
    const { name, body } = message;
    if (name === 'error') {
      const error = readStreamError(body);
      const row = speechCodeRow(error.code);
      const facts = { code: error.code, details: clean(error.message) };
      return stop(makeFailure(row === 'product-unavailable' && audioBytes > 0 ? 'live-speech-cut' : row, facts));
    }
    if (readyNames.has(name))
      return isFormatOurs(body, /^pcm/iu, speechRate) ? ready.resolve(null) : stop(broken('other_audio_format'));
    if (doneNames.has(name)) {
      characters = fieldsOf(body).count('characters', 'character_count');
      return stop(null);
    }
    const base64 = pick(body, audioNames, asFilledText) ?? '';
    return base64.length >= 4 && /^[A-Za-z0-9+/]+={0,2}$/u.test(base64)
      ? take(Buffer.from(base64, 'base64'))
      : undefined;
  };

  const finish = async (ended: Failure | null): Promise<Result<StreamedSpeech>> => {
    // What was heard may be charged, whatever the service says afterwards.
    const failure = ended !== null && audioBytes > 0 ? { ...ended, outcome: 'unknown' as const } : ended;
    if (failure === null) paid.accept({ characters });
    else paid.fail(failure);
    if (audioBytes === 0 || failure?.kind === 'disk-space-short') return err(failure ?? broken('no_sound'));
    const times = {
      durationMs: Math.round(audioBytes / ((rate * 2) / 1000)),
      firstAudioMs: Math.round(firstAudioMs ?? 0),
    };
    const unwritten = await part.finish(wavHeader(audioBytes, rate));
    if (unwritten !== null) return err({ ...unwritten, outcome: 'accepted' });
    return ok(failure === null ? { kind: 'made', ...times, characters } : { kind: 'cut', ...times, failure });
  };

  return {
    ready,
    async speak(opened: LiveSocket): Promise<Result<StreamedSpeech>> {
      socket = opened;
      const refusal = paid.begin({ characters: Array.from(text).length, language, speed, isStreamed: true });
      if (refusal !== null) {
        opened.close();
        return err(refusal);
      }
      askedAtMs = clock.monotonic();
      restartSilence();
      const format = { audio_format: 'pcm_s16le', sample_rate: speechRate, channels: 1 };
      opened.say({ type: 'start', language, voice_id: voiceId, speed, ...format });
      opened.say({ type: 'text', text });
      opened.say({ type: 'commit' });
      const failure = await over.promise;
      endSilence();
      opened.close();
      // The caller cancelled, and an abandoned player can't be waited for.
      if (failure !== null && signal?.aborted === true) {
        paid.fail(failure);
        return err(failure);
      }
      // Audio that arrived before any other end is kept.
      const kept = await keeping.then(
        () => null,
        () => makeFailure('disk-space-short', { code: 'target_not_writable', outcome: 'unknown' }),
      );
      return finish(kept ?? failure);
    },

    onFrame(frame: LiveFrame): void {
      if (isOver) return;
      if (frame.kind === 'bytes') take(frame.bytes);
      else read(frame.text);
    },

    onEnd({ code, why }: LiveEnd): void {
      const isAsked = askedAtMs > 0;
      if (why === 'ours' && signal?.aborted) {
        const facts = { code: 'cancelled', outcome: isAsked ? 'unknown' : 'not_sent', layer: 'local' } as const;
        return stop(makeFailure(isAsked ? 'live-speech-cut' : 'connection-slow', facts));
      }
      if (why === 'silent' || why === 'unsent') return stop(broken('ping_unanswered'));
      // A normal close after audio without a last message: the protocol is undocumented, so this may be its regular end.
      return stop(code === 1000 && audioBytes > 0 ? null : broken(`close_${code}`));
    },
  };
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
