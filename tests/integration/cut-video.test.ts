import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openExtractedAudio } from '../../electron/platform/node/audio/extracted-audio.ts';
import { videoAt } from '../../electron/services/media/audio-extractor.ts';
import { videoFormats } from '../../shared/domain/exports/formats.ts';
import { picturePackets } from '../support/make-video.ts';
import { folderOfFile } from '../support/test-folders.ts';

const folder = folderOfFile();
const extractor = openExtractedAudio(
  join(folder, 'prepared'),
  new URL('../../electron/entries/audio-worker.ts', import.meta.url),
);
afterAll(async () => {
  await extractor.close();
});

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;
if (!hasFfmpeg) console.warn('Skipped: ffmpeg is not installed, so no video is cut.');

function run(program: 'ffmpeg' | 'ffprobe', ...args: readonly string[]): Buffer {
  const { status, stdout, stderr } = spawnSync(program, ['-v', 'error', ...args], { maxBuffer: 2 ** 27 });
  // A decoder that misses a picture only complains.
  expect(stderr.toString()).toBe('');
  expect(status).toBe(0);
  return stdout;
}

const every = String.raw`lt(mod(t\,1)\,0.2)`;
/** Ten seconds: each begins with a flash and a beep. A key frame every two seconds; no picture is like another. */
function made(name: string, ...codecs: readonly string[]): string {
  const path = join(folder, name);
  const flash = `color=black:size=64x64:rate=25:duration=10,drawbox=w=64:h=64:t=fill:color=white:enable='${every}',noise=alls=16:allf=t`;
  const beep = `aevalsrc='0.5*sin(6283*t)*${every}':sample_rate=48000:duration=10`;
  run('ffmpeg', '-y', '-f', 'lavfi', '-i', flash, '-f', 'lavfi', '-i', beep, '-g', '50', ...codecs, path);
  return path;
}
const h264 = ['-c:v', 'libx264', '-bf', '3', '-b_strategy', '0', '-sc_threshold', '0', '-c:a', 'aac'];
const sources = {
  mp4: h264,
  mov: h264,
  mkv: h264,
  webm: ['-c:v', 'libvpx', '-deadline', 'realtime', '-c:a', 'libopus'],
} as const;

const secondsOf = (values: string): number[] => values.trim().split('\n').filter(Boolean).map(Number);

/** When pictures turn white and when a tone begins, as another program decodes them. */
function marksOf(path: string) {
  const entries = ['-show_entries', 'frame=best_effort_timestamp_time', '-of', 'csv=p=0'];
  const shown = run('ffprobe', '-select_streams', 'v', ...entries, path)
    .toString()
    .replaceAll(',', '');
  const times = secondsOf(shown);
  const light = run('ffmpeg', '-i', path, '-vsync', '0', '-vf', 'scale=1:1', '-pix_fmt', 'gray', '-f', 'rawvideo', '-');
  expect(light).toHaveLength(times.length);
  const flashes = times.filter((_, at) => light[at]! > 128 && (at === 0 || light[at - 1]! <= 128));
  const first = ['-af', 'aresample=async=1:first_pts=0', '-ac', '1', '-ar', '8000', '-f', 's16le', '-'];
  const bytes = run('ffmpeg', '-i', path, '-vn', ...first);
  const samples = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
  const beeps: number[] = [];
  let heard = -Infinity;
  for (const [at, sample] of samples.entries()) {
    if (Math.abs(sample) < 3000) continue;
    if (at - heard > 800) beeps.push(at / 8000);
    heard = at;
  }
  return { flashes, beeps, pictureCount: times.length, seconds: (times.at(-1) ?? 0) + 1 / 25 };
}

const hashes = async (path: string) =>
  (await picturePackets(path)).map((packet) => createHash('sha256').update(packet).digest('hex'));

const ignore = () => undefined;
const spans = [
  { startMs: 900, endMs: 1700 },
  { startMs: 4800, endMs: 5700 },
  { startMs: 8100, endMs: Number.MAX_SAFE_INTEGER },
];

async function opened(path: string) {
  const found = await videoAt(extractor, path);
  const audio = await extractor.prepare(path, null, new AbortController().signal, ignore);
  if (!found.ok || !audio.ok) throw new Error('not a video');
  const video = found.value;
  return { video, audio: audio.value.path, covered: [], spans, durationMs: 10_000, container: video.containers[0]! };
}

describe.skipIf(!hasFfmpeg)('the cut of a video', () => {
  it.each(videoFormats)(
    'as %s is decoded without a mistake, has the same pictures and the length that was promised, and its audio is in step',
    async (container) => {
      const source = made(`source.${container}`, ...sources[container]);
      const cut = await opened(source);
      expect(cut.container).toBe(container);
      const planned = await extractor.planVideo(cut);
      if (!planned.ok) throw new Error(planned.error.code);
      const { pieces, longerMs } = planned.value;
      for (const span of spans)
        expect(pieces.some(({ startMs, endMs }) => startMs <= span.startMs && endMs >= span.endMs)).toBe(true);
      const target = join(folder, `cut.${container}`);
      const shares: number[] = [];
      const written = await extractor.cutVideo(cut, target, new AbortController().signal, (share) =>
        shares.push(share),
      );
      expect(written).toMatchObject({ ok: true, value: { sizeBytes: readFileSync(target).length } });
      expect(shares).toEqual(shares.toSorted((a, b) => a - b));
      run('ffmpeg', '-xerror', '-i', target, '-f', 'null', '-');
      const [all, kept] = [await hashes(source), await hashes(target)];
      const begins = [0, 100, 200].map((place) => kept.indexOf(all[place]!));
      expect(begins[0]).toBe(0);
      for (const [at, begin] of begins.entries()) {
        const length = (begins[at + 1] ?? kept.length) - begin;
        expect(kept.slice(begin, begin + length)).toEqual(all.slice(at * 100, at * 100 + length));
      }
      const { flashes, beeps, pictureCount, seconds } = marksOf(target);
      const promised = 0.8 + 0.9 + 1.9 + longerMs / 1000;
      expect(Math.abs(seconds - promised)).toBeLessThan(0.04);
      expect(Math.abs(pictureCount - promised * 25)).toBeLessThan(1);
      expect(kept).toHaveLength(pictureCount);
      expect(longerMs).toBeGreaterThan(1700);
      // From the first second, the fifth and the ninth on.
      expect(flashes).toHaveLength(6);
      expect(beeps).toHaveLength(6);
      for (const [at, flash] of flashes.entries()) expect(Math.abs(flash - beeps[at]!)).toBeLessThanOrEqual(0.04);
      expect(readdirSync(folder).filter((name) => name.startsWith('.ovoz-'))).toEqual([]);
    },
    120_000,
  );

  it('a piece begins with no key frame that counts on from pictures before it', async () => {
    const cut = await opened(made('open.mp4', ...h264, '-x264-params', 'open-gop=1'));
    const planned = await extractor.planVideo(cut);
    expect(planned).toMatchObject({ ok: true, value: { pieces: [{ endMs: Number.MAX_SAFE_INTEGER }] } });
    const target = join(folder, 'closed.mp4');
    expect(await extractor.cutVideo(cut, target, new AbortController().signal, ignore)).toMatchObject({ ok: true });
    expect(marksOf(target).flashes).toHaveLength(10);
  }, 120_000);

  it('the first piece leaves out the pictures that are shown before its key frame', async () => {
    const hevc = ['-c:v', 'libx265', '-x265-params', 'log-level=none:open-gop=1:scenecut=0:b-adapt=0', '-c:a', 'aac'];
    const cut = { ...(await opened(made('first.mp4', ...hevc))), spans: spans.slice(1, 2) };
    const planned = await extractor.planVideo(cut);
    if (!planned.ok) throw new Error(planned.error.code);
    expect(planned.value.pieces[0]?.startMs).toBeGreaterThan(4000);
    const target = join(folder, 'middle.mp4');
    expect(await extractor.cutVideo(cut, target, new AbortController().signal, ignore)).toMatchObject({ ok: true });
    const { flashes, beeps, pictureCount } = marksOf(target);
    expect(await hashes(target)).toHaveLength(pictureCount);
    expect(flashes).toHaveLength(2);
    expect(beeps).toHaveLength(2);
    for (const [at, flash] of flashes.entries()) expect(Math.abs(flash - beeps[at]!)).toBeLessThanOrEqual(0.04);
  }, 120_000);

  it('in another container, turned as it was', async () => {
    const upright = made('upright.mov', ...h264);
    const source = join(folder, 'turned.mov');
    run('ffmpeg', '-y', '-i', upright, '-c', 'copy', '-metadata:s:v:0', 'rotate=90', source);
    const cut = await opened(source);
    expect(cut.video.containers).toEqual(['mov', 'mp4', 'mkv']);
    const target = join(folder, 'turned.mp4');
    const written = await extractor.cutVideo(
      { ...cut, container: 'mp4' },
      target,
      new AbortController().signal,
      ignore,
    );
    expect(written).toMatchObject({ ok: true });
    const turned = (path: string) =>
      run('ffprobe', '-show_entries', 'stream_side_data=rotation:format_tags=major_brand', '-of', 'csv=p=0', path)
        .toString()
        .split('\n');
    expect(turned(source)[0]).toBe('90');
    expect(turned(target)[0]).toBe('90');
    expect(turned(target)).toContain('isom');
    expect(marksOf(target).flashes).toHaveLength(6);
  }, 120_000);

  it('what is redacted is not heard where a key frame brings it back', async () => {
    const cut = await opened(made('redacted.mp4', ...h264));
    const target = join(folder, 'silent.mp4');
    const covered = [{ startMs: 4000, endMs: 4500, cover: 'silence' as const }];
    const written = await extractor.cutVideo({ ...cut, covered }, target, new AbortController().signal, ignore);
    expect(written).toMatchObject({ ok: true });
    const { flashes, beeps } = marksOf(target);
    expect(flashes).toHaveLength(6);
    expect(beeps).toHaveLength(5);
  }, 120_000);

  it('what is stopped or fails leaves nothing, and the file that was there; the video itself is never replaced', async () => {
    const cut = await opened(made('stopped.mp4', ...h264));
    const target = join(folder, 'never.mp4');
    writeFileSync(target, 'before');
    for (const share of [0, 0.5]) {
      const stopping = new AbortController();
      const written = await extractor.cutVideo(cut, target, stopping.signal, (now) => {
        if (now >= share) setImmediate(() => stopping.abort());
      });
      expect(written).toMatchObject({ ok: false, error: { kind: 'export-unfinished', code: 'cancelled' } });
    }
    const failed = await extractor.cutVideo(
      { ...cut, video: { ...cut.video, path: cut.audio } },
      target,
      new AbortController().signal,
      ignore,
    );
    expect(failed).toMatchObject({ ok: false });
    expect(readFileSync(target, 'utf8')).toBe('before');
    const { path } = cut.video;
    const before = readFileSync(path);
    expect(await extractor.cutVideo(cut, path, new AbortController().signal, ignore)).toMatchObject({
      ok: false,
      error: { kind: 'name-taken' },
    });
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(folder).filter((name) => name.startsWith('.ovoz-'))).toEqual([]);
  }, 120_000);
});
