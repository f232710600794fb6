import { copyFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { locateDataFolder, prepareDataFolder } from '../../electron/platform/node/data-folder.ts';
import { readTextFile } from '../../electron/platform/node/read-text-file.ts';
import { openStorageFolder } from '../../electron/storage/storage-folder.ts';
import type { StorageFiles } from '../../electron/services/storage/storage-files.ts';
import { createOldRows } from '../../electron/services/storage/old-rows.ts';
import { ok } from '../../shared/result/result.ts';
import { makeVideo } from '../support/make-video.ts';
import { openQueueRig, refuse, takesAll, TestClock, type QueueRig } from '../support/queue-rig.ts';

const speech = fileURLToPath(new URL('../fixtures/audio/two-sentences.opus.ogg', import.meta.url));
const dayMs = 24 * 3_600_000;
const clock = new TestClock(100);
let rig: QueueRig;
let files: StorageFiles;
beforeEach(async () => {
  rig = await openQueueRig(takesAll, { clock });
  const folder = locateDataFolder(join(rig.folder, 'data'));
  prepareDataFolder(folder);
  files = openStorageFolder(folder);
});
afterEach(() => rig.close());

const texts = () => {
  const listed = rig.library.deletion.list();
  if (!listed.ok) throw new Error(listed.error.row);
  return listed.value.map(({ sourceName }) => sourceName).toSorted();
};
const names = () => rig.library.jobs.list().jobs.map(({ name }) => name);
/** Opens the queue this many days later, when rows that ended now are nearly a year old. */
const oldRowsIn = (days: number) =>
  createOldRows({ library: async () => ok(rig.library), now: () => clock.now() + (days + 364) * dayMs });
const clean = async () => {
  const kept = await rig.library.keptAudio();
  if (!kept.ok) throw new Error(kept.error.row);
  expect(await files.remove('prepared', kept.value)).toEqual(ok(null));
};
const extractor = () => readdirSync(join(rig.folder, 'data', 'prepared'));

it('rows that ended long ago leave the queue and can be restored; their transcripts stay', async () => {
  await rig.add(rig.record('a.wav', 300), rig.record('b.wav', 400));
  await rig.until(['done', 'done']);
  const rows = oldRowsIn(0);
  expect(await rows.count(365)).toEqual(ok({ rowCount: 0, textCount: 0 }));
  expect(await rows.count(90)).toEqual(ok({ rowCount: 2, textCount: 2 }));
  expect(await rows.remove(90, false, false)).toEqual(ok({ rowCount: 2, textCount: 0 }));
  expect([names(), texts()]).toEqual([[], ['a.wav', 'b.wav']]);
  await rig.reopen();
  expect([names(), texts()]).toEqual([[], ['a.wav', 'b.wav']]);
});

it('what was removed is restored as it was, once', async () => {
  await rig.add(rig.record('a.wav', 300), rig.record('b.wav', 400));
  await rig.until(['done', 'done']);
  const rows = oldRowsIn(1);
  await rows.remove(30, false, false);
  expect(await rows.restore()).toEqual(ok(2));
  expect(await rows.restore()).toEqual(ok(0));
  expect(names().toSorted()).toEqual(['a.wav', 'b.wav']);
});

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
  const [here, gone] = [join(rig.folder, 'here.mkv'), join(rig.folder, 'gone.webm')];
  await makeVideo(here, 'mkv', speech);
  await makeVideo(gone, 'webm', fileURLToPath(new URL('../fixtures/audio/two-sentences.vorbis.webm', import.meta.url)));
  await rig.add(here, gone);
  await rig.until(['done', 'done']);
  renameSync(gone, `${gone}.away`);
  const stray = `${'b'.repeat(64)}.m4a`;
  writeFileSync(join(rig.folder, 'data', 'prepared', stray), 'left of something');
  const kept = await rig.library.keptAudio();
  if (!kept.ok || kept.value === null) throw new Error('nothing is being prepared here');
  const part = (await files.measure(kept.value)).parts.find((one) => one.part === 'prepared');
  expect(part?.removableBytes).toBeGreaterThan(1000);
  expect(part?.removableBytes).toBeLessThan(part?.bytes ?? 0);
  const ids = rig.states().map((state) => (state.tag === 'done' ? (state.transcriptId ?? '') : ''));
  const again = async (at: number) => rig.library.transcripts.canTakeSoundAgain(ids[at] ?? '');
  expect(await again(0)).toBe(false);
  await clean();
  expect(extractor()).toEqual([...kept.value]);
  expect([await again(0), await again(1)]).toEqual([true, false]);
  expect(await rig.library.transcripts.takeSoundAgain(ids[0] ?? '')).toEqual(ok(null));
  expect([extractor().length, await again(0)]).toEqual([2, false]);
});

it('the sound of the video that the user attached to an imported text is taken again, and never that of another one', async () => {
  const [beside, attached] = [join(rig.folder, 'talk.mkv'), join(rig.folder, 'other.webm')];
  await makeVideo(beside, 'mkv', speech);
  await makeVideo(
    attached,
    'webm',
    fileURLToPath(new URL('../fixtures/audio/two-sentences.vorbis.webm', import.meta.url)),
  );
  const captions = join(rig.folder, 'talk.srt');
  writeFileSync(captions, '1\n00:00:00,100 --> 00:00:01,000\nSalom, dunyo!\n');
  const read = await readTextFile(captions);
  if (!read.ok) throw new Error(read.error.row);
  expect(read.value.mediaPath).toBe(beside);
  const imported = await rig.library.importTranscript({ ...read.value, language: 'uz' });
  if (!imported.ok) throw new Error(imported.error.row);
  const { transcriptId } = imported.value;
  const { transcripts } = rig.library;
  expect(await transcripts.relocateMedia(transcriptId, attached)).toEqual(ok(null));
  const removeAudio = () => {
    for (const name of extractor()) rmSync(join(rig.folder, 'data', 'prepared', name));
  };
  removeAudio();
  expect(await transcripts.canTakeSoundAgain(transcriptId)).toBe(true);
  expect(await transcripts.takeSoundAgain(transcriptId)).toEqual(ok(null));
  expect(await transcripts.canTakeSoundAgain(transcriptId)).toBe(false);
  // Another video of that name.
  removeAudio();
  copyFileSync(beside, attached);
  expect(await transcripts.takeSoundAgain(transcriptId)).toMatchObject({ error: { code: 'other_recording' } });
});

it('audio that the queue still needs stays', async () => {
  rig.server.script = refuse(503, 'unavailable');
  const video = join(rig.folder, 'waits.mkv');
  await makeVideo(video, 'mkv', speech);
  await rig.add(video);
  await expect.poll(() => rig.posts().length, { timeout: 15_000 }).toBeGreaterThan(0);
  const before = extractor();
  await clean();
  expect(extractor()).toEqual(before);
  expect(before.length).toBe(1);
});
