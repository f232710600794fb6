import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ClientClock } from '../../electron/service/transport.ts';
import type { StoredJob } from '../../electron/services/library/store.ts';
import { type LibraryStore } from '../../electron/storage/sqlite-library-store.ts';
import { backUp, listBackups } from '../../electron/storage/library-backups.ts';
import { openCheckedLibrary, startBackups } from '../../electron/workers/backups.ts';
import type { JobRecord } from '../../shared/domain/jobs/job-state.ts';
import { seededRandom } from '../../shared/domain/random/seeded-random.ts';
import { addedJob, movedOn, textOf } from '../support/library-to-damage.ts';
import { openStore, valueOf, withStore } from './open-library.ts';
import { folderOfFile, folderOfTest } from '../support/test-folders.ts';

const root = folderOfFile();
const workerUrl = new URL('../../electron/entries/library-worker.ts', import.meta.url);
const dyingUrl = new URL(`data:text/javascript,${encodeURIComponent("throw new Error('dies')")}`);
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
let folder = '';
let path = '';
beforeEach(() => {
  folder = folderOfTest();
  path = join(folder, 'library.db');
});

/** A clock moved by the test. */
function handClock() {
  let atMs = Date.now();
  const timers = new Set<{ readonly dueMs: number; readonly run: () => void }>();
  const clock: ClientClock = {
    now: () => atMs,
    monotonic: () => atMs,
    after(ms, run) {
      const timer = { dueMs: atMs + ms, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
  };
  const passes = (ms: number) => {
    atMs += ms;
    for (const timer of [...timers].filter(({ dueMs }) => dueMs <= atMs)) {
      timers.delete(timer);
      timer.run();
    }
  };
  return { clock, passes };
}

const open = () => openStore(folder);
const openChecked = async (worker = workerUrl) =>
  withStore(valueOf(await openCheckedLibrary(worker, path, Date.now())));
const jobs = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => addedJob(from + index));
const idsIn = (store: LibraryStore): readonly string[] => valueOf(store.loadJobs()).map(({ id }) => id);
const countIn = (file: string): number => {
  const database = new DatabaseSync(file, { readOnly: true });
  const count = Number(database.prepare('SELECT count(*) AS n FROM jobs').get()?.['n']);
  database.close();
  return count;
};
/** The root page of the queue's table, which no library can do without. */
function damage(): void {
  const pages = new DatabaseSync(path, { readOnly: true });
  const page = Number(pages.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'jobs'").get()?.['rootpage']);
  pages.close();
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(2_000, 7), 0, 2_000, (page - 1) * 4096 + 8);
  closeSync(file);
}

describe('the hourly backup', () => {
  const keep = (clock: ClientClock, events: string[], worker = workerUrl) =>
    startBackups({
      workerUrl: worker,
      library: path,
      clock,
      firstAfterMs: 10_000,
      log: { write: ({ event }) => void events.push(event) },
    });

  it('is made in a thread while the library is written to, once in each hour in which something changed', async () => {
    const { store } = open();
    store.addJobs(jobs(0, 500));
    const { clock, passes } = handClock();
    const events: string[] = [];
    const backups = keep(clock, events);
    await backups.settled();
    expect(listBackups(path)).toEqual([]);
    passes(10_000);
    const settled = backups.settled();
    for (let more = 500; more < 600; more += 1) expect(store.addJobs(jobs(more, more + 1)).ok).toBe(true);
    await settled;
    expect(events).toEqual(['library-copied']);
    const [first = ''] = listBackups(path);
    expect(countIn(first)).toBeGreaterThanOrEqual(500);
    const pass = async (ms: number) => {
      for (let left = ms; left > 0; left -= 5 * minuteMs) {
        passes(5 * minuteMs);
        // oxlint-disable-next-line no-await-in-loop -- time goes on when what is due is done
        await backups.settled();
      }
    };
    store.addJobs(jobs(600, 601));
    await pass(50 * minuteMs);
    expect(listBackups(path)).toHaveLength(1);
    await pass(20 * minuteMs);
    expect(listBackups(path)).toHaveLength(2);
    expect(countIn(listBackups(path)[0] ?? '')).toBe(601);
    await pass(3 * hourMs);
    expect(listBackups(path)).toHaveLength(2);
    store.addJobs(jobs(601, 602));
    await pass(10 * minuteMs);
    expect(listBackups(path)).toHaveLength(3);
    await backups.close();
    store.addJobs(jobs(602, 603));
    await pass(2 * hourMs);
    expect(listBackups(path)).toHaveLength(3);
    expect(readdirSync(join(folder, 'backups')).filter((name) => !name.endsWith('.db'))).toEqual([]);
    store.close();
  });

  it('of many the last three stay, and the last one of each of the four days before them', () => {
    const { database, store } = open();
    const times = ['16T08', '17T09', '17T23', '18T10', '19T11', '19T12', '20T01', '20T02', '20T13', '20T14', '20T15'];
    for (const time of times) backUp(database, path, Date.parse(`2026-11-${time}:00:00Z`));
    expect(listBackups(path).map((name) => basename(name).slice(14, 19))).toEqual([
      '20T15',
      '20T14',
      '20T13',
      '20T02',
      '19T12',
      '18T10',
      '17T23',
    ]);
    store.close();
  });

  it('is not made of a damaged library, which the next start restores from a good one', async () => {
    const first = open();
    first.store.addJobs(jobs(0, 2_000));
    const { clock, passes } = handClock();
    const events: string[] = [];
    const backups = keep(clock, events);
    passes(10_000);
    await backups.settled();
    first.database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    damage();
    utimesSync(path, new Date(), new Date());
    passes(2 * hourMs);
    await backups.settled();
    await backups.close();
    expect([events, listBackups(path).length]).toEqual([['library-copied', 'library-not-copied'], 1]);
    first.store.close();
    const next = open();
    expect(next.notice?.kind).toBe('library-damaged');
    expect(idsIn(next.store)).toHaveLength(2_000);
    next.store.close();
  });

  it.each([
    ['in a thread', workerUrl],
    ['in main, if the thread crashes', dyingUrl],
  ])('loses what is erased, in every copy and in none of its free pages: %s', async (_where, worker) => {
    const { database, store } = open();
    const [job = addedJob(0)] = jobs(0, 1).map((one) => ({ ...one, path: '/recordings/maxfiy-yozuv.wav' }));
    store.addJobs([job, ...jobs(1, 50)]);
    const done = { tag: 'done', transcriptId: 'text-1', speakerCount: 0, finishedAtMs: 1 } as const;
    const transcript = { ...textOf(job, 0, 'text-1', () => 0.5), title: 'maxfiy suhbat' };
    store.commit({ ...job, memory: { ...job.memory, state: done } }, { type: 'recovered' }, 1, { transcript });
    for (const hour of [1, 2]) backUp(database, path, Date.now() + hour * hourMs);
    const holders = () => listBackups(path).filter((copy) => readFileSync(copy).includes('maxfiy'));
    const ages = listBackups(path).map((copy) => Math.round(statSync(copy).mtimeMs));
    expect(holders()).toHaveLength(2);
    const backups = keep(handClock().clock, [], worker);
    await backups.erase(['text-1']);
    expect(holders()).toEqual([]);
    expect(listBackups(path).map(countIn)).toEqual([49, 49]);
    expect(listBackups(path).map((copy) => Math.round(statSync(copy).mtimeMs))).toEqual(ages);
    await backups.close();
    store.close();
  });
});

describe('a large library is checked in a thread before it is opened', () => {
  function fill(): readonly string[] {
    const { store, database } = open();
    store.addJobs(jobs(0, 12_000));
    backUp(database, path, Date.now());
    const ids = idsIn(store);
    store.close();
    expect(statSync(path).size).toBeGreaterThan(4 * 1024 * 1024);
    return ids;
  }

  it.each([
    ['in the thread', workerUrl],
    ['in main, if the thread crashes', dyingUrl],
  ])('a damaged one is replaced by its newest good copy: %s', async (_where, worker) => {
    const ids = fill();
    damage();
    const damaged = readFileSync(path);
    const { notice, recovery, store } = await openChecked(worker);
    expect(notice).toMatchObject({ kind: 'library-damaged', code: 'library_restored' });
    expect(recovery.report()).toEqual(notice);
    expect(readFileSync(recovery.damagedFile() ?? '').equals(damaged)).toBe(true);
    expect(idsIn(store)).toEqual(ids);
    store.close();
  });
});

describe('after a restore', () => {
  /** What is sent automatically when the queue starts. */
  const isSentByItself = ({ state }: JobRecord): boolean =>
    ['queued', 'prepared', 'sending'].includes(state.tag) ||
    ((state.tag === 'waiting' || state.tag === 'blocked') && (state.resume === 'prepare' || state.resume === 'send'));

  it('nothing that was sent since the backup was made can be paid for twice', () => {
    const random = seededRandom(20_261_122);
    const { store, database } = open();
    const moveOn = (job: StoredJob, index: number): StoredJob => {
      const next = movedOn(job, random);
      const { state } = next.memory;
      const transcript = state.tag === 'done' ? textOf(next, index, state.transcriptId ?? '', random) : null;
      const output = transcript === null ? null : { transcript };
      expect(store.commit(next, { type: 'recovered' }, 5, output).ok).toBe(true);
      return next;
    };
    const added = jobs(0, 300);
    store.addJobs(added);
    const inCopy = added.map((job, index) => (index < 120 ? moveOn(job, index) : job));
    backUp(database, path, Date.now());
    const last = inCopy.map((job, index) =>
      index >= 60 && job.memory.state.tag !== 'done' ? moveOn(job, index) : job,
    );
    store.close();
    writeFileSync(path, 'nothing that can be read');
    const restored = open();
    const loaded = restored.store.loadJobs();
    const rows = new Map((loaded.ok ? loaded.value : []).map((job) => [job.id, job]));
    expect(rows.size).toBe(300);
    let [asked, lookedFor] = [0, 0];
    for (const [index, { id, memory }] of last.entries()) {
      const { intent } = memory;
      const now = rows.get(id)?.memory;
      if (now === undefined) throw new Error('a row is gone');
      // What was sent is sent again under its own key, or not automatically.
      if (intent?.firstSentAtMs != null && isSentByItself(now))
        expect([index, now.intent?.idempotencyKey]).toEqual([index, intent.idempotencyKey]);
      if (now.state.tag === 'needs-user') asked += 1;
      if (now.state.tag === 'looking') lookedFor += 1;
    }
    expect(asked).toBeGreaterThan(100);
    expect(lookedFor).toBeGreaterThan(20);
    restored.store.close();
  });

  it.each<[string, () => void]>([
    [
      'in which the program died before the damaged file was put aside, it begins anew',
      () => writeFileSync(join(folder, 'library.restoring'), 'half of a copy'),
    ],
    [
      'in which it died before the copy was in its place, it is ended',
      () => {
        open().store.close();
        renameSync(path, join(folder, 'library.restoring'));
      },
    ],
  ])('%s', (_what, end) => {
    const { store, database } = open();
    store.addJobs(jobs(0, 20));
    backUp(database, path, Date.now());
    const ids = idsIn(store);
    store.close();
    writeFileSync(path, 'a letter');
    end();
    const opened = open();
    expect(idsIn(opened.store)).toEqual(ids);
    expect(opened.recovery.report()).toMatchObject({ code: 'library_restored' });
    expect(opened.recovery.damagedFile()).not.toBeNull();
    expect(existsSync(join(folder, 'library.restoring'))).toBe(false);
    opened.store.close();
  });

  it('a library that is gone from beside its copies is restored, and one without copies is new', () => {
    const { store, database } = open();
    store.addJobs(jobs(0, 3));
    backUp(database, path, Date.now());
    store.close();
    rmSync(path);
    const restored = open();
    expect([restored.notice?.code, idsIn(restored.store).length]).toEqual(['library_restored', 3]);
    restored.store.close();
    folder = join(root, 'new');
    path = join(folder, 'library.db');
    mkdirSync(folder);
    const fresh = open();
    expect(fresh.notice).toBeNull();
    fresh.store.close();
  });
});
