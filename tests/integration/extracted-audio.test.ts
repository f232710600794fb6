import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { EncodedPacketSink, FilePathSource, Input, ALL_FORMATS } from 'mediabunny';
import { openAudio } from '../../electron/audio/decode/open-audio.ts';
import { convertFile } from '../../electron/audio/cut-audio.ts';
import { writeSilentWav } from '../support/wav-files.ts';
import { openExtractedAudio } from '../../electron/platform/node/audio/extracted-audio.ts';
import { folderOfFile } from '../support/test-folders.ts';

const folder = folderOfFile();
const noisy = fileURLToPath(new URL('../../assets/noisy/street-uz.mp3', import.meta.url));
const extractor = openExtractedAudio(
  join(folder, 'prepared'),
  new URL('../../electron/entries/audio-worker.ts', import.meta.url),
);
const { signal } = new AbortController();
const ignore = () => undefined;
afterAll(async () => {
  await extractor.close();
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

it('a WAV without a single sample has no audio', async () => {
  const empty = join(folder, 'empty.wav');
  writeSilentWav(empty, 0);
  expect(await extractor.look(empty)).toMatchObject({ ok: false, error: { code: 'no_sound' } });
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

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;
if (!hasFfmpeg) console.warn('Skipped: ffmpeg is not installed, so no video gets other audio.');

/** Two seconds of moving pictures and a tone, with what a camera writes beside them. */
const video = (name: string, ...codecs: readonly string[]): string => {
  const path = join(folder, name);
  const pictures = ['-f', 'lavfi', '-i', 'testsrc=duration=2:size=128x96:rate=25'];
  const tone = ['-f', 'lavfi', '-i', 'sine=frequency=300:sample_rate=48000:duration=2'];
  const said = ['-metadata', 'title=Hovli', '-metadata:s:a:0', 'language=uzb'];
  const made = spawnSync('ffmpeg', ['-v', 'error', ...pictures, ...tone, ...codecs, ...said, path], {
    encoding: 'utf8',
  });
  if (made.status !== 0) throw new Error(made.stderr);
  return path;
};

const about = async (path: string) => {
  const input = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS });
  const [picture, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
  if (picture === null || audio === null) throw new Error('a track is missing');
  const packets: [time: number, bytes: string][] = [];
  for await (const { timestamp, data } of new EncodedPacketSink(picture).packets())
    packets.push([Math.round(timestamp * 1000), Buffer.from(data).toString('base64')]);
  const found = {
    packets,
    rotation: await picture.getRotation(),
    title: (await input.getMetadataTags()).title,
    language: await audio.getLanguageCode(),
    seconds: await audio.computeDuration(),
  };
  input.dispose();
  return found;
};

const h264 = ['-c:v', 'libx264', '-bf', '2', '-c:a', 'aac'];

it.skipIf(!hasFfmpeg).each([
  ['a.mp4', h264, 'm4a'],
  ['b.mov', h264, 'm4a'],
  ['c.mkv', h264, 'm4a'],
  ['d.webm', ['-c:v', 'libvpx', '-c:a', 'libopus'], 'ogg'],
] as const)(
  '%s gets other audio of the same length; pictures, times and what is said of it stay',
  async (name, codecs, format) => {
    const upright = video(name, ...codecs);
    const path = name === 'a.mp4' ? join(folder, 'turned.mp4') : upright;
    // Phones write how they were held beside pictures that lie on their side.
    if (path !== upright)
      spawnSync('ffmpeg', ['-v', 'error', '-i', upright, '-c', 'copy', '-metadata:s:v:0', 'rotate=90', path]);
    const looked = await extractor.look(path);
    if (!looked.ok) throw new Error('not a video');
    const { containers, hasSubtitles, hasSecondAudio } = looked.value;
    expect({ hasSubtitles, hasSecondAudio }).toEqual({ hasSubtitles: false, hasSecondAudio: false });
    expect(containers[0]).toBe(name.split('.')[1]);
    const cleaned = join(folder, `cleaned-${name}.wav`);
    await convertFile('wav', path, cleaned, ignore);
    const encoded = `${cleaned}.${format}`;
    expect(
      await extractor.join([{ path: cleaned, startMs: 0, endMs: 0 }], encoded, format, signal, ignore),
    ).toMatchObject({
      ok: true,
    });
    const target = join(folder, `copy-${name}`);
    const before = readFileSync(path);
    const shares: number[] = [];
    const source = { path, containers, hasSubtitles, hasSecondAudio, isCutToAudio: true };
    expect(await extractor.replaceAudio(source, encoded, target, signal, (share) => shares.push(share))).toMatchObject({
      ok: true,
    });
    const [was, is] = [await about(path), await about(target)];
    expect(is.packets).toEqual(was.packets);
    expect(is.packets.length).toBe(50);
    expect({ ...is, packets: [], seconds: 0 }).toEqual({ ...was, packets: [], seconds: 0 });
    expect(Math.abs(is.seconds - was.seconds)).toBeLessThan(1024 / 48_000 + 0.001);
    expect(readFileSync(path)).toEqual(before);
    const stopped = AbortSignal.abort();
    expect(await extractor.replaceAudio(source, encoded, join(folder, 'never'), stopped, ignore)).toMatchObject({
      ok: false,
    });
    expect(readdirSync(folder).filter((file) => file.startsWith('.ovoz-') || file === 'never')).toEqual([]);
  },
  60_000,
);

it.skipIf(!hasFfmpeg).each([
  ['subtitles.mp4', h264, 'mov_text'],
  ['subtitles.mov', h264, 'mov_text'],
  ['subtitles.mkv', h264, 'srt'],
  ['subtitles.webm', ['-c:v', 'libvpx', '-c:a', 'libopus'], 'webvtt'],
] as const)('%s says that it has subtitles and a second audio track', async (name, codecs, subtitles) => {
  const srt = join(folder, 'subtitles.srt');
  writeFileSync(srt, '1\n00:00:00,500 --> 00:00:01,500\nSalom\n');
  const tracks = ['-i', srt, '-map', '0:v', '-map', '1:a', '-map', '1:a', '-map', '2:s'];
  const path = video(name, ...tracks, ...codecs, '-c:s', subtitles);
  expect(await extractor.look(path)).toMatchObject({ ok: true, value: { hasSubtitles: true, hasSecondAudio: true } });
});
