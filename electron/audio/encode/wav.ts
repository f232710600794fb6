import { wavHeader } from '../../../shared/domain/media/wav-header.ts';

/** Interleaves samples of -1..1 as 16-bit numbers; louder values are clipped. */
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

/** Samples of 24 bits, each in the upper bits of 32. */
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
