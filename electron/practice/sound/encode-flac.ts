import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { openSound } from '../analysis/open-sound.ts';
import type { PcmBlock } from '../analysis/sound.ts';
import { BitWriter } from './bit-writer.ts';
import { flacFrame } from './flac-frame.ts';
import { interleave16 } from './write-wav.ts';

const blockLength = 4096;

interface Stream {
  readonly sampleRate: number;
  readonly channelCount: number;
  readonly sampleCount: number;
  readonly md5: Uint8Array;
}

/** The marker and the description of the stream (RFC 9639 8.2). */
function streamHeader({ sampleRate, channelCount, sampleCount, md5 }: Stream): Uint8Array {
  const writer = new BitWriter();
  for (const byte of Buffer.from('fLaC')) writer.write(byte, 8);
  writer.write(0x80, 8);
  writer.write(34, 24);
  writer.write(blockLength, 16);
  writer.write(blockLength, 16);
  writer.write(0, 24);
  writer.write(0, 24);
  writer.write(sampleRate, 20);
  writer.write(channelCount - 1, 3);
  writer.write(16 - 1, 5);
  writer.write(Math.floor(sampleCount / 2 ** 32), 4);
  writer.write(sampleCount % 2 ** 32, 32);
  for (const byte of md5) writer.write(byte, 8);
  return writer.bytes();
}

const to16 = (block: PcmBlock): Int16Array => {
  const bytes = interleave16(block.channels);
  return new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
};

/** Every n-th sample: one channel of what lies beside each other. */
const channelOf = (interleaved: Int16Array, channel: number, channelCount: number): Int16Array =>
  Int16Array.from(
    { length: interleaved.length / channelCount },
    (_, at) => interleaved[at * channelCount + channel] ?? 0,
  );

/** Writes a WAV with 16-bit samples as FLAC, without any loss, piece by piece. */
export async function encodeFlac(inputPath: string, outputPath: string, onProgress: () => void): Promise<void> {
  const input = await open(inputPath, 'r');
  const output = await open(outputPath, 'w', 0o600);
  try {
    const md5 = createHash('md5');
    let stream = { sampleRate: 48_000, channelCount: 1 };
    let pending = new Int16Array();
    let frames = 0;
    let sampleCount = 0;
    let position = streamHeader({ ...stream, sampleCount, md5: new Uint8Array(16) }).length;
    const writeFrame = async (part: Int16Array): Promise<void> => {
      const { channelCount, sampleRate } = stream;
      const channels = Array.from({ length: channelCount }, (_, at) => channelOf(part, at, channelCount));
      const frame = flacFrame(frames, sampleRate, channels);
      await output.write(frame, 0, frame.length, position);
      position += frame.length;
      frames += 1;
      sampleCount += part.length / channelCount;
      onProgress();
    };
    for await (const block of (await openSound(input, inputPath)).blocks) {
      stream = { sampleRate: block.sampleRate, channelCount: block.channels.length };
      const samples = to16(block);
      md5.update(new Uint8Array(samples.buffer));
      const joined = new Int16Array(pending.length + samples.length);
      joined.set(pending);
      joined.set(samples, pending.length);
      const step = blockLength * stream.channelCount;
      let at = 0;
      for (; at + step <= joined.length; at += step) await writeFrame(joined.subarray(at, at + step));
      pending = joined.slice(at);
    }
    if (pending.length > 0) await writeFrame(pending);
    const header = streamHeader({ ...stream, sampleCount, md5: md5.digest() });
    await output.write(header, 0, header.length, 0);
    await output.sync();
  } finally {
    await input.close();
    await output.close();
  }
}
