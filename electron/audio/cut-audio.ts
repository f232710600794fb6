import type { RecordingPart } from '../../shared/domain/jobs/job-state.ts';
import { open } from 'node:fs/promises';
import type { AudioExtension } from '../../shared/domain/media/audio-plan.ts';
import type { HeardSpan, AudioCover } from '../../shared/domain/exports/exporter.ts';
import { fadeLength, gainAt, partOf, type Part } from './cut-samples.ts';
import { openAudio } from './decode/open-audio.ts';
import { Undecodable } from '../../shared/domain/audio/pcm-block.ts';
import { fileSink, type AudioWriter } from './encode/audio-writer.ts';
import { openAudioWriter } from './encode/open-audio-writer.ts';
import { Resampler } from '../../shared/domain/media/resample.ts';

interface Cut {
  readonly from: string;
  readonly to: string;
  readonly format: AudioExtension;
  readonly spans: readonly HeardSpan[];
  readonly bitRate?: number | null | undefined;
  readonly isMono?: boolean | undefined;
}

const mostChannels = 2;

function faded(samples: Float32Array, at: number, part: Part, fade: number): Float32Array {
  const isInside = at - part.from >= fade && part.to - (at + samples.length) >= fade;
  if (isInside) return samples;
  return samples.map((value, index) => value * gainAt(at + index, part, fade));
}

const bleepHz = 1000;
/** Loud enough to be noticed, no louder than speech. */
const bleepLevel = 0.2;

/** Nothing of what was said is left in it. */
function covered(samples: Float32Array, at: number, cover: AudioCover, sampleRate: number): Float32Array {
  const made = new Float32Array(samples.length);
  if (cover === 'silence') return made;
  const perSample = (2 * Math.PI * bleepHz) / sampleRate;
  return made.map((_, index) => bleepLevel * Math.sin((at + index) * perSample));
}

const nothingHeard = () => new Undecodable('invalid_audio', 'no sound could be decoded');

function mixed([left = new Float32Array(), right]: readonly Float32Array[]): Float32Array {
  return right === undefined ? left : left.map((value, at) => (value + (right[at] ?? 0)) / 2);
}

/** Accurate to the sample; reads no further than the last part. Throws what the decoders throw. */
export async function cutAudio(
  { from: input, to: output, format, spans, bitRate = null, isMono = false }: Cut,
  onTime: (decodedMs: number) => void,
): Promise<number> {
  const source = await open(input, 'r');
  const target = await open(output, 'w', 0o600);
  let writer: AudioWriter | null = null;
  let position = 0;
  let written = 0;
  let rate = 0;
  try {
    let next = 0;
    const opened = await openAudio(source, input);
    const bits = /^pcm (int(24|32)|float)/.test(opened.codec) ? 24 : 16;
    for await (const { channels, sampleRate } of opened.blocks) {
      rate = sampleRate;
      const channelCount = isMono ? 1 : Math.min(mostChannels, channels.length);
      writer ??= await openAudioWriter({ format, sampleRate, channelCount, bitRate, bits }, fileSink(target));
      const length = channels[0]?.length ?? 0;
      const fade = fadeLength(sampleRate);
      for (; next < spans.length; next += 1) {
        const { cover, ...span } = spans[next] ?? { startMs: 0, endMs: 0 };
        const part = partOf(span, sampleRate);
        const from = Math.max(position, part.from);
        const to = Math.min(position + length, part.to);
        if (to > from) {
          const heard = channels
            .slice(0, mostChannels)
            .map((samples) => samples.subarray(from - position, to - position))
            .map((samples) => (cover === undefined ? samples : covered(samples, from, cover, sampleRate)));
          const kept = (isMono ? [mixed(heard)] : heard).map((samples) => faded(samples, from, part, fade));
          await writer.write(kept);
          written += to - from;
        }
        if (part.to > position + length) break;
      }
      position += length;
      onTime((position * 1000) / sampleRate);
      if (next >= spans.length) break;
    }
    if (writer === null || written === 0) throw nothingHeard();
    await writer.finish();
    writer = null;
    await target.sync();
    return Math.round((written * 1000) / rate);
  } finally {
    await writer?.cancel();
    await source.close();
    await target.close();
  }
}

export interface JoinedPart extends RecordingPart {
  readonly path: string;
}

/** Overlaps are cross-faded; a part that ends early leaves silence, so that the next stays in its place. */
export async function joinAudio(
  parts: readonly JoinedPart[],
  output: string,
  format: AudioExtension,
  onTime: (writtenMs: number) => void,
): Promise<void> {
  const target = await open(output, 'w', 0o600);
  let writer: AudioWriter | null = null;
  let shape: { readonly rate: number; readonly channelCount: number } | null = null;
  let written = 0;
  let tail: Float32Array[] = [];
  const startMs = parts[0]?.startMs ?? 0;
  const put = async (channels: Float32Array[]) => {
    await writer?.write(channels);
    written += channels[0]?.length ?? 0;
  };
  try {
    for (const [index, part] of parts.entries()) {
      const next = parts[index + 1];
      const faded = tail;
      tail = [];
      let at = 0;
      for await (const block of readPart(part.path, shape)) {
        shape ??= { rate: block.rate, channelCount: block.channels.length };
        const { rate, channelCount } = shape;
        writer ??= await openAudioWriter({ format, sampleRate: rate, channelCount }, fileSink(target));
        const channels = fadeIn(block.channels, faded, at);
        const length = channels[0]?.length ?? 0;
        const place = Math.round(((part.startMs - startMs) * rate) / 1000) + at;
        const kept = next === undefined ? Infinity : Math.round(((next.startMs - startMs) * rate) / 1000);
        const now = Math.max(0, Math.min(length, kept - place));
        await put(channels.map((samples) => samples.subarray(0, now)));
        if (now < length) tail = channels.map((samples, channel) => joined(tail[channel], samples.subarray(now)));
        at += length;
        onTime((written * 1000) / rate);
      }
      if (shape === null) throw new Undecodable('invalid_audio', 'no sound could be decoded');
      const { rate, channelCount } = shape;
      const due = next === undefined ? 0 : Math.round(((next.startMs - startMs) * rate) / 1000) - written;
      if (due > 0) await put(Array.from({ length: channelCount }, () => new Float32Array(due)));
    }
    await writer?.finish();
    writer = null;
    await target.sync();
  } finally {
    await writer?.cancel();
    await target.close();
  }
}

const joined = (one: Float32Array | undefined, other: Float32Array): Float32Array => {
  const both = new Float32Array((one?.length ?? 0) + other.length);
  if (one !== undefined) both.set(one);
  both.set(other, one?.length ?? 0);
  return both;
};

function fadeIn(channels: readonly Float32Array[], before: readonly Float32Array[], at: number): Float32Array[] {
  const length = before[0]?.length ?? 0;
  return channels.map((samples, channel) => {
    if (at >= length) return samples.slice();
    return samples.map((value, index) => {
      const place = at + index;
      if (place >= length) return value;
      const share = (place + 0.5) / length;
      return value * share + (before[channel]?.[place] ?? 0) * (1 - share);
    });
  });
}

async function* readPart(
  path: string,
  shape: { readonly rate: number; readonly channelCount: number } | null,
): AsyncGenerator<{ readonly channels: readonly Float32Array[]; readonly rate: number }> {
  const file = await open(path, 'r');
  try {
    let resamplers: Resampler[] | null = null;
    for await (const { channels, sampleRate } of (await openAudio(file, path)).blocks) {
      const rate = shape?.rate ?? sampleRate;
      const count = shape?.channelCount ?? Math.min(mostChannels, channels.length);
      const own = Array.from({ length: count }, (_, at) => channels[at] ?? channels[0] ?? new Float32Array());
      if (rate === sampleRate) {
        yield { channels: own, rate };
        continue;
      }
      resamplers ??= own.map(() => new Resampler(sampleRate, rate));
      yield { channels: own.map((samples, at) => resamplers?.[at]?.push(samples) ?? samples), rate };
    }
    if (resamplers !== null && shape !== null)
      yield { channels: resamplers.map((resampler) => resampler.flush()), rate: shape.rate };
  } finally {
    await file.close();
  }
}

export async function convertFile(
  format: AudioExtension,
  inputPath: string,
  outputPath: string,
  onProgress: () => void,
): Promise<void> {
  const input = await open(inputPath, 'r');
  const output = await open(outputPath, 'w', 0o600);
  let writer: AudioWriter | null = null;
  try {
    for await (const { channels, sampleRate } of (await openAudio(input, inputPath)).blocks) {
      const channelCount = Math.min(2, channels.length);
      writer ??= await openAudioWriter({ format, sampleRate, channelCount }, fileSink(output));
      await writer.write(channels);
      onProgress();
    }
    await writer?.finish();
    writer = null;
    await output.sync();
  } finally {
    await writer?.cancel();
    await input.close();
    await output.close();
  }
}
