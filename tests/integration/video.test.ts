import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, readdirSync, rmSync, writeFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openQueueRig, takesAll, refuse, TestClock, type QueueRig } from '../support/queue-rig.ts';
import { makeVideo, soundPackets } from '../support/make-video.ts';
import { locateDataFolder, prepareDataFolder } from '../../electron/platform/node/data-folder.ts';
import { createOldRows } from '../../electron/services/storage/storage-service.ts';
import { openStorageFolder, type StorageFiles } from '../../electron/storage/storage-folder.ts';
import { ok } from '../../shared/result/result.ts';
import { valueOf } from './open-library.ts';

const clock = new TestClock(100);
let rig: QueueRig;

let files: StorageFiles;
let folder = '';
beforeEach(async () => {
  rig = await openQueueRig(takesAll, { clock });
  ({ folder } = rig);
  const data = locateDataFolder(join(folder, 'data'));
  prepareDataFolder(data);
  files = openStorageFolder(data);
});
afterEach(async () => {
  await rig.close();
});
const prepared = () => join(folder, 'data', 'prepared');
const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/audio/${name}`, import.meta.url));
const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;
if (!hasFfmpeg) console.warn('Skipped: ffmpeg is not installed, so no sound is encoded again.');

/** What was sent of the recording: its file name and its bytes. */
function sent(at = 0): { readonly name: string; readonly bytes: Buffer } {
  const body = rig.posts()[at]?.body ?? Buffer.alloc(0);
  const name = /filename="([^"]*)"/.exec(body.toString('utf8'))?.[1] ?? '';
  const head = body.indexOf('\r\n\r\n', body.indexOf('filename=')) + 4;
  const boundary = body.subarray(0, body.indexOf('\r\n'));
  return { name, bytes: body.subarray(head, body.indexOf(Buffer.concat([Buffer.from('\r\n'), boundary]), head)) };
}

/** Seconds of silence before the audio starts. */
function firstSoundAt(path: string): number {
  const args = ['-v', 'info', '-i', path, '-af', 'silencedetect=n=-50dB:d=0.5', '-f', 'null', '-'];
  return Number(/silence_end: ([\d.]+)/.exec(spawnSync('ffmpeg', args, { encoding: 'utf8' }).stderr)?.[1]);
}

const videos = [
  ['a.mkv', 'two-sentences.opus.ogg', 'ogg'],
  ['b.webm', 'two-sentences.vorbis.webm', 'ogg'],
  ['c.mp4', 'two-sentences.m4a', 'm4a'],
  ['Maʼruza 1.mov', 'two-sentences.s16.wav', 'wav'],
  ['e.mkv', 'two-sentences.mp3', 'mp3'],
  ['f.mkv', 'two-sentences.flac', 'flac'],
] as const;
type Container = 'mkv' | 'webm' | 'mp4' | 'mov';

it('of videos only the audio is sent, packet for packet, under the name of the video', async () => {
  for (const [name, from] of videos)
    await makeVideo(join(folder, name), name.slice(name.indexOf('.') + 1) as Container, fixture(from));
  await rig.add(...videos.map(([name]) => join(folder, name)));
  await rig.until(videos.map(() => 'done'));
  const uploads = new Map(rig.posts().map((_, at) => [sent(at).name, sent(at).bytes]));
  for (const [name, from, extension] of videos) {
    const sentName = `${name.slice(0, name.indexOf('.'))}.${extension}`;
    const bytes = uploads.get(sentName) ?? Buffer.alloc(0);
    const path = join(folder, `sent-${sentName}`);
    writeFileSync(path, bytes);
    expect(bytes.length, sentName).toBeLessThan(readFileSync(join(folder, name)).length);
    expect(Buffer.concat(await soundPackets(path)).equals(Buffer.concat(await soundPackets(fixture(from))))).toBe(true);
  }
});

it('the same video under another name is recognized, and extracting its audio again gives the same bytes', async () => {
  const video = join(folder, 'a.mkv');
  await makeVideo(video, 'mkv', fixture('two-sentences.opus.ogg'));
  copyFileSync(video, join(folder, 'b.mkv'));
  await rig.add(video);
  await rig.until(['done']);
  await rig.reopen(() => {
    rmSync(prepared(), { recursive: true });
  });
  await rig.add(join(folder, 'b.mkv'));
  await rig.until(['done', 'needs-user']);
  expect(rig.library.jobs.list().jobs[1]?.state).toMatchObject({ failure: { kind: 'already-in-queue' } });
  expect(rig.posts()).toHaveLength(1);
});

it('the extracted audio is deleted for good with its transcript, and its other paths are forgotten (S-43)', async () => {
  const video = join(folder, 'a.mkv');
  await makeVideo(video, 'mkv', fixture('two-sentences.opus.ogg'));
  await rig.add(video);
  await rig.until(['done']);
  const [row] = rig.library.jobs.list().jobs;
  const transcriptId = row?.state.tag === 'done' ? (row.state.transcriptId ?? '') : '';
  const line = { atMs: 1, outcome: 'done', row: null } as const;
  rig.library.automation.note({ ...line, kind: 'copy', key: `${transcriptId}:txt`, name: 'a.txt' });
  rig.library.automation.note({ ...line, kind: 'watch', key: '1:2:3', name: 'a.mkv' });
  expect(await rig.library.deletion.remove(transcriptId, false)).toMatchObject({ ok: true });
  await rig.reopen(() => {
    expect(readdirSync(prepared())).toEqual([]);
  });
  expect(rig.library.automation.list(10)).toMatchObject([{ kind: 'watch', name: '' }]);
});

it.skipIf(!hasFfmpeg)(
  'audio that starts late is encoded again behind silence, so that its times are those of the video',
  async () => {
    const late = join(folder, 'late.mkv');
    await makeVideo(late, 'mkv', fixture('two-sentences.opus.ogg'), 1.5);
    await rig.add(late);
    await rig.until(['done']);
    const heard = join(folder, 'sent.m4a');
    writeFileSync(heard, sent().bytes);
    expect(firstSoundAt(heard) - firstSoundAt(fixture('two-sentences.opus.ogg'))).toBeCloseTo(1.5, 1);
  },
);
const dayMs = 24 * 3_600_000;

const texts = () =>
  valueOf(rig.library.deletion.list())
    .map(({ sourceName }) => sourceName)
    .toSorted();
const names = () => rig.library.jobs.list().jobs.map(({ name }) => name);
/** Opens the queue this many days later, when rows that ended now are nearly a year old. */
const oldRowsIn = (days: number) =>
  createOldRows({ library: async () => ok(rig.library), now: () => clock.now() + (days + 364) * dayMs });
const clean = async () =>
  expect(await files.remove('prepared', valueOf(await rig.library.keptAudio()))).toEqual(ok(null));
const extractor = () => readdirSync(prepared());

it('rows deleted with their transcripts are gone for good, at the service only if requested, and failed rows stay', async () => {
  const refused = rig.record('refused.wav', 500);
  await rig.add(rig.record('a.wav', 300), rig.record('b.wav', 400));
  await rig.until(['done', 'done']);
  rig.server.script = refuse(422, 'unprocessable');
  await rig.add(refused);
  await rig.until(['done', 'done', 'failed']);
  const rows = oldRowsIn(1);
  expect(await rows.remove(7, true, false)).toEqual(ok({ rowCount: 2, textCount: 2 }));
  expect([names(), texts()]).toEqual([['refused.wav'], []]);
  expect(await rows.restore()).toEqual(ok(2));
  expect([names().length, texts()]).toEqual([3, ['a.wav', 'b.wav']]);
  rig.server.script = takesAll;
  await rows.remove(7, true, false);
  await rig.reopen();
  expect([names(), texts()]).toEqual([['refused.wav'], []]);
  expect(rig.server.seen.filter(({ method }) => method === 'DELETE')).toEqual([]);
});

it('the audio of a video is deleted if it can be extracted again, and then plays the same bytes', async () => {
  const [here, gone] = [join(folder, 'here.mkv'), join(folder, 'gone.webm')];
  await makeVideo(here, 'mkv', fixture('two-sentences.opus.ogg'));
  await makeVideo(gone, 'webm', fixture('two-sentences.vorbis.webm'));
  await rig.add(here, gone);
  await rig.until(['done', 'done']);
  renameSync(gone, `${gone}.away`);
  const stray = `${'b'.repeat(64)}.m4a`;
  writeFileSync(join(prepared(), stray), 'left of something');
  const kept = valueOf(await rig.library.keptAudio());
  if (kept === null) throw new Error('nothing is being prepared here');
  const part = (await files.measure(kept)).parts.find((one) => one.part === 'prepared');
  expect(part?.removableBytes).toBeGreaterThan(1000);
  expect(part?.removableBytes).toBeLessThan(part?.bytes ?? 0);
  const ids = rig.states().map((state) => (state.tag === 'done' ? (state.transcriptId ?? '') : ''));
  const again = async (at: number) => rig.library.transcripts.canReextractAudio(ids[at] ?? '');
  expect(await again(0)).toBe(false);
  await clean();
  expect(extractor()).toEqual([...kept]);
  expect([await again(0), await again(1)]).toEqual([true, false]);
  expect(await rig.library.transcripts.takeSoundAgain(ids[0] ?? '')).toEqual(ok(null));
  expect([extractor().length, await again(0)]).toEqual([2, false]);
});

it('audio that the queue still needs stays', async () => {
  rig.server.script = refuse(503, 'unavailable');
  const video = join(folder, 'waits.mkv');
  await makeVideo(video, 'mkv', fixture('two-sentences.opus.ogg'));
  await rig.add(video);
  await expect.poll(() => rig.posts().length, { timeout: 15_000 }).toBeGreaterThan(0);
  const before = extractor();
  await clean();
  expect(extractor()).toEqual(before);
  expect(before.length).toBe(1);
});
