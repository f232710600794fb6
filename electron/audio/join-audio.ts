import { open } from 'node:fs/promises';
import type { RecordingPart } from '../../shared/domain/jobs/job-kind.ts';
import { Resampler } from '../../shared/domain/media/resample.ts';
import type { AudioExtension } from '../../shared/domain/media/audio-plan.ts';
import { openAudio } from './decode/open-audio.ts';
import { Undecodable } from '../../shared/domain/audio/pcm-block.ts';
import { fileSink } from './encode/audio-sink.ts';
import type { AudioWriter } from './encode/audio-writer.ts';
import { openAudioWriter } from './encode/open-audio-writer.ts';

/** A file and the part of the whole recording that it holds. */
export interface JoinedPart extends RecordingPart {
  readonly path: string;
}

const mostChannels = 2;

/**
 * Writes parts of one recording, in order, as one file. Overlapping parts are cross-faded; a part that ends early
 * leaves silence, so that the next one stays in its place. Throws what the decoders throw.
 */
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
  /** The end of the previous part, from the start of the next one on. */
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

/** The samples of a part from `at` on, mixed with the tail of the previous part. */
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

/** Decodes a file, in the rate and the channels of the first part where they are known. */
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
