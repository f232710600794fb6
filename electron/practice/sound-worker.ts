import { open } from 'node:fs/promises';
import { z } from 'zod';
import { Undecodable, type PcmBlock, type UndecodableCode } from '../../shared/domain/audio/pcm-block.ts';
import { Resampler } from '../../shared/domain/media/resample.ts';
import { convertFile } from '../audio/cut-audio.ts';
import { openAudio } from '../audio/decode/open-audio.ts';
import { refuseTooMuch } from '../audio/decode/opened-audio.ts';
import { findSpeech, type Span } from '../recogniser/find-speech.ts';
import { LoudnessTrack } from '../recogniser/loudness-track.ts';
import { isInRole, serveThread, WorkThread } from '../threads/work-thread.ts';
import { suppressFile } from './suppress-file.ts';

/** Passed as `workerData`, so that one bundle can be both the server and its threads. */
const role = { role: 'practice-sound' } as const;

/** Work on sound, which happens in threads and never in the one that serves HTTP. */
const request = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('measure'), path: z.string(), stopAfterMs: z.number().optional() }),
  z.object({ kind: z.literal('hear-voice'), path: z.string(), mostMs: z.number() }),
  z.object({ kind: z.literal('suppress'), path: z.string(), outputPath: z.string(), restores: z.boolean() }),
  z.object({
    kind: z.literal('convert'),
    path: z.string(),
    outputPath: z.string(),
    format: z.enum(['flac', 'mp3', 'ogg']),
  }),
]);
type SoundRequest = Readonly<z.input<typeof request>>;

/** `peak` and `rms` of all samples and channels; 1 is full scale. */
export interface Measured extends Omit<ReturnType<LoudnessTrack['finish']>, 'loudnessDb'> {
  readonly container: string;
  readonly codec: string;
  readonly speech: readonly Span[];
}

/** `pitchHz` is null when nothing voiced was heard. */
export interface HeardVoice {
  readonly kind: 'heard';
  readonly durationMs: number;
  readonly speech: readonly Span[];
  readonly pitchHz: number | null;
}

export interface Unusable {
  readonly kind: 'undecodable';
  readonly code: UndecodableCode;
  readonly detail: string;
}

/** `longer`: there is more than was asked for; nothing else is known. `lost`: the thread did not survive the work. */
export type SoundOutcome =
  | { readonly kind: 'measured'; readonly sound: Measured }
  | HeardVoice
  | { readonly kind: 'done' }
  | { readonly kind: 'longer' }
  | Unusable
  | { readonly kind: 'lost' };

/** One thread. A decoder that crashes it costs only the current file; the next one gets a new thread. */
export const openSoundThread = (workerUrl: URL, silenceLimitMs: number): SoundThread =>
  new WorkThread<SoundRequest, SoundOutcome>({
    workerUrl,
    workerData: role,
    silenceLimitMs,
    lost: () => ({ kind: 'lost' }),
  });
export type SoundThread = WorkThread<SoundRequest, SoundOutcome>;

/** Decodes a file as a stream; null: it has more audio than `mostMs`. */
async function decode(path: string, mostMs: number, onBlock: (block: PcmBlock) => void): Promise<Measured | null> {
  const file = await open(path, 'r');
  try {
    const { blocks, container, codec } = await openAudio(file, path);
    const track = new LoudnessTrack();
    for await (const block of blocks) {
      track.add(block);
      refuseTooMuch(track.durationMs / 1000, block.sampleRate * block.channels.length);
      onBlock(block);
      if (track.durationMs > mostMs) return null;
    }
    const { loudnessDb, ...totals } = track.finish();
    if (totals.durationMs === 0) throw new Undecodable('invalid_audio', 'no sound could be decoded');
    return { container, codec, ...totals, speech: findSpeech(loudnessDb, totals.durationMs) };
  } finally {
    await file.close();
  }
}

/** Measures a whole file, or gives up with `longer` as soon as there is more audio than `stopAfterMs`. */
export async function analyse(
  path: string,
  stopAfterMs = Infinity,
  sign: () => void = () => undefined,
): Promise<SoundOutcome> {
  try {
    const sound = await decode(path, stopAfterMs, () => sign());
    return sound === null ? { kind: 'longer' } : { kind: 'measured', sound };
  } catch (error) {
    return unusable(error);
  }
}

function unusable(error: unknown): Unusable {
  const code = error instanceof Undecodable ? error.code : 'invalid_audio';
  return { kind: 'undecodable', code, detail: error instanceof Error ? error.message : 'unknown trouble' };
}

const rate = 16_000;
/** Long enough for two periods of the deepest voice. */
const frameLength = 1024;
const pitchRange = { least: 65, most: 400 };
/** How similar one period and the next must be. */
const leastPeriodicity = 0.6;

/** Pitch in one frame, by its similarity to itself one period later; null: unvoiced. */
function pitchAt(samples: Float32Array, start: number): number | null {
  let best = { lag: 0, likeness: leastPeriodicity };
  for (let lag = Math.floor(rate / pitchRange.most); lag <= Math.ceil(rate / pitchRange.least); lag += 1) {
    let [both, earlier, later] = [0, 0, 0];
    // Every other sample is enough to recognise a period.
    for (let at = start; at + lag < start + frameLength; at += 2) {
      const [one, other] = [samples[at] ?? 0, samples[at + lag] ?? 0];
      both += one * other;
      earlier += one * one;
      later += other * other;
    }
    const likeness = both / Math.sqrt(earlier * later || 1);
    // Two periods match as well as one, so a longer lag must be better by far.
    if (likeness > best.likeness * (best.lag === 0 ? 1 : 1.05)) best = { lag, likeness };
  }
  return best.lag === 0 ? null : rate / best.lag;
}

/** The median pitch of a voice at 16 kHz, in its loud half; null: nothing voiced was heard. */
function pitchOf(samples: Float32Array): number | null {
  const frames = Array.from({ length: Math.floor(samples.length / frameLength) }, (_, at) => {
    const start = at * frameLength;
    const energy = samples.subarray(start, start + frameLength).reduce((sum, value) => sum + value * value, 0);
    return { start, energy };
  });
  const loud = frames.toSorted((one, other) => other.energy - one.energy).slice(0, Math.ceil(frames.length / 2));
  const pitches = loud.map(({ start }) => pitchAt(samples, start)).filter((pitch) => pitch !== null);
  return pitches.toSorted((one, other) => one - other)[Math.floor(pitches.length / 2)] ?? null;
}

async function hearVoice(path: string, mostMs: number, sign: () => void): Promise<SoundOutcome> {
  const parts: Float32Array[] = [];
  let resampler: Resampler | null = null;
  const sound = await decode(path, mostMs, ({ channels, sampleRate }) => {
    resampler ??= new Resampler(sampleRate, rate);
    parts.push(resampler.push(channels[0] ?? new Float32Array()));
    sign();
  });
  if (sound === null) return { kind: 'longer' };
  const pitchHz = pitchOf(Float32Array.from(parts.flatMap((part) => [...part])));
  return { kind: 'heard', durationMs: sound.durationMs, speech: sound.speech, pitchHz };
}

async function work(message: unknown, sign: () => void): Promise<SoundOutcome> {
  const order = request.parse(message);
  const { path } = order;
  try {
    switch (order.kind) {
      case 'measure':
        return await analyse(path, order.stopAfterMs, sign);
      case 'hear-voice':
        return await hearVoice(path, order.mostMs, sign);
      case 'suppress':
        await suppressFile(path, order.outputPath, order.restores, sign);
        return { kind: 'done' };
      case 'convert':
        await convertFile(order.format, path, order.outputPath, sign);
        return { kind: 'done' };
    }
  } catch (error) {
    return error instanceof Undecodable ? unusable(error) : { kind: 'lost' };
  }
}

if (isInRole(role.role)) serveThread(work);
