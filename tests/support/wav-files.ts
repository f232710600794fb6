import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';

interface WavForm {
  readonly rate: number;
  readonly frames: number;
  readonly channels?: number;
}

/** A whole WAV file of 16 bits; `sampleAt` gives each sample as -1 to 1. */
export function wavOf(
  { rate, frames, channels = 1 }: WavForm,
  sampleAt: (frame: number, channel: number) => number,
): Buffer {
  const frameBytes = 2 * channels;
  const wav = Buffer.alloc(44 + frames * frameBytes);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(channels, 22);
  wav.writeUInt32LE(rate, 24);
  wav.writeUInt32LE(rate * frameBytes, 28);
  wav.writeUInt16LE(frameBytes, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(wav.length - 44, 40);
  for (let frame = 0; frame < frames; frame += 1)
    for (let channel = 0; channel < channels; channel += 1)
      wav.writeInt16LE(Math.round(sampleAt(frame, channel) * 32_767), 44 + frame * frameBytes + channel * 2);
  return wav;
}

const amplitude = 0.37;

/** 16 kHz, mono, a tone of `hertz` for `seconds`; distinct tones are distinct files. */
export function toneWav(hertz: number, seconds: number, rate = 16_000): Buffer {
  const frames = Math.round(rate * seconds);
  return wavOf({ rate, frames }, (at) => amplitude * Math.sin((2 * Math.PI * hertz * at) / rate));
}

/** Hours of silence as a recording that takes no disk space: eight bits a sample, one channel. */
export function writeSilentWav(path: string, seconds: number, sampleRate = 8000): void {
  const bytes = seconds * sampleRate;
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + bytes, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36);
  header.writeUInt32LE(bytes, 40);
  const file = openSync(path, 'w');
  writeSync(file, header);
  ftruncateSync(file, 44 + bytes);
  closeSync(file);
}
