import type { FileHandle } from 'node:fs/promises';
import { wavHeader, wavHeaderBytes } from '../../shared/domain/media/wav-header.ts';
import type { TimeSpan } from '../../shared/domain/transcript/transcript.ts';
import { fileKindOf } from './decode/file-kind.ts';
import { Undecodable } from '../../shared/domain/audio/pcm-block.ts';
import type { PlainSamples } from './decode/opened-audio.ts';
import { openWav } from './decode/wav.ts';
import { fileSink } from './encode/audio-writer.ts';

/** Too short to be heard as a fade, and without it every cut clicks. */
const fadeMs = 5;
const blockBytes = 1024 * 1024;

export interface Part {
  readonly from: number;
  readonly to: number;
}

export const fadeLength = (sampleRate: number): number => Math.max(1, Math.round((fadeMs * sampleRate) / 1000));

export const gainAt = (place: number, { from, to }: Part, fade: number): number =>
  Math.min(1, from === 0 ? 1 : (place - from + 0.5) / fade, (to - place - 0.5) / fade);

export const partOf = ({ startMs, endMs }: TimeSpan, sampleRate: number): Part => ({
  from: Math.round((startMs * sampleRate) / 1000),
  to: Math.round((endMs * sampleRate) / 1000),
});

/** The samples of a WAV, when they stand in the file as a WAV of ours has them; null for any other file. */
export async function plainSamplesOf(source: FileHandle): Promise<PlainSamples | null> {
  const head = Buffer.alloc(12);
  const { bytesRead } = await source.read(head, 0, head.length, 0);
  if (fileKindOf(head.subarray(0, bytesRead)) !== 'wav') return null;
  try {
    return (await openWav(source)).plain ?? null;
  } catch (error) {
    if (error instanceof Undecodable) return null;
    throw error;
  }
}

/** How many samples of each channel were written; 0 is no file. */
export async function copySamples(
  source: FileHandle,
  target: FileHandle,
  { start, end, sampleRate, channelCount }: PlainSamples,
  spans: readonly TimeSpan[],
  goesOn: (sample: number) => boolean,
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
  for (const span of spans) {
    const part = partOf(span, sampleRate);
    const to = Math.min(all, part.to);
    for (let at = part.from; at < to;) {
      if (!goesOn(at)) return written;
      const wanted = Math.min(step, to - at) * frameBytes;
      const { bytesRead } = await source.read(bytes, 0, wanted, start + at * frameBytes);
      const count = Math.floor(bytesRead / frameBytes);
      if (count === 0) break;
      const fadeSamples = (from: number, until: number) => {
        for (let frame = Math.max(0, from - at); frame < Math.min(count, until - at); frame += 1) {
          const gain = gainAt(at + frame, part, fade);
          for (let index = frame * channelCount; gain < 1 && index < (frame + 1) * channelCount; index += 1)
            samples[index] = Math.round((samples[index] ?? 0) * gain);
        }
      };
      // In a part that is shorter than two fades, each sample is faded once.
      fadeSamples(part.from, Math.min(part.from + fade, part.to));
      fadeSamples(Math.max(part.from + fade, part.to - fade), part.to);
      await sink(bytes.subarray(0, count * frameBytes), wavHeaderBytes + written * frameBytes);
      written += count;
      at += count;
    }
  }
  await sink(wavHeader(written * frameBytes, sampleRate, channelCount), 0);
  return written;
}
