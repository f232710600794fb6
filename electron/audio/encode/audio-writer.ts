import type { AudioExtension } from '../../../shared/domain/media/audio-plan.ts';
import type { FileHandle } from 'node:fs/promises';
import { wavHeader } from '../../../shared/domain/media/wav-header.ts';

export interface AudioWriter {
  write(channels: readonly Float32Array[]): Promise<void>;
  finish(): Promise<void>;
  cancel(): Promise<void>;
}

export interface AudioShape {
  readonly format: AudioExtension;
  readonly sampleRate: number;
  readonly channelCount: number;
  readonly bitRate?: number | null;
  readonly bits?: 16 | 24;
}

/** Where a file is written; formats return to its beginning once they know the length. */
export type AudioSink = (bytes: Uint8Array, position: number) => Promise<void>;

export function fileSink(file: FileHandle): AudioSink {
  return async (bytes, position) => {
    for (let written = 0; written < bytes.length;) {
      const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written);
      written += bytesWritten;
    }
  };
}

export function memorySink(): { readonly sink: AudioSink; readonly bytes: () => Uint8Array<ArrayBuffer> } {
  let kept = new Uint8Array(64 * 1024);
  let length = 0;
  return {
    sink: async (bytes, position) => {
      const end = position + bytes.length;
      if (end > kept.length) {
        const larger = new Uint8Array(Math.max(end, kept.length * 2));
        larger.set(kept.subarray(0, length));
        kept = larger;
      }
      kept.set(bytes, position);
      length = Math.max(length, end);
    },
    bytes: () => kept.slice(0, length),
  };
}

export function interleave16(channels: readonly Float32Array[]): Buffer {
  const length = channels[0]?.length ?? 0;
  // Every computer this runs on has the order of bytes that WAV has.
  const whole = new Int16Array(length * channels.length);
  for (const [channel, samples] of channels.entries()) {
    for (let at = 0, to = channel; at < length; at += 1, to += channels.length) {
      const value = Math.round((samples[at] ?? 0) * 32_768);
      whole[to] = value > 32_767 ? 32_767 : value < -32_768 ? -32_768 : value;
    }
  }
  return Buffer.from(whole.buffer);
}

export function interleave24(channels: readonly Float32Array[]): Int32Array<ArrayBuffer> {
  const length = channels[0]?.length ?? 0;
  const whole = new Int32Array(length * channels.length);
  for (const [channel, samples] of channels.entries()) {
    for (let at = 0; at < length; at += 1) {
      const value = Math.round((samples[at] ?? 0) * 8_388_608);
      whole[at * channels.length + channel] = Math.max(-8_388_608, Math.min(8_388_607, value)) * 256;
    }
  }
  return whole;
}

/** A whole WAV file of one channel. */
export function monoWav(samples: Float32Array, sampleRate: number): Buffer {
  const data = interleave16([samples]);
  return Buffer.concat([wavHeader(data.length, sampleRate), data]);
}
