import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';

/** A whole WAV file: 16 kHz, 16 bit, mono, a tone of `hertz` for `seconds`; distinct tones are distinct files. */
export function toneWav(hertz: number, seconds: number): Buffer {
  const rate = 16_000;
  const samples = Math.round(rate * seconds);
  const bytes = Buffer.alloc(44 + samples * 2);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(36 + samples * 2, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(rate * 2, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(samples * 2, 40);
  for (let at = 0; at < samples; at++) {
    bytes.writeInt16LE(Math.round(12_000 * Math.sin((2 * Math.PI * hertz * at) / rate)), 44 + at * 2);
  }
  return bytes;
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
