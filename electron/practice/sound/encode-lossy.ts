import { open } from 'node:fs/promises';
import { createMp3Encoder, createOggEncoder } from 'wasm-media-encoders';
import { openSound } from '../analysis/open-sound.ts';

export type LossyFormat = 'mp3' | 'ogg';

/** What both encoders can do; their sound is good until they are asked for the next. */
interface Encoder {
  encode(samples: readonly Float32Array[]): Uint8Array;
  finalize(): Uint8Array;
}

/** Far above what speech needs to sound the same to everybody. */
const mp3Kilobits = { 1: 96, 2: 160 } as const;
const vorbisQuality = 5;

async function openEncoder(format: LossyFormat, channels: 1 | 2, sampleRate: number): Promise<Encoder> {
  if (format === 'mp3') {
    const mp3 = await createMp3Encoder();
    mp3.configure({ channels, sampleRate, bitrate: mp3Kilobits[channels] });
    return mp3;
  }
  const ogg = await createOggEncoder();
  ogg.configure({ channels, sampleRate, vbrQuality: vorbisQuality });
  return ogg;
}

/** Writes a sound file as MP3 (LAME) or Ogg Vorbis, piece by piece. Throws what the decoders throw. */
export async function encodeLossy(
  format: LossyFormat,
  inputPath: string,
  outputPath: string,
  onProgress: () => void,
): Promise<void> {
  const input = await open(inputPath, 'r');
  const output = await open(outputPath, 'w', 0o600);
  try {
    let encoder: Encoder | null = null;
    for await (const { channels, sampleRate } of (await openSound(input, inputPath)).blocks) {
      encoder ??= await openEncoder(format, channels.length === 1 ? 1 : 2, sampleRate);
      await output.writeFile(encoder.encode(channels.slice(0, 2)));
      onProgress();
    }
    if (encoder !== null) await output.writeFile(encoder.finalize());
    await output.sync();
  } finally {
    await input.close();
    await output.close();
  }
}
