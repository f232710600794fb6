import { byteStream } from './media-input.ts';
import type { Decode, DecodedAudio } from './decoded-audio.ts';
import { createUnpacker, type UnpackFrames } from './wav-samples.ts';
import { readWavFormat, type WavFormat } from './wav-format.ts';

const maxFrames = 32_768;

/** WAV by our own reader: no decoder is needed, and no browser reads every kind of it. */
export const decodeWav: Decode = (url) => unpackWav(byteStream(url));

/** The samples of a WAV that arrives in pieces of any size. Throws when it is none, or of a kind we can't read. */
export async function* unpackWav(
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<DecodedAudio, void, undefined> {
  let rest: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  let opened: { format: WavFormat; unpack: UnpackFrames; bytesLeft: number } | null = null;
  for await (const piece of pieces) {
    rest = join(rest, piece);
    if (opened === null) {
      const format = readWavFormat(rest);
      if (!format.ok) {
        if (format.error === 'need-more') continue;
        throw new Error(`This WAV can't be read: ${format.error}`);
      }
      opened = {
        format: format.value,
        unpack: createUnpacker(format.value, maxFrames),
        bytesLeft: format.value.dataBytes ?? Infinity,
      };
      rest = rest.subarray(format.value.dataOffset);
    }
    const { frameBytes, sampleRate } = opened.format;
    while (rest.byteLength >= frameBytes && opened.bytesLeft >= frameBytes) {
      const frames = Math.min(maxFrames, Math.floor(Math.min(rest.byteLength, opened.bytesLeft) / frameBytes));
      const bytes = frames * frameBytes;
      yield { channels: opened.unpack(rest.subarray(0, bytes), frames), frames, sampleRate };
      rest = rest.subarray(bytes);
      opened.bytesLeft -= bytes;
    }
    if (opened.bytesLeft < frameBytes) return;
  }
  if (opened === null) throw new Error('This WAV ends before its sound begins');
}

function join(a: Uint8Array<ArrayBuffer>, b: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (a.byteLength === 0) return b;
  const both = new Uint8Array(a.byteLength + b.byteLength);
  both.set(a);
  both.set(b, a.byteLength);
  return both;
}
