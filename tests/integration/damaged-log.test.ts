import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepReserve } from '../../electron/storage/disk-reserve.ts';
import { openLibraryFile } from '../../electron/storage/open-library-file.ts';
import { isLogDamaged } from '../../electron/storage/sqlite-log.ts';
import { createSqliteLibraryStore } from '../../electron/storage/sqlite-library-store.ts';
import { seededRandom } from '../../shared/domain/random/seeded-random.ts';
import { addedJob, movedOn } from '../support/library-to-damage.ts';

const isLong = process.env['OVOZ_LONG'] !== undefined;
const seed = Number(process.env['OVOZ_SEED'] ?? 20_261_122);
const root = mkdtempSync(join(tmpdir(), 'damaged-log-'));
const whole = join(root, 'whole');
const frameBytes = 4096 + 24;
afterAll(() => rmSync(root, { recursive: true, force: true }));

function open(folder: string) {
  const file = openLibraryFile(join(folder, 'library.db'), Date.now());
  if (!file.ok) throw new Error(file.error.row);
  const store = createSqliteLibraryStore(file.value.database, keepReserve(folder), () => file.value.close());
  return { ...file.value, store };
}
const logOf = (folder: string) => join(folder, 'library.db-wal');
/** The result of every commit: rows by their ids, with the number of their last change. */
function rowsOf(folder: string) {
  const { store, notice } = open(folder);
  const loaded = store.loadJobs();
  store.close();
  if (!loaded.ok) throw new Error(loaded.error.row);
  return { rows: new Map(loaded.value.map(({ id, seq }) => [id, seq])), isNoticed: notice !== null };
}

const committed = new Map<string, number>();

/** Forty rows that were changed one by one; left as by a crash, with most of it in the log only. */
beforeAll(() => {
  const random = seededRandom(seed);
  const { store, database } = open(whole);
  const jobs = Array.from({ length: 40 }, (_, number) => addedJob(number));
  store.addJobs(jobs);
  database.exec('PRAGMA wal_checkpoint(RESTART)');
  for (const job of jobs) {
    const next = movedOn(job, random);
    if (next.memory.state.tag === 'done') committed.set(job.id, job.seq);
    else {
      expect(store.commit(next, { type: 'recovered' }, 5, null).ok).toBe(true);
      committed.set(next.id, next.seq);
    }
  }
  const crashed = join(root, 'crashed');
  cpSync(whole, crashed, { recursive: true });
  store.close();
  rmSync(whole, { recursive: true });
  cpSync(crashed, whole, { recursive: true });
  rmSync(join(whole, 'library.lock'), { force: true });
});

type Damage = (bytes: Buffer, random: () => number, used: number) => Buffer;
const damages: Readonly<Record<string, Damage>> = {
  'a bit': (bytes, random, used) => {
    const at = Math.floor(random() * used);
    bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << Math.floor(random() * 8)), at);
    return bytes;
  },
  'a sector of zeros': (bytes, random, used) => {
    const at = Math.floor((random() * used) / 512) * 512;
    return bytes.fill(0, at, at + 512);
  },
  'a block of noise': (bytes, random, used) => {
    const from = Math.floor(random() * used);
    for (let at = from; at < Math.min(bytes.length, from + 4096); at += 1) bytes[at] = Math.floor(random() * 256);
    return bytes;
  },
  'its end cut off': (bytes, random, used) => bytes.subarray(0, Math.floor(random() * used)),
};

describe(`a log of SQLite that is damaged (repeat with OVOZ_SEED=${seed})`, () => {
  it.each(Object.keys(damages))('in %s: no commit is lost without being noticed', (kind) => {
    const log = readFileSync(logOf(whole));
    // Frames of an earlier use of the log follow those of the last.
    const salt = log.subarray(16, 24);
    let frames = 0;
    while (log.subarray(32 + frames * frameBytes + 8, 32 + frames * frameBytes + 16).equals(salt)) frames += 1;
    expect(frames).toBeGreaterThan(40);
    const random = seededRandom(seed);
    let noticed = 0;
    for (let round = 0; round < (isLong ? 400 : 25); round += 1) {
      const folder = join(root, `${kind}-${String(round)}`);
      cpSync(whole, folder, { recursive: true });
      const bytes = damages[kind]?.(Buffer.from(log), random, 32 + frames * frameBytes) ?? log;
      writeFileSync(logOf(folder), bytes);
      const { rows, isNoticed } = rowsOf(folder);
      if (isNoticed) noticed += 1;
      else expect([round, rows]).toEqual([round, committed]);
      rmSync(folder, { recursive: true });
    }
    expect(noticed).toBeGreaterThan(10);
  });

  it('of the commits behind the broken frame all that consist of whole pages are restored', () => {
    const folder = join(root, 'behind');
    cpSync(whole, folder, { recursive: true });
    const bytes = readFileSync(logOf(folder));
    bytes.writeUInt8(bytes.readUInt8(32 + 3 * frameBytes + 2_000) ^ 1, 32 + 3 * frameBytes + 2_000);
    writeFileSync(logOf(folder), bytes);
    const { rows, isNoticed } = rowsOf(folder);
    expect([isNoticed, rows]).toEqual([true, committed]);
  });

  it('is noticed without the shared memory of its owners too, if whole transactions follow the damage', () => {
    const folder = join(root, 'alone');
    cpSync(whole, folder, { recursive: true });
    rmSync(join(folder, 'library.db-shm'));
    expect(isLogDamaged(join(folder, 'library.db'))).toBe(false);
    // What a power loss may leave: the last transaction torn.
    truncateSync(logOf(folder), statSync(logOf(folder)).size - 5_000);
    expect(isLogDamaged(join(folder, 'library.db'))).toBe(false);
    const bytes = readFileSync(logOf(folder));
    writeFileSync(logOf(folder), bytes.fill(9, 32 + frameBytes + 100, 32 + frameBytes + 200));
    expect(isLogDamaged(join(folder, 'library.db'))).toBe(true);
  });
});

/** Writes and deletes in transactions of all sizes; prints the number of each that is durable. */
const writer = `
  const [module, path, seed] = process.argv.slice(1);
  const { openLibraryFile } = await import(module);
  const file = openLibraryFile(path, Date.now());
  if (!file.ok) throw new Error(JSON.stringify(file.error));
  const { database } = file.value;
  if (file.value.notice !== null) throw new Error('a false alarm');
  database.exec('CREATE TABLE IF NOT EXISTS log (n INTEGER PRIMARY KEY, filler TEXT)');
  database.exec('PRAGMA cache_size = 20; PRAGMA wal_autocheckpoint = 60');
  let state = Number(seed);
  const random = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
  let n = Number(database.prepare('SELECT coalesce(max(n), 0) AS n FROM log').get().n);
  const add = database.prepare('INSERT INTO log VALUES (?, ?)');
  for (;;) {
    database.exec('BEGIN IMMEDIATE');
    const first = n;
    for (let k = Math.floor(random() ** 4 * 120); k >= 0; k -= 1) add.run(++n, 'x'.repeat(random() * 6000));
    if (random() < 0.3) { database.exec('ROLLBACK'); n = first; continue; }
    database.exec('COMMIT');
    process.stdout.write(n + '\\n');
  }`;

describe('a program that is killed while it writes', () => {
  it(`leaves a log that is never mistaken for a damaged one, and loses nothing (repeat with OVOZ_SEED=${seed})`, async () => {
    const random = seededRandom(seed);
    const folder = join(root, 'killed');
    const path = join(folder, 'library.db');
    const module = fileURLToPath(new URL('../../electron/storage/open-library-file.ts', import.meta.url));
    let hadLog = 0;
    const rounds = isLong ? 100 : 6;
    for (let round = 0; round < rounds; round += 1) {
      const child = spawn(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', writer, module, path, String(round + 1)],
        { stdio: ['ignore', 'pipe', 'pipe'] },
      );
      let said = '';
      let complaint = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
      const began = new Promise<void>((resolve) => {
        child.stdout.setEncoding('utf8').on('data', (text: string) => {
          said += text;
          resolve();
        });
        child.once('exit', () => resolve());
      });
      const ended = new Promise((resolve) => child.once('close', resolve));
      await began;
      // Killed at any moment of its work.
      await delay(random() * 250);
      child.kill('SIGKILL');
      await ended;
      expect(complaint).toBe('');
      if (statSync(`${path}-wal`).size > 0) hadLog += 1;
      expect([round, isLogDamaged(path)]).toEqual([round, false]);
      const { database, notice, store } = open(folder);
      expect([round, notice]).toEqual([round, null]);
      const durable = Number(said.trimEnd().split('\n').at(-1));
      const found = database.prepare('SELECT max(n) AS n FROM log').get()?.['n'];
      expect(Number(found)).toBeGreaterThanOrEqual(durable);
      store.close();
    }
    expect(hadLog).toBe(rounds);
  }, 300_000);
});
