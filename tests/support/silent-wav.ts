import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';

/** Hours of silence as a recording that takes no room on the disk: eight bits a sample, one channel. */
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
