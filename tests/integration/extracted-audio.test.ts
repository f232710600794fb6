import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { openAudio } from '../../electron/audio/decode/open-audio.ts';
import { convertFile } from '../../electron/audio/cut-audio.ts';
import { openExtractedAudio } from '../../electron/platform/node/audio/extracted-audio.ts';

const folder = mkdtempSync(join(tmpdir(), 'ovoz-parts-'));
const noisy = fileURLToPath(new URL('../../assets/noisy/street-uz.mp3', import.meta.url));
const extractor = openExtractedAudio(
  join(folder, 'prepared'),
  new URL('../../electron/entries/audio-worker.ts', import.meta.url),
);
const { signal } = new AbortController();
const ignore = () => undefined;
afterAll(async () => {
  await extractor.close();
  rmSync(folder, { recursive: true, force: true });
});

async function samplesOf(path: string): Promise<{ readonly rate: number; readonly samples: Float32Array }> {
  const file = await open(path, 'r');
  const blocks: number[] = [];
  let rate = 0;
  for await (const { channels, sampleRate } of (await openAudio(file, path)).blocks) {
    rate = sampleRate;
    for (const sample of channels[0] ?? []) blocks.push(sample);
  }
  await file.close();
  return { rate, samples: Float32Array.from(blocks) };
}

const prepared = async (path: string, options: Parameters<typeof extractor.prepare>[4]): Promise<string> => {
  const found = await extractor.prepare(path, null, signal, ignore, options);
  if (!found.ok) throw new Error(found.error.code);
  return found.value.path;
};

it('parts of a WAV, joined again, are the recording sample for sample', async () => {
  const wav = join(folder, 'street.wav');
  await convertFile('wav', noisy, wav, ignore);
  const ranges = [
    { startMs: 0, endMs: 5_500 },
    { startMs: 4_500, endMs: 10_500 },
    { startMs: 9_500, endMs: 60_000 },
  ];
  const parts = await Promise.all(ranges.map(async (part) => ({ ...part, path: await prepared(wav, { part }) })));
  const joined = join(folder, 'joined.wav');
  expect(await extractor.join(parts, joined, 'wav', signal, ignore)).toMatchObject({ ok: true });
  const [whole, again] = [await samplesOf(wav), await samplesOf(joined)];
  expect(again.rate).toBe(whole.rate);
  expect(again.samples).toHaveLength(whole.samples.length);
  // One step of 16 bits: where two parts overlap, the mix of two equal samples is rounded.
  const largest = whole.samples.reduce(
    (most, sample, at) => Math.max(most, Math.abs(sample - (again.samples[at] ?? 0))),
    0,
  );
  expect(largest).toBeLessThanOrEqual(1 / 32_768);
});

it('a WAV above the limit is packed as FLAC without losing a sample', async () => {
  const pcmFormat = 's24le';
  const wav = join(folder, `${pcmFormat}.wav`);
  // A tone whose samples use all their bits.
  const tone = ['-f', 'lavfi', '-i', 'aevalsrc=0.3*sin(997*t)*sin(3*t):s=44100:d=20'];
  spawnSync('ffmpeg', ['-v', 'error', ...tone, '-c:a', `pcm_${pcmFormat}`, wav]);
  const packed = await prepared(wav, { packedAboveBytes: 100_000 });
  expect(packed).toMatch(/[.]flac$/);
  // Read by another program: our own decoder of FLAC scales samples slightly differently from that of WAV.
  const pcm = (path: string) =>
    spawnSync('ffmpeg', ['-v', 'error', '-i', path, '-f', pcmFormat, '-'], { maxBuffer: 2 ** 26 });
  expect(pcm(packed).stdout.length).toBeGreaterThan(1_000_000);
  expect(pcm(packed).stdout.equals(pcm(wav).stdout)).toBe(true);
  expect(await prepared(wav, { packedAboveBytes: 100_000_000 })).toBe(wav);
});
