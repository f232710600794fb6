import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { openAudio } from '../../electron/audio/decode/open-audio.ts';
import { resample } from '../../shared/domain/media/resample.ts';
import { monoWav } from '../../electron/audio/encode/audio-writer.ts';

const rate = 16_000;
const sample = fileURLToPath(new URL('../../assets/samples/interview-uz.mp3', import.meta.url));
let decoded: Promise<Float32Array> | null = null;

async function decode(): Promise<Float32Array> {
  const file = await open(sample, 'r');
  try {
    const parts: Float32Array[] = [];
    let sampleRate = rate;
    for await (const block of (await openAudio(file, sample)).blocks) {
      sampleRate = block.sampleRate;
      parts.push((block.channels[0] ?? new Float32Array()).slice());
    }
    const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return resample(whole, sampleRate, rate);
  } finally {
    await file.close();
  }
}

/** Part of the bundled interview as a WAV: a high voice until the ninth second, a deep one from the tenth on. */
export async function cutRecording(fromSeconds: number, toSeconds: number): Promise<Buffer> {
  const whole = await (decoded ??= decode());
  return monoWav(whole.slice(fromSeconds * rate, toSeconds * rate), rate);
}
