import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { systemClock } from '../../electron/services/jobs/ports.ts';
import { openQueueRig, takesAll, type QueueRig } from '../support/queue-rig.ts';
import { makeVideo, soundPackets } from '../support/make-video.ts';

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/audio/${name}`, import.meta.url));
const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;
if (!hasFfmpeg) console.warn('Skipped: ffmpeg is not installed, so no sound is encoded again.');

let folder = '';
let rig: QueueRig;

/** What was sent of the recording: its file name and its bytes. */
function sent(at = 0): { readonly name: string; readonly bytes: Buffer } {
  const body = rig.posts()[at]?.body ?? Buffer.alloc(0);
  const name = /filename="([^"]*)"/.exec(body.toString('utf8'))?.[1] ?? '';
  const head = body.indexOf('\r\n\r\n', body.indexOf('filename=')) + 4;
  const boundary = body.subarray(0, body.indexOf('\r\n'));
  return { name, bytes: body.subarray(head, body.indexOf(Buffer.concat([Buffer.from('\r\n'), boundary]), head)) };
}

async function audioOf(bytes: Buffer, name: string): Promise<readonly Buffer[]> {
  const path = join(folder, `sent-${name}`);
  writeFileSync(path, bytes);
  return soundPackets(path);
}

/** Seconds of silence before the audio starts. */
function firstSoundAt(path: string): number {
  const args = ['-v', 'info', '-i', path, '-af', 'silencedetect=n=-50dB:d=0.5', '-f', 'null', '-'];
  return Number(/silence_end: ([\d.]+)/.exec(spawnSync('ffmpeg', args, { encoding: 'utf8' }).stderr)?.[1]);
}

beforeEach(async () => {
  rig = await openQueueRig(takesAll, { clock: systemClock });
  ({ folder } = rig);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rig.close();
});

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
    expect(bytes.length, sentName).toBeLessThan(readFileSync(join(folder, name)).length);
    expect(Buffer.concat(await audioOf(bytes, sentName)).equals(Buffer.concat(await soundPackets(fixture(from))))).toBe(
      true,
    );
  }
});

it('the transcript plays the audio that was sent, and the row keeps the name of the video', async () => {
  const video = join(folder, 'suhbat.mkv');
  await makeVideo(video, 'mkv', fixture('two-sentences.opus.ogg'));
  await rig.add(video);
  await rig.until(['done']);
  const [row] = rig.library.jobs.list().jobs;
  const opened = await rig.library.transcripts.open(row?.state.tag === 'done' ? (row.state.transcriptId ?? '') : '');
  if (!opened.ok) throw new Error(opened.error.row);
  expect(opened.value).toMatchObject({ sourceName: 'suhbat.mkv', title: 'suhbat' });
  expect(readFileSync(opened.value.mediaPath).equals(sent().bytes)).toBe(true);
  expect(createHash('sha256').update(sent().bytes).digest('hex')).toBe(opened.value.mediaSha256);
});

it('the same video under another name is recognized, and extracting its audio again gives the same bytes', async () => {
  const video = join(folder, 'a.mkv');
  await makeVideo(video, 'mkv', fixture('two-sentences.opus.ogg'));
  copyFileSync(video, join(folder, 'b.mkv'));
  await rig.add(video);
  await rig.until(['done']);
  await rig.reopen(() => {
    rmSync(join(folder, 'data', 'prepared'), { recursive: true });
  });
  await rig.add(join(folder, 'b.mkv'));
  await rig.until(['done', 'needs-user']);
  expect(rig.library.jobs.list().jobs[1]?.state).toMatchObject({ failure: { row: 'E-212' } });
  expect(rig.posts()).toHaveLength(1);
});

it('extracted audio is sent even if the video is gone, and no partial file is ever left', async () => {
  const video = join(folder, 'a.mkv');
  await makeVideo(video, 'mkv', fixture('two-sentences.opus.ogg'));
  await rig.library.jobs.hold(true);
  await rig.add(video);
  await rig.until(['waiting']);
  rmSync(video);
  await rig.library.jobs.hold(false);
  await rig.until(['done']);
  expect(readdirSync(join(folder, 'data', 'prepared'))).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.ogg$/)]);
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
    expect(readdirSync(join(folder, 'data', 'prepared'))).toEqual([]);
  });
  expect(rig.library.automation.list(10)).toMatchObject([{ kind: 'watch', name: '' }]);
});

it('the video that is attached to an imported text is known by its name, and its audio can be taken from it again', async () => {
  const video = join(folder, 'suhbat.mkv');
  await makeVideo(video, 'mkv', fixture('two-sentences.opus.ogg'));
  const text = join(folder, 'matn.srt');
  writeFileSync(text, '1\n00:00:00,100 --> 00:00:01,000\nSalom, dunyo!\n');
  const bytes = readFileSync(text);
  const file = { path: text, name: 'matn.srt', bytes, mediaPath: null, language: 'uz' } as const;
  const imported = await rig.library.importTranscript(file);
  if (!imported.ok) throw new Error(imported.error.code);
  const { transcriptId } = imported.value;
  const { transcripts } = rig.library;
  expect(transcripts.find(transcriptId)).toMatchObject({ value: { recordingPath: null } });
  expect(await transcripts.relocateMedia(transcriptId, video)).toMatchObject({ ok: true });
  const attached = transcripts.find(transcriptId);
  expect(attached).toMatchObject({ value: { recordingPath: video } });
  const audio = attached.ok ? attached.value.mediaPath : '';
  expect(audio).not.toBe(video);
  rmSync(audio);
  expect(await transcripts.canTakeSoundAgain(transcriptId)).toBe(true);
  expect(await transcripts.takeSoundAgain(transcriptId)).toMatchObject({ ok: true });
  expect(readFileSync(audio).length).toBeGreaterThan(0);
});

it('a video without audio is rejected before anything is sent', async () => {
  const { files, refused } = await rig.library.files.inspect([fixture('only-picture.webm')]);
  expect(files).toEqual([]);
  expect(refused).toMatchObject([{ failure: { row: 'E-211', code: 'no_sound' } }]);
});

it('the plan is shown before the start: sent unchanged, extracted, or encoded again', async () => {
  const late = join(folder, 'late.mkv');
  const video = join(folder, 'video.mkv');
  await makeVideo(video, 'mkv', fixture('two-sentences.opus.ogg'));
  await makeVideo(late, 'mkv', fixture('two-sentences.opus.ogg'), 1.5);
  const { files } = await rig.library.files.inspect([fixture('two-sentences.mp3'), video, late]);
  expect(files.map(({ plan }) => plan)).toEqual(['as-is', 'copy', 'convert']);
  expect(files[1]?.durationMs).toBeGreaterThan(1000);
});

it('without ffmpeg a recording that needs it says so, and the others continue', async () => {
  mkdirSync(join(folder, 'empty'));
  vi.stubEnv('PATH', join(folder, 'empty'));
  const late = join(folder, 'late.mkv');
  await makeVideo(late, 'mkv', fixture('two-sentences.opus.ogg'), 1.5);
  await rig.add(late, fixture('two-sentences.mp3'));
  await rig.until(['needs-user', 'done']);
  expect(rig.library.jobs.list().jobs[0]?.state).toMatchObject({ failure: { row: 'E-211', code: 'needs_converter' } });
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

it.skipIf(!hasFfmpeg)('a file that pretends to be a film fails alone, with a message of its own', async () => {
  const broken = join(folder, 'broken.avi');
  writeFileSync(broken, Buffer.concat([Buffer.from('RIFF\u0000\u0000\u0000\u0000AVI LIST'), Buffer.alloc(5000, 7)]));
  await rig.add(broken, fixture('two-sentences.mp3'));
  await rig.until(['needs-user', 'done']);
  expect(rig.library.jobs.list().jobs[0]?.state).toMatchObject({ failure: { row: 'E-211', code: 'no_sound' } });
});
