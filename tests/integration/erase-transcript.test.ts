import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { sweepTraces, backUp, eraseFromBackups, listBackups } from '../../electron/storage/library-backups.ts';
import { writeText, type NewTranscript, type StoredJob } from '../../electron/services/library/store.ts';
import { createDeletion, undoMs } from '../../electron/services/library-items/deletion.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { err, ok } from '../../shared/result/result.ts';
import { addedJob } from '../support/library-to-damage.ts';
import { filesHolding } from '../security/scan-for-secret.ts';
import { openStore, valueOf } from './open-library.ts';
import { folderOfTest } from '../support/test-folders.ts';

let folder = '';
beforeEach(() => {
  folder = folderOfTest();
  mkdirSync(join(folder, 'peaks'), { recursive: true });
});

/** Words in every place where a transcript leaves something; long enough to fill pages of their own. */
const canaries: Readonly<Record<string, string>> = {
  a: 'qovun-xurmo-CANARY-7731-anjir ',
  b: 'Samarqand-kitob-2099-daftar ',
};
const canaryOf = (id: string) => canaries[id] ?? '';
const shaOf = (id: string) => id.repeat(64).slice(0, 64);

const jobOf = (id: string): StoredJob => ({
  ...addedJob(1),
  id: `job-${id}`,
  path: `/recordings/${canaryOf(id)}.wav`,
  name: `${canaryOf(id)}.wav`,
});
const textOf = (id: string, rawAnswerId: number): NewTranscript => ({
  id,
  jobId: `job-${id}`,
  title: canaryOf(id),
  sourceName: `${canaryOf(id)}.wav`,
  createdAtMs: 5,
  mediaPath: `/recordings/${canaryOf(id)}.wav`,
  mediaSha256: shaOf(id),
  remoteId: `remote-${id}`,
  rawAnswerId,
  model: null,
  written: writeText({
    language: 'uz',
    durationMs: 1000,
    speakers: [],
    segments: Array.from({ length: 400 }, (_, at) => ({
      id: `s${String(at)}`,
      speakerId: null,
      startMs: at,
      endMs: at + 1,
      text: `${canaryOf(id)}${String(at)}`,
      words: [],
    })),
  }),
});

/** A library with two transcripts, two backups and waveforms, and its erasure with a clock set by the test. */
function build() {
  const path = join(folder, 'library.db');
  const { database, store } = openStore(folder);
  for (const id of ['a', 'b']) {
    const job = jobOf(id);
    expect(store.addJobs([job]).ok).toBe(true);
    const body = canaryOf(id).repeat(300);
    const raw = valueOf(store.saveRawAnswer({ jobId: job.id, atMs: 1, source: 'read', requestId: null, body }));
    valueOf(store.commit(job, { type: 'recovered' }, 1, { transcript: textOf(id, raw) }));
    writeFileSync(join(folder, 'peaks', `${shaOf(id)}.peaks`), canaryOf(id));
  }
  backUp(database, path, Date.now() - 1000);
  backUp(database, path, Date.now());
  const clock = { now: 1_000_000, timers: new Set<{ readonly atMs: number; readonly run: () => void }>() };
  const listed = new Set(['job-a', 'job-b']);
  const asked: string[] = [];
  const service = { isReached: true };
  const disk = { refuses: false, tries: 0 };
  const copying = { ends: (): void => undefined };
  const begin = () =>
    createDeletion({
      store: {
        ...store,
        eraseItems(ids) {
          disk.tries += 1;
          return disk.refuses ? err(makeFailure('disk-full')) : store.eraseItems(ids);
        },
      },
      jobs: {
        list: () => ({ jobs: [...listed].map((id) => ({ id })) as never, queue: {} as never }),
        act: async (ids) => {
          for (const id of ids) listed.delete(id);
          const hidden = store.hideJobs(ids);
          return hidden.ok ? ok({ changedCount: ids.length, acceptedCount: 0 }) : hidden;
        },
        bringBack: async (ids) => {
          for (const id of ids) listed.add(id);
          const shown = store.showJobs(ids);
          return shown.ok ? ok(shown.value.length) : shown;
        },
      },
      api: {
        remove: async (remoteId) => {
          asked.push(remoteId);
          return service.isReached ? ok(null) : err(makeFailure('service-unreachable'));
        },
      },
      account: () => 'account',
      backups: {
        settled: async () => {
          await Promise.resolve();
          copying.ends();
        },
      },
      eraseOthers: async () => ok(null),
      sweep: sweepTraces({ erase: async (ids) => eraseFromBackups(path, ids) }, [join(folder, 'peaks')]),
      clock: {
        now: () => clock.now,
        monotonic: () => clock.now,
        after: (ms, run) => {
          const timer = { atMs: clock.now + ms, run };
          clock.timers.add(timer);
          return () => clock.timers.delete(timer);
        },
      },
      log: { write: () => undefined },
    });
  const deletion = begin();
  const holders = (id: string) => filesHolding(folder, canaryOf(id).trim()).map((found) => basename(found));
  return { store, deletion, begin, database, path, clock, listed, asked, service, disk, copying, holders };
}

it('nothing in the folder contains its words any more, in no page, log, backup or waveform; the others are whole (S-43)', async () => {
  const { deletion, store, path, listed, asked, holders } = build();
  const ages = listBackups(path).map((copy) => Math.round(statSync(copy).mtimeMs));
  expect(holders('a').length).toBeGreaterThan(3);
  expect(await deletion.remove('a', true)).toEqual(ok(null));
  await deletion.close();
  await deletion.start();
  expect(holders('a')).toEqual([]);
  expect([...listed]).toEqual(['job-b']);
  expect(asked).toEqual(['remote-a']);
  expect(store.transcript('b')).toMatchObject({
    ok: true,
    value: { transcript: JSON.parse(String(textOf('b', 2).written.body)) },
  });
  expect(holders('b').filter((name) => name.startsWith('library-')).length).toBe(2);
  expect(holders('b')).toContain(`${shaOf('b')}.peaks`);
  expect(listBackups(path).map((copy) => Math.round(statSync(copy).mtimeMs))).toEqual(ages);
  expect(readdirSync(join(folder, 'backups')).filter((name) => !name.endsWith('.db'))).toEqual([]);
  store.close();
  expect(holders('a')).toEqual([]);
});

it('it disappears at once, can be restored for a moment and then no more', async () => {
  const { deletion, clock, listed, holders, store } = build();
  await deletion.remove('a', false);
  expect([deletion.isGone('a'), [...listed]]).toEqual([true, ['job-b']]);
  expect(deletion.list()).toMatchObject({ ok: true, value: [{ id: 'b' }] });
  clock.now += undoMs - 1;
  expect(await deletion.restore('a')).toEqual(ok(true));
  expect([deletion.isGone('a'), [...listed]]).toEqual([false, ['job-b', 'job-a']]);
  expect([...clock.timers]).toEqual([]);

  await deletion.remove('a', false);
  clock.now += undoMs;
  for (const timer of clock.timers) timer.run();
  expect(await deletion.restore('a')).toEqual(ok(false));
  expect(holders('a')).toEqual([]);
  store.close();
});

it('a backup in progress is waited for, and its contents are erased too (S-43)', async () => {
  const { deletion, store, database, path, copying, holders } = build();
  const seen: boolean[] = [];
  copying.ends = () => {
    const found = store.transcript('a');
    seen.push(found.ok && found.value !== null);
    backUp(database, path, Date.now() + 1000);
  };
  await deletion.remove('a', false);
  await deletion.close();
  expect(seen).toEqual([true]);
  expect([holders('a'), listBackups(path).length]).toEqual([[], 3]);
  store.close();
});

it('an erasure interrupted by a crash is finished by the next start; the service is asked until it answers', async () => {
  const { deletion, begin, service, asked, holders, store } = build();
  await deletion.remove('a', true);
  // The process ends here: nothing is closed, no timer fires.
  const next = begin();
  service.isReached = false;
  expect(next.isGone('a')).toBe(true);
  await next.start();
  expect(holders('a')).toEqual([]);
  expect(asked).toEqual(['remote-a']);
  service.isReached = true;
  await next.start();
  await next.start();
  expect(asked).toEqual(['remote-a', 'remote-a']);
  store.close();
});

it('a backup that can’t be cleaned is deleted', async () => {
  const { deletion, path, store } = build();
  const [newest = '', oldest = ''] = listBackups(path);
  writeFileSync(newest, Buffer.from(`SQLite format 3\0${canaryOf('a').repeat(50)}`));
  await deletion.remove('a', false);
  await deletion.close();
  expect(listBackups(path)).toEqual([oldest]);
  expect(store.listTranscripts()).toMatchObject({ ok: true, value: [{ id: 'b' }] });
  store.close();
});

it('a failed write is retried after a while, not again and again at once, and not after the end', async () => {
  const { deletion, clock, disk, holders, store } = build();
  const runDue = async () => {
    for (let round = 0; round < 5; round += 1) {
      for (const timer of [...clock.timers].filter(({ atMs }) => atMs <= clock.now)) {
        clock.timers.delete(timer);
        timer.run();
      }
      await new Promise((resolve) => void setImmediate(resolve));
    }
  };
  await deletion.remove('a', false);
  disk.refuses = true;
  clock.now += undoMs;
  await runDue();
  await expect.poll(() => [disk.tries, clock.timers.size]).toEqual([1, 1]);
  disk.refuses = false;
  clock.now += 30_000;
  await runDue();
  // The traces are removed from a real disk, which takes its time.
  await expect.poll(() => [disk.tries, holders('a')]).toEqual([2, []]);

  await deletion.remove('b', false);
  disk.refuses = true;
  clock.now += undoMs;
  for (const timer of clock.timers) timer.run();
  await deletion.close();
  await new Promise((resolve) => void setImmediate(resolve));
  const { tries } = disk;
  clock.timers.delete([...clock.timers][0] as never);
  await runDue();
  expect([disk.tries, clock.timers.size]).toEqual([tries, 0]);
  store.close();
});

it('items in the trash are restored after a restart, and erased when their term is over or on demand', async () => {
  const { deletion, clock, listed, holders, store } = build();
  await deletion.trashAll(['a', 'b', 'unknown']);
  expect([deletion.isGone('a'), [...listed], [...deletion.trashed().keys()]]).toEqual([true, [], ['a', 'b']]);
  expect(deletion.list()).toMatchObject({ ok: true, value: [] });
  await deletion.close();
  await deletion.start();
  expect(holders('a').length).toBeGreaterThan(3);
  expect(await deletion.restoreAll(['a'])).toEqual(ok(1));
  expect([[...listed], deletion.isGone('a')]).toEqual([['job-a'], false]);

  expect(await deletion.eraseTrashed(['a', 'b'], false)).toEqual(ok(null));
  expect(holders('b')).toEqual([]);
  expect(holders('a').length).toBeGreaterThan(3);

  await deletion.trashAll(['a']);
  clock.now += 30 * 86_400_000 - 1;
  await deletion.start();
  expect(holders('a').length).toBeGreaterThan(3);
  clock.now += 1;
  await deletion.start();
  expect(holders('a')).toEqual([]);
  expect(deletion.trashed().size).toBe(0);
  store.close();
});

it('what a conversation searched for is overwritten before its row goes', () => {
  const { database, store } = openStore(folder);
  valueOf(
    store.conversations.save({
      id: 'c',
      title: '',
      createdAtMs: 1,
      changedAtMs: 1,
      transcriptIds: [],
      sources: [{ kind: 'search', id: canaryOf('a'), itemIds: [] }],
    }),
  );
  database.exec(`CREATE TEMP TABLE gone (sources TEXT);
    CREATE TEMP TRIGGER goes BEFORE DELETE ON conversations BEGIN INSERT INTO gone VALUES (OLD.sources); END`);
  valueOf(store.eraseItems(['c']));
  expect(database.prepare('SELECT sources FROM gone').all()).toEqual([
    { sources: expect.stringMatching(/^0+$/u) as unknown },
  ]);
});
