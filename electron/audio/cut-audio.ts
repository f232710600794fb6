import { open } from 'node:fs/promises';
import type { SoundExtension } from '../../shared/domain/media/sound-plan.ts';
import { openSound } from './decode/open-sound.ts';
import { Undecodable } from './decode/sound.ts';
import { fileSink } from './encode/audio-sink.ts';
import type { AudioWriter } from './encode/audio-writer.ts';
import { openAudioWriter } from './encode/open-audio-writer.ts';

interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

interface Cut {
  /** Paths. */
  readonly from: string;
  readonly to: string;
  readonly format: SoundExtension;
  /** In order and apart. */
  readonly spans: readonly Span[];
}

/** Nobody hears a fade of this length, and without one every cut clicks. */
const fadeMs = 5;
const mostChannels = 2;

/** Louder towards the inside of a part, from each end of it that is a cut and not an end of the recording. */
function faded(
  samples: Float32Array,
  at: number,
  part: { readonly from: number; readonly to: number },
  fade: number,
): Float32Array {
  const isInside = at - part.from >= fade && part.to - (at + samples.length) >= fade;
  if (isInside) return samples;
  return samples.map((value, index) => {
    const place = at + index;
    const rise = part.from === 0 ? 1 : (place - part.from + 0.5) / fade;
    const fall = (part.to - place - 0.5) / fade;
    return value * Math.min(1, rise, fall);
  });
}

/**
 * Writes parts of a recording as one file, sample by sample: each part is as long as it is asked for. Reads no further
 * than the last part. The length of what was written, in milliseconds. Throws what the decoders throw.
 */
export async function cutAudio(
  { from: input, to: output, format, spans }: Cut,
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
    for await (const { channels, sampleRate } of (await openSound(source, input)).blocks) {
      rate = sampleRate;
      const channelCount = Math.min(mostChannels, channels.length);
      writer ??= await openAudioWriter({ format, sampleRate, channelCount }, fileSink(target));
      const length = channels[0]?.length ?? 0;
      const sampleAt = (ms: number): number => Math.round((ms * sampleRate) / 1000);
      const fade = Math.max(1, sampleAt(fadeMs));
      for (; next < spans.length; next += 1) {
        const part = { from: sampleAt(spans[next]?.startMs ?? 0), to: sampleAt(spans[next]?.endMs ?? 0) };
        const from = Math.max(position, part.from);
        const to = Math.min(position + length, part.to);
        if (to > from) {
          const kept = channels
            .slice(0, channelCount)
            .map((samples) => faded(samples.subarray(from - position, to - position), from, part, fade));
          await writer.write(kept);
          written += to - from;
        }
        if (part.to > position + length) break;
      }
      position += length;
      onTime((position * 1000) / sampleRate);
      if (next >= spans.length) break;
    }
    if (writer === null || written === 0) throw new Undecodable('invalid_audio', 'no sound could be decoded');
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
