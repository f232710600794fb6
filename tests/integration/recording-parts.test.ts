import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { openAudio } from '../../electron/audio/decode/open-audio.ts';
import { convertFile } from '../../electron/audio/encode/convert-file.ts';
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

it('an excerpt of an MP3 is copied packet by packet and has the requested length, to a packet', async () => {
  const part = await prepared(noisy, { part: { startMs: 4_000, endMs: 9_000 } });
  expect(part).toMatch(/[.]mp3$/);
  const { rate, samples } = await samplesOf(part);
  expect((samples.length * 1000) / rate).toBeGreaterThan(4_950);
  expect((samples.length * 1000) / rate).toBeLessThan(5_100);
  expect(await prepared(noisy, { part: { startMs: 4_000, endMs: 9_000 } })).toBe(part);
});

it.each(['s16le', 's24le'])(
  'a WAV of %s above the limit is packed as FLAC without losing a sample',
  { tags: ['long'] },
  async (pcmFormat) => {
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
  },
);

it('parts of a FLAC consist of its blocks, and contain the samples of their time', async () => {
  const flac = join(folder, 'street.flac');
  await convertFile('flac', noisy, flac, ignore);
  const part = await prepared(flac, { part: { startMs: 4_000, endMs: 9_000 } });
  const [whole, cut] = [await samplesOf(flac), await samplesOf(part)];
  expect((cut.samples.length * 1000) / cut.rate).toBeGreaterThan(4_900);
  const head = cut.samples.subarray(0, 200);
  const first = whole.samples.findIndex((_, at) => head.every((sample, index) => sample === whole.samples[at + index]));
  expect((first * 1000) / whole.rate).toBeGreaterThan(3_800);
  expect((first * 1000) / whole.rate).toBeLessThanOrEqual(4_000);
  expect(cut.samples.findIndex((sample, at) => sample !== whole.samples[first + at])).toBe(-1);
});

it.each([
  ['nothing at all', 'anullsrc=r=48000', 'wav', 'nothing'],
  ['a muted microphone', 'anoisesrc=a=0.0003:r=48000', 'mp3', 'nothing'],
  ['samples that swing around another value than zero', 'aevalsrc=0.25:s=44100', 'flac', 'nothing'],
  ['a quiet tone in its last second only', "aevalsrc='if(gt(t,29),0.004*sin(2500*t),0)':s=16000", 'm4a', 'voice'],
  ['wind alone', 'anoisesrc=c=pink:a=0.4:r=44100:d=6', 'mp3', 'noise'],
])('a recording of %s is distinguished from one with a voice', async (_, source, format, heard) => {
  const path = join(folder, `${source.replaceAll(/[^a-z]/gu, '')}.${format}`);
  expect(spawnSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', source, '-t', '30', path]).status).toBe(0);
  expect(await extractor.heardIn(path)).toBe(heard);
  expect(await extractor.heardIn(noisy)).toBe('voice');
});
