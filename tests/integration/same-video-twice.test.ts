import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { openExtractedAudio } from '../../electron/platform/node/audio/extracted-audio.ts';
import { makeVideo } from '../support/make-video.ts';

const folder = mkdtempSync(join(tmpdir(), 'ovoz-twice-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('the audio of a video present twice is extracted once, though both are prepared at the same time', async () => {
  const [one, other] = [join(folder, 'Suhbat.mp4'), join(folder, 'Suhbat (1).mp4')];
  await makeVideo(one, 'mp4', fileURLToPath(new URL('../fixtures/audio/two-sentences.m4a', import.meta.url)));
  copyFileSync(one, other);
  const kept = join(folder, 'prepared');
  const extractor = openExtractedAudio(kept, new URL('../../electron/entries/audio-worker.ts', import.meta.url));
  const { signal } = new AbortController();
  const prepared = await Promise.all(
    [one, other, one].map((path) => extractor.prepare(path, null, signal, () => undefined)),
  );
  await extractor.close();
  const [first] = prepared;
  expect(first).toMatchObject({ ok: true });
  expect(prepared).toEqual([first, first, first]);
  expect(readdirSync(kept)).toHaveLength(1);
});
