import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openQueueRig, type QueueRig } from '../support/queue-rig.ts';
import { toneWav } from '../support/wav-files.ts';
let rig: QueueRig;

beforeEach(async () => {
  rig = await openQueueRig();
  await rig.library.jobs.hold(true);
});
afterEach(() => rig.close());

const wanted = (files: readonly { readonly path: string }[], includeSpeakers = false) =>
  files.map(({ path }) => ({ path, kind: 'transcribe', language: 'uz', includeSpeakers }) as const);

function fill(folder: string, count: number): string {
  const wav = toneWav(300, 0.05);
  mkdirSync(folder, { recursive: true });
  for (let at = 0; at < count; at += 1) {
    writeFileSync(join(folder, `${String(at)}.wav`), Buffer.concat([wav, Buffer.from(String(at))]));
  }
  return folder;
}

it('a folder that is dropped again is reported as repeated; with other options, or another size, a file is new', async () => {
  const folder = fill(join(rig.folder, 'again'), 6);
  const { files } = await rig.library.files.walk([folder]);
  const first = await rig.library.jobs.add(wanted(files), undefined, { skipsRepeats: true });
  const again = await rig.library.jobs.add(wanted(files), undefined, { skipsRepeats: true });
  expect(again).toMatchObject({ jobIds: [], refused: [] });
  expect(again.repeated.map(({ jobId }) => jobId).toSorted()).toEqual(first.jobIds.toSorted());
  appendFileSync(files[0]?.path ?? '', Buffer.alloc(320));
  expect((await rig.library.jobs.add(wanted(files), undefined, { skipsRepeats: true })).jobIds).toHaveLength(1);
  expect((await rig.library.jobs.add(wanted(files, true), undefined, { skipsRepeats: true })).jobIds).toHaveLength(6);
});

const minute = 60_000;

it('files within the limit are added as they are found; the user is asked once about the rest, with all of it known', async () => {
  const { files } = await rig.library.files.walk([fill(join(rig.folder, 'asked'), 300)]);
  const requests = wanted(files);
  const asked: (readonly [number, boolean])[] = [];
  const answers = { isYes: false };
  let admittedCount = 0;
  const watch = {
    signal: new AbortController().signal,
    onProgress: () => undefined,
    admit: async (
      some: readonly { readonly sizeBytes: number; readonly durationMs: number | null }[],
      isLastBatch: boolean,
    ) => {
      asked.push([some.length, isLastBatch]);
      expect(some.every(({ durationMs }) => durationMs !== null && durationMs < minute)).toBe(true);
      const isWithin = admittedCount + some.length <= 100;
      if (isWithin) admittedCount += some.length;
      return isWithin || (isLastBatch && answers.isYes);
    },
  };
  expect((await rig.library.jobs.add(requests, watch)).jobIds).toHaveLength(96);
  // Two parts were allowed, the third was not; then the user was asked about all the rest at once.
  expect(asked).toEqual([
    [48, false],
    [48, false],
    [48, false],
    [204, true],
  ]);
  answers.isYes = true;
  expect((await rig.library.jobs.add(requests.slice(0, 150), watch)).jobIds).toHaveLength(150);
  expect(asked.slice(4)).toEqual([
    [48, false],
    [150, true],
  ]);
  expect(rig.library.jobs.list().jobs).toHaveLength(96 + 150);
});

it('files that are kept waiting by the answer are in the list as paused, and none of them is sent', async () => {
  const { files } = await rig.library.files.walk([fill(join(rig.folder, 'kept waiting'), 60)]);
  const asked: boolean[] = [];
  const watch = {
    signal: new AbortController().signal,
    onProgress: () => undefined,
    admit: async (_some: unknown, isLastBatch: boolean) => {
      asked.push(isLastBatch);
      return isLastBatch && ('waits' as const);
    },
  };
  const { jobIds } = await rig.library.jobs.add(wanted(files), watch);
  expect(asked).toEqual([false, true]);
  const added = rig.library.jobs.list().jobs.filter(({ id }) => jobIds.includes(id));
  expect(added.map(({ state }) => state.tag)).toEqual(Array.from({ length: 60 }, () => 'paused'));
});
