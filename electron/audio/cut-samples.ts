import type { FileHandle } from 'node:fs/promises';
import { wavHeader, wavHeaderBytes } from '../../shared/domain/media/wav-header.ts';
import type { PlainSamples } from './decode/pcm-block.ts';
import { fileSink } from './encode/audio-sink.ts';

/** Too short to be heard as a fade, and without it every cut clicks. */
const fadeMs = 5;
const blockBytes = 1024 * 1024;

/** A part of a recording in samples. */
export interface Part {
  readonly from: number;
  readonly to: number;
}

export const fadeLength = (sampleRate: number): number => Math.max(1, Math.round((fadeMs * sampleRate) / 1000));

/** The gain of a sample: lower near an end of the part that is a cut and not an end of the recording. */
export const gainAt = (place: number, { from, to }: Part, fade: number): number =>
  Math.min(1, from === 0 ? 1 : (place - from + 0.5) / fade, (to - place - 0.5) / fade);

/**
 * Copies parts of a WAV into a WAV, byte by byte except for the fades. Returns the samples written per channel; 0: no
 * file was made. Works at the speed of the disk.
 */
export async function copySamples(
  source: FileHandle,
  target: FileHandle,
  { start, end, sampleRate, channelCount }: PlainSamples,
  parts: readonly Part[],
  onSample: (sample: number) => void,
): Promise<number> {
  const frameBytes = channelCount * 2;
  const all = Math.floor((end - start) / frameBytes);
  const fade = fadeLength(sampleRate);
  const step = Math.floor(blockBytes / frameBytes);
  const samples = new Int16Array(step * channelCount);
  const bytes = new Uint8Array(samples.buffer);
  const sink = fileSink(target);
  let written = 0;
  await sink(wavHeader(0, sampleRate, channelCount), 0);
  for (const part of parts) {
    const to = Math.min(all, part.to);
    for (let at = part.from; at < to;) {
      const wanted = Math.min(step, to - at) * frameBytes;
      const { bytesRead } = await source.read(bytes, 0, wanted, start + at * frameBytes);
      const count = Math.floor(bytesRead / frameBytes);
      if (count === 0) break;
      const isNearEnd = at - part.from < fade || part.to - (at + count) < fade;
      if (isNearEnd)
        for (let index = 0; index < count * channelCount; index += 1) {
          const gain = gainAt(at + Math.floor(index / channelCount), part, fade);
          if (gain < 1) samples[index] = Math.round((samples[index] ?? 0) * gain);
        }
      await sink(bytes.subarray(0, count * frameBytes), wavHeaderBytes + written * frameBytes);
      written += count;
      at += count;
      onSample(at);
    }
  }
  await sink(wavHeader(written * frameBytes, sampleRate, channelCount), 0);
  return written;
}
