import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { toneWav } from '../../tests/support/wav-files.ts';
import { analyse } from './sound-worker.ts';
import { folderOfFile } from '../../tests/support/test-folders.ts';

const folder = folderOfFile();

const outcomeOf = (name: string, bytes: Buffer) => {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return analyse(path);
};

/** A FLAC file whose first block announces this much audio without containing any. */
function flacOf(hours: number, rate: number, channels: number): Buffer {
  const head = Buffer.alloc(42);
  head.write('fLaC', 'latin1');
  head.writeUInt32BE(0x80000022, 4);
  const samples = BigInt(hours * 3600 * rate);
  head.writeBigUInt64BE((BigInt(rate) << 44n) | (BigInt(channels - 1) << 41n) | (15n << 36n) | samples, 18);
  return head;
}

it('hours of silence packed into a small file are refused by what the header says, before they are decoded', async () => {
  const refused = { kind: 'undecodable', code: 'audio_too_large' };
  expect(await outcomeOf('long.flac', flacOf(7, 48_000, 1))).toMatchObject(refused);
  expect(await outcomeOf('wide.flac', flacOf(1, 192_000, 8))).toMatchObject(refused);
  expect(await outcomeOf('usual.flac', flacOf(5, 48_000, 2))).toMatchObject({ code: 'invalid_audio' });
});

it('a WebM of headers inside headers is rejected as no recording', async () => {
  const header = Buffer.from('1a45dfa301ffffffffffffff', 'hex');
  const poisoned = Buffer.concat([header, Buffer.from('webm'), ...Array.from({ length: 20_000 }, () => header)]);
  expect(await outcomeOf('poisoned.webm', poisoned)).toMatchObject({ code: 'unsupported_media_type' });
  const segment = Buffer.from('1853806701ffffffffffffff', 'hex');
  const nested = Buffer.concat([
    Buffer.from('1a45dfa384', 'hex'),
    Buffer.from('webm'),
    ...Array.from({ length: 20_000 }, () => segment),
  ]);
  expect(await outcomeOf('nested.webm', nested)).toMatchObject({ code: 'unsupported_media_type' });
});

const wav = toneWav(440, 2);

it('a WAV is measured, as far as there is audio when its end is missing, and not beyond the limit', async () => {
  const whole = await outcomeOf('whole.wav', wav);
  if (whole.kind !== 'measured') throw new Error(whole.kind);
  expect(whole.sound).toMatchObject({ container: 'wav', durationMs: 2000, sampleRate: 16_000, channelCount: 1 });
  expect(whole.sound.peak).toBeCloseTo(0.37, 2);
  expect(whole.sound.rms).toBeCloseTo(0.37 / Math.SQRT2, 2);
  const cut = await outcomeOf('cut.wav', wav.subarray(0, 44 + 32_000));
  expect(cut).toMatchObject({ kind: 'measured', sound: { durationMs: 1000 } });
  expect(await analyse(join(folder, 'whole.wav'), 500)).toEqual({ kind: 'longer' });
});
