import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memorySink } from '../../electron/audio/encode/audio-sink.ts';
import { openAudioWriter, writtenRate } from '../../electron/audio/encode/open-audio-writer.ts';

const run = promisify(execFile);
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ovoz-audio-'));
});
afterAll(() => rm(folder, { recursive: true }));

const formats = ['wav', 'flac', 'ogg', 'mp3', 'm4a'] as const;

/** Silence for a second, a tone for a second, silence for half a second. */
function tone(sampleRate: number, channelCount: number): readonly Float32Array[] {
  return Array.from({ length: channelCount }, (_channel, channel) =>
    Float32Array.from({ length: sampleRate * 2.5 }, (_sample, at) =>
      at < sampleRate || at >= 2 * sampleRate
        ? 0
        : 0.5 * Math.sin((2 * Math.PI * (channel === 0 ? 440 : 880) * at) / sampleRate),
    ),
  );
}

async function write(format: (typeof formats)[number], sampleRate: number, channelCount: number) {
  const { sink, bytes } = memorySink();
  const writer = await openAudioWriter({ format, sampleRate, channelCount }, sink);
  const audio = tone(sampleRate, channelCount);
  // Blocks of odd lengths, as decoders give them.
  for (let at = 0; at < (audio[0]?.length ?? 0); at += 1777)
    await writer.write(audio.map((samples) => samples.subarray(at, at + 1777)));
  await writer.finish();
  return bytes();
}

/** What another program decodes: mono samples at 48 kHz. */
async function heard(path: string): Promise<Float32Array> {
  const options = { encoding: 'buffer', maxBuffer: 1e8 } as const;
  const { stdout } = await run(
    'ffmpeg',
    ['-v', 'error', '-i', path, '-ac', '1', '-ar', '48000', '-f', 'f32le', '-'],
    options,
  );
  return new Float32Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.length));
}

const firstLoud = (samples: Float32Array): number => samples.findIndex((value) => Math.abs(value) > 0.05) / 48_000;

describe('another program reads the audio we write', () => {
  test.each(formats.flatMap((format) => [[format, 24_000, 1] as const, [format, 44_100, 2] as const]))(
    '%s at %i Hz with %i channels: as long as it was, and each tone at its time',
    async (format, sampleRate, channelCount) => {
      const path = join(folder, `tone.${format}`);
      await writeFile(path, await write(format, sampleRate, channelCount));
      const probed = await run('ffprobe', [
        '-v',
        'error',
        '-show_entries',
        'stream=sample_rate,channels',
        '-of',
        'csv=p=0',
        path,
      ]);
      expect(probed.stdout.trim()).toBe(`${String(sampleRate)},${String(channelCount)}`);
      const samples = await heard(path);
      expect(Math.abs(samples.length / 48_000 - 2.5)).toBeLessThan(
        format === 'wav' || format === 'flac' ? 0.001 : 0.12,
      );
      // MP3 does not record how much its encoder adds in front.
      expect(Math.abs(firstLoud(samples) - 1)).toBeLessThan(format === 'mp3' ? 0.06 : 0.001);
      expect(Math.max(...samples)).toBeGreaterThan(0.4);
    },
    30_000,
  );

  test('audio at a rate that a format lacks is resampled to the next one it has', async () => {
    expect([writtenRate('wav', 11_025), writtenRate('flac', 11_025), writtenRate('m4a', 96_000)]).toEqual([
      11_025, 16_000, 48_000,
    ]);
    const path = join(folder, 'tone.flac');
    await writeFile(path, await write('flac', 11_025, 1));
    const samples = await heard(path);
    expect(Math.abs(samples.length / 48_000 - 2.5)).toBeLessThan(0.001);
    expect(Math.abs(firstLoud(samples) - 1)).toBeLessThan(0.01);
  });
});
