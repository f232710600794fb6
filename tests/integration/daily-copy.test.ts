import { cpSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync, closeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startDailyBackups } from '../../electron/workers/backups/daily-backups.ts';
import { openOrRestore } from '../../electron/workers/restoring/open-or-restore.ts';
import { keepReserve } from '../../electron/storage/disk-reserve.ts';
import { listBackups } from '../../electron/storage/library-backups.ts';
import { openLibraryFile, workLeft } from '../../electron/storage/open-library-file.ts';
import { createSqliteLibraryStore } from '../../electron/storage/sqlite-library-store.ts';
import type { Clock } from '../../electron/services/jobs/ports.ts';
import { addedJob } from '../support/library-to-damage.ts';
import { longestHold } from '../support/measure-thread.ts';

const root = mkdtempSync(join(tmpdir(), 'daily-copy-'));
const workerUrl = new URL('../../electron/entries/library-worker.ts', import.meta.url);
const hourMs = 3_600_000;
let number = 0;
let folder = '';
let path = '';
beforeEach(() => {
  number += 1;
  folder = join(root, String(number));
  path = join(folder, 'library.db');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A clock moved by the test. */
function handClock() {
  let atMs = Date.now();
  const timers = new Set<{ readonly dueMs: number; readonly run: () => void }>();
  const clock: Clock = {
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

function open() {
  const file = openLibraryFile(path, Date.now(), { copiesDaily: false });
  if (!file.ok) throw new Error(file.error.row);
  const store = createSqliteLibraryStore(file.value.database, keepReserve(folder), () => file.value.close());
  return { ...file.value, store };
}
const jobs = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => addedJob(from + index));
const countIn = (file: string): number => {
  const database = new DatabaseSync(file, { readOnly: true });
  const count = Number(database.prepare('SELECT count(*) AS n FROM jobs').get()?.['n']);
  database.close();
  return count;
};

describe('the daily backup', () => {
  const keep = (clock: Clock, events: string[], onDamaged = () => undefined as void) =>
    startDailyBackups({
      workerUrl,
      library: path,
      clock,
      firstAfterMs: 10_000,
      onDamaged,
      log: { write: ({ event }) => void events.push(event) },
    });

  it('is made once a day in a thread while the library is written to, and contains its state at that time', async () => {
    const { store } = open();
    store.addJobs(jobs(0, 500));
    const { clock, passes } = handClock();
    const events: string[] = [];
    const copies = keep(clock, events);
    await copies.settled();
    expect(listBackups(path)).toEqual([]);
    passes(10_000);
    const settled = copies.settled();
    for (let more = 500; more < 600; more += 1) expect(store.addJobs(jobs(more, more + 1)).ok).toBe(true);
    await settled;
    expect(events).toEqual(['library-copied']);
    const [first = ''] = listBackups(path);
    expect(countIn(first)).toBeGreaterThanOrEqual(500);
    passes(hourMs);
    await copies.settled();
    passes(22 * hourMs);
    await copies.settled();
    expect(listBackups(path)).toHaveLength(1);
    passes(2 * hourMs);
    await copies.settled();
    expect(listBackups(path)).toHaveLength(2);
    expect(countIn(listBackups(path)[0] ?? '')).toBe(600);
    await copies.close();
    passes(48 * hourMs);
    expect(listBackups(path)).toHaveLength(2);
    expect(readdirSync(join(folder, 'backups')).filter((name) => !name.endsWith('.db'))).toEqual([]);
    store.close();
  });

  it('is not made of a damaged library, which the next start restores from a good one', async () => {
    const first = open();
    first.store.addJobs(jobs(0, 2_000));
    const { clock, passes } = handClock();
    const events: string[] = [];
    let copies = keep(clock, events);
    passes(10_000);
    await copies.settled();
    await copies.close();
    first.store.close();
    // A library that was closed properly is not checked.
    const pages = new DatabaseSync(path, { readOnly: true });
    const page = Number(pages.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'jobs'").get()?.['rootpage']);
    pages.close();
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(2_000, 7), 0, 2_000, (page - 1) * 4096 + 8);
    closeSync(file);
    const second = open();
    expect(second.notice).toBeNull();
    copies = keep(clock, events, second.distrust);
    passes(25 * hourMs);
    await copies.settled();
    await copies.close();
    expect([events, listBackups(path).length]).toEqual([['library-copied', 'library-not-copied'], 1]);
    second.store.close();
    const third = open();
    expect(third.notice?.row).toBe('E-182');
    const loaded = third.store.loadJobs();
    expect(loaded.ok ? loaded.value.length : 0).toBe(2_000);
    third.store.close();
  });
});

describe('a library whose last run ended in a crash', () => {
  /** Left with its log beside it and without the mark of a clean end. */
  function crash(): void {
    const { store } = open();
    store.addJobs(jobs(0, 6_000));
    const crashed = `${folder}-crashed`;
    cpSync(folder, crashed, { recursive: true });
    store.close();
    rmSync(folder, { recursive: true });
    cpSync(crashed, folder, { recursive: true });
    rmSync(join(folder, 'library.lock'), { force: true });
  }

  it('is checked in a thread before anything is written to it; no damage is reported without damage', async () => {
    crash();
    const hasty = openLibraryFile(path, Date.now(), { isHasty: true });
    expect(hasty).toMatchObject({ ok: false, error: { row: 'E-182', code: workLeft } });
    const shares: number[] = [];
    const opened: Awaited<ReturnType<typeof openOrRestore>>[] = [];
    const held = await longestHold(async () => {
      opened.push(await openOrRestore(workerUrl, path, Date.now(), (share) => shares.push(share)));
    });
    console.log(`after a crash main is held for ${held.toFixed(1)} ms`);
    const [file] = opened;
    expect(file?.ok === true ? file.value.notice : undefined).toBeNull();
    expect(shares).toEqual([]);
    if (file?.ok === true) file.value.close();
    expect(countIn(path)).toBe(6_000);
  });

  it('opens without any thread when it ended well', async () => {
    const { store } = open();
    store.addJobs(jobs(0, 6_000));
    store.close();
    const dies = new URL(`data:text/javascript,${encodeURIComponent("throw new Error('dies')")}`);
    const shares: number[] = [];
    const file = await openOrRestore(dies, path, Date.now(), (share) => shares.push(share));
    expect([file.ok, shares]).toEqual([true, []]);
    if (file.ok) file.value.close();
  });
});
