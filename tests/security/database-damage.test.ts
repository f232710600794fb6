import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { newJobRecord } from '../../shared/domain/jobs/job-state.ts';
import { backUp, listBackups } from '../../electron/storage/library-backups.ts';
import { openLibraryFile } from '../../electron/storage/open-library-file.ts';
import { createSqliteLibraryStore } from '../../electron/storage/sqlite-library-store.ts';
import type { StoredJob } from '../../electron/services/library/store.ts';
import { seededRandom } from '../../shared/domain/random/seeded-random.ts';
import { folderOfFile, folderOfTest } from '../support/test-folders.ts';

const isLong = process.env['OVOZ_LONG'] !== undefined;
const flipsEach = isLong ? 200 : 15;
const longestStartMs = 5000;
const seed = Number(process.env['OVOZ_SEED'] ?? 20_261_120);
const root = folderOfFile();
const whole = join(root, 'whole');

const job = (id: string): StoredJob => ({
  id,
  seq: 1,
  path: `/recordings/${id}.wav`,
  name: `${id} ${'a long name '.repeat(12)}.wav`,
  sizeBytes: 1,
  durationMs: null,
  kind: 'transcribe',
  language: 'uz',
  includeSpeakers: false,
  addedAtMs: 1,
  rank: 1,
  memory: newJobRecord,
});
const ids = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `job-${String(from + index).padStart(3, '0')}`);

function fill(folder: string, names: readonly string[]): void {
  const file = openLibraryFile(join(folder, 'library.db'), Date.now());
  if (!file.ok) throw new Error(file.error.kind);
  const store = createSqliteLibraryStore(file.value);
  expect(store.addJobs(names.map(job)).ok).toBe(true);
  store.close();
}

/** A library of 60 rows with a free list, whose newest backup contains 40 of them, and which was left as by a crash. */
beforeAll(() => {
  fill(whole, ids(0, 40));
  const crashed = join(root, 'crashed');
  const file = openLibraryFile(join(whole, 'library.db'), Date.now());
  if (!file.ok) throw new Error(file.error.kind);
  backUp(file.value.database, join(whole, 'library.db'), Date.now());
  const store = createSqliteLibraryStore(file.value);
  store.addJobs(Array.from({ length: 120 }, (_, index) => job(`gone-${index}`)));
  file.value.database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  file.value.database.exec("DELETE FROM jobs WHERE id LIKE 'gone-%'");
  file.value.database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  store.addJobs(ids(40, 60).map(job));
  // Copied while it is open: the log of SQLite is beside it.
  cpSync(whole, crashed, { recursive: true });
  store.close();
  rmSync(whole, { recursive: true });
  cpSync(crashed, whole, { recursive: true });
  rmSync(join(whole, 'library.lock'), { force: true });
});

const rowsOf = (path: string): readonly string[] => {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return database
      .prepare('SELECT id FROM jobs ORDER BY id')
      .all()
      .map((row) => String(row['id']));
  } finally {
    database.close();
  }
};
const copiesIn = (folder: string): readonly string[] =>
  readdirSync(folder).filter((name) => name.includes('.corrupt-'));

/** For each library that was put aside: whether it is kept byte for byte. */
const restored: boolean[] = [];

type Outcome = 'library' | 'restored' | 'reported';

/** Damages a copy of the library, starts on it, and checks the result against the rule of F-49. */
function startOn(damage: (folder: string) => void): Outcome {
  const folder = folderOfTest();
  const path = join(folder, 'library.db');
  cpSync(whole, folder, { recursive: true });
  damage(folder);
  const before = existsSync(path) && statSync(path).isFile() ? readFileSync(path) : null;
  const backup = rowsOf(listBackups(path)[0] ?? '');
  const started = performance.now();
  const opened = openLibraryFile(path, Date.now());
  expect(performance.now() - started).toBeLessThan(longestStartMs);
  if (!opened.ok) {
    // Reported in words; the files were left as they were.
    expect(['disk-error', 'library-newer', 'data-folder-unwritable']).toContain(opened.error.kind);
    if (before !== null)
      expect([opened.error.kind, readFileSync(path).equals(before)]).toEqual([opened.error.kind, true]);
    rmSync(folder, { recursive: true });
    return 'reported';
  }
  const { notice } = opened.value;
  const store = createSqliteLibraryStore(opened.value);
  const loaded = store.loadJobs();
  expect(loaded.ok).toBe(true);
  const [remembered, keptAt] = [opened.value.recovery.report(), opened.value.recovery.damagedFile()];
  const rows = loaded.ok ? loaded.value.map(({ id }) => id).toSorted() : [];
  store.close();
  if (notice !== null) {
    expect(notice.kind).toBe('library-damaged');
    const aside = copiesIn(folder).find((name) => !/-(wal|shm)$/.test(name)) ?? '';
    const kept = readFileSync(join(folder, aside));
    restored.push(before === null || kept.equals(before));
    // Damage that shows only on writing: SQLite has merged its log into the file by then.
    expect(kept.length).toBeGreaterThanOrEqual(before?.length ?? 0);
    expect(rows).toEqual(backup);
    expect(remembered).toMatchObject({ kind: 'library-damaged', code: 'library_restored' });
    expect([keptAt === join(folder, aside), keptAt === null]).toEqual([true, false]);
  }
  rmSync(folder, { recursive: true });
  return notice === null ? 'library' : 'restored';
}

function flip(path: string, at: number, bit: number): void {
  const bytes = readFileSync(path);
  bytes[at % bytes.length]! ^= 1 << bit;
  writeFileSync(path, bytes);
}

const pageBytes = 4096;

describe('F-49: a damaged library opens, or its newest backup does, or a message says why; the damaged file is kept', () => {
  it('the library damaged here is a valid one, with a log beside it and free pages in it', () => {
    expect(statSync(join(whole, 'library.db-wal')).size).toBeGreaterThan(pageBytes);
    expect(readFileSync(join(whole, 'library.db')).readUInt32BE(36)).toBeGreaterThan(0);
    expect(startOn(() => undefined)).toBe('library');
  });

  it.each<[string, string, (random: number, path: string) => number]>([
    ['the header', 'library.db', (random) => Math.floor(random * 100)],
    ['the first page', 'library.db', (random) => Math.floor(random * pageBytes)],
    ['any page', 'library.db', (random, path) => Math.floor(random * statSync(path).size)],
    [
      'the free list',
      'library.db',
      (random, path) => (readFileSync(path).readUInt32BE(32) - 1) * pageBytes + Math.floor(random * 64),
    ],
    ['the log', 'library.db-wal', (random, path) => Math.floor(random * statSync(path).size)],
  ])(`one bit of %s, ${flipsEach} times`, (_name, file, offset) => {
    const random = seededRandom(seed);
    const outcomes: Record<Outcome, number> = { library: 0, restored: 0, reported: 0 };
    for (let round = 0; round < flipsEach; round += 1) {
      const bit = Math.floor(random() * 8);
      const where = random();
      outcomes[startOn((folder) => flip(join(folder, file), offset(where, join(folder, file)), bit))] += 1;
    }
    expect(outcomes.library + outcomes.restored + outcomes.reported).toBe(flipsEach);
  });

  it('cut at each page: the backup is restored, and never an empty library', () => {
    const pages = statSync(join(whole, 'library.db')).size / pageBytes;
    const step = isLong ? 1 : Math.ceil(pages / 12);
    for (let page = 0; page < pages; page += step) {
      const outcome = startOn((folder) => {
        truncateSync(join(folder, 'library.db'), page * pageBytes);
        rmSync(join(folder, 'library.db-wal'));
        rmSync(join(folder, 'library.db-shm'), { force: true });
      });
      expect([page, outcome]).toEqual([page, 'restored']);
    }
  });

  it.each<[string, Outcome, (path: string) => void]>([
    ['no bytes at all', 'restored', (path) => writeFileSync(path, '')],
    ['zeros', 'restored', (path) => writeFileSync(path, Buffer.alloc(40_000))],
    ['a text', 'restored', (path) => writeFileSync(path, 'a letter to a friend who is far away')],
    [
      'a text that begins like a library',
      'restored',
      (path) => writeFileSync(path, `SQLite format 3\0${'x'.repeat(9000)}`),
    ],
    [
      'another program’s database',
      'restored',
      (path) => {
        rmSync(path);
        const other = new DatabaseSync(path);
        other.exec('CREATE TABLE notes (id)');
        other.close();
      },
    ],
    [
      'a folder',
      'reported',
      (path) => {
        rmSync(path);
        mkdirSync(path);
      },
    ],
  ])('%s in its place', (_name, expected, put) => {
    const outcome = startOn((folder) => {
      for (const suffix of ['-wal', '-shm']) rmSync(join(folder, `library.db${suffix}`), { force: true });
      put(join(folder, 'library.db'));
    });
    expect(outcome).toBe(expected);
  });

  it('with the newest backup damaged too, the one before it is used', () => {
    const folder = folderOfTest();
    cpSync(whole, folder, { recursive: true });
    const path = join(folder, 'library.db');
    const [newest = ''] = listBackups(path);
    copyFileSync(newest, newest.replace(/library-\d{8}/, 'library-20990101'));
    writeFileSync(listBackups(path)[0] ?? '', 'not a copy');
    for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
    writeFileSync(path, 'not a library');
    const opened = openLibraryFile(path, Date.now());
    if (!opened.ok) throw new Error(opened.error.kind);
    expect(opened.value.notice?.kind).toBe('library-damaged');
    expect(opened.value.database.prepare('SELECT count(*) AS n FROM jobs').get()?.['n']).toBe(40);
    opened.value.close();
  });

  it('nearly every damaged file is kept byte for byte, with its log beside it', () => {
    expect(restored.length).toBeGreaterThan(10);
    expect(restored.filter(Boolean).length / restored.length).toBeGreaterThan(0.95);
  });
});
