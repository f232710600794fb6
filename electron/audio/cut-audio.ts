import { open } from 'node:fs/promises';
import type { AudioExtension } from '../../shared/domain/media/audio-plan.ts';
import type { TimeSpan } from '../../shared/domain/transcript/transcript.ts';
import { fadeLength, gainAt, partOf, type Part } from './cut-samples.ts';
import { openAudio } from './decode/open-audio.ts';
import { Undecodable } from '../../shared/domain/audio/pcm-block.ts';
import { fileSink } from './encode/audio-sink.ts';
import type { AudioWriter } from './encode/audio-writer.ts';
import { openAudioWriter } from './encode/open-audio-writer.ts';

interface Cut {
  /** Paths. */
  readonly from: string;
  readonly to: string;
  readonly format: AudioExtension;
  /** In order and apart. */
  readonly spans: readonly TimeSpan[];
  /** Thousands of bits a second; null or absent: what speech needs. */
  readonly bitRate?: number | null | undefined;
  readonly isMono?: boolean | undefined;
}

const mostChannels = 2;

/** Fades the ends of a part that are cuts, but not the ends of the recording itself. */
function faded(samples: Float32Array, at: number, part: Part, fade: number): Float32Array {
  const isInside = at - part.from >= fade && part.to - (at + samples.length) >= fade;
  if (isInside) return samples;
  return samples.map((value, index) => value * gainAt(at + index, part, fade));
}

const nothingHeard = () => new Undecodable('invalid_audio', 'no sound could be decoded');

/** Both channels as one, each at half. */
function mixed([left = new Float32Array(), right]: readonly Float32Array[]): Float32Array {
  return right === undefined ? left : left.map((value, at) => (value + (right[at] ?? 0)) / 2);
}

/**
 * Writes parts of a recording as one file, accurate to the sample. Reads no further than the last part. Returns the
 * length written, in milliseconds. Throws what the decoders throw.
 */
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
        const part = partOf(spans[next] ?? { startMs: 0, endMs: 0 }, sampleRate);
        const from = Math.max(position, part.from);
        const to = Math.min(position + length, part.to);
        if (to > from) {
          const heard = channels
            .slice(0, mostChannels)
            .map((samples) => samples.subarray(from - position, to - position));
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
