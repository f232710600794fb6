import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import { newJobRecord } from '../../shared/domain/jobs/job-state.ts';
import { backUp, listBackups } from '../../electron/storage/library-backups.ts';
import { openLibraryFile } from '../../electron/storage/open-library-file.ts';
import type { StoredJob } from '../../electron/services/library/store.ts';
import { byRank } from '../../shared/domain/jobs/rank.ts';
import { migrations } from '../../electron/storage/library-schema.ts';
import { seededRandom } from '../../shared/domain/random/seeded-random.ts';
import { addedJob } from '../support/library-to-damage.ts';
import { openStore, storeText, valueOf } from './open-library.ts';
import { folderOfTest } from '../support/test-folders.ts';

let folder = '';
let path = '';

beforeEach(() => {
  folder = join(folderOfTest(), 'library');
  path = join(folder, 'library.db');
});

const job = (id: string): StoredJob => ({ ...addedJob(0), id, path: `/recordings/${id}.wav`, name: `${id}.wav` });
const open = () => openStore(folder);
const rows = () => {
  const { store, notice } = open();
  const ids = valueOf(store.loadJobs()).map(({ id }) => id);
  store.close();
  return { ids, notice };
};
function fill(ids: readonly string[]): void {
  const { store } = open();
  expect(store.addJobs(ids.map(job)).ok).toBe(true);
  store.close();
}

function copyNow(): void {
  const database = new DatabaseSync(path);
  backUp(database, path, Date.now());
  database.close();
}

it('the library file has the settings that protect it, read back (S-41)', () => {
  const { database, store } = open();
  const pragma = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
  expect([
    pragma('journal_mode'),
    pragma('synchronous'),
    pragma('foreign_keys'),
    pragma('trusted_schema'),
    pragma('cell_size_check'),
  ]).toEqual(['wal', 2, 1, 0, 1]);
  expect(() => database.exec('PRAGMA writable_schema = ON; DELETE FROM sqlite_schema')).toThrow(/may not be modified/);
  expect(() => database.exec('CREATE VIRTUAL TABLE temp.probe USING fts5 (text)')).not.toThrow();
  store.close();
});

it.skipIf(process.platform === 'win32')(
  'the library file is readable by one user alone, and wider permissions are removed (S-37)',
  () => {
    mkdirSync(folder, { mode: 0o777 });
    chmodSync(folder, 0o777);
    writeFileSync(path, '', { mode: 0o666 });
    chmodSync(path, 0o666);
    const { store } = open();
    store.addJobs([job('a')]);
    const modes = [folder, ...readdirSync(folder).map((name) => join(folder, name))].map(
      (at) => statSync(at).mode & 0o077,
    );
    expect(modes.every((mode) => mode === 0)).toBe(true);
    store.close();
  },
);

it('a library has one owner: another process is refused with a message and gets it when the first is killed', async () => {
  const script = `
      const { openLibraryFile } = await import(${JSON.stringify(fileURLToPath(new URL('../../electron/storage/open-library-file.ts', import.meta.url)))});
      const file = openLibraryFile(process.argv[1], Date.now());
      console.log(file.ok ? 'open' : file.error.kind);
      setInterval(() => {}, 1000);`;
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script, path],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const said = await new Promise<string>((resolve) => child.stdout.setEncoding('utf8').once('data', resolve));
  const second = openLibraryFile(path, Date.now());
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
  if (second.ok) second.value.close();
  expect([said.trim(), second.ok ? null : second.error.kind]).toEqual(['open', 'already-open']);
  expect(rows().ids).toEqual([]);
});

it('a library of a newer version is left exactly as it is (library-newer)', () => {
  fill(['a']);
  const database = new DatabaseSync(path);
  database.exec('PRAGMA user_version = 99');
  database.close();
  const opened = openLibraryFile(path, Date.now());
  expect(opened.ok ? null : opened.error.kind).toBe('library-newer');
  expect(existsSync(path)).toBe(true);
});

it('a library reports a restore at every start until the user has read it: from which backup, and where the damaged file is', () => {
  fill(['a', 'b']);
  copyNow();
  const backedUpMs = Date.now();
  writeFileSync(path, 'a letter, where a library should be');
  rows();
  const opened = open();
  const { recovery, notice } = opened;
  expect(notice).toBeNull();
  expect(recovery.report()).toMatchObject({ kind: 'library-damaged', code: 'library_restored' });
  expect(recovery.report()?.params?.['date']).toBeGreaterThan(backedUpMs - 60_000);
  expect(readFileSync(recovery.damagedFile() ?? '', 'utf8')).toBe('a letter, where a library should be');
  rmSync(recovery.damagedFile() ?? '');
  expect(recovery.damagedFile()).toBeNull();
  recovery.acknowledge();
  opened.close();
  const later = open();
  expect(later.recovery.report()).toBeNull();
  later.close();
});

it('a library shows a row it cannot read as failed and keeps the others', () => {
  fill(['a', 'b']);
  const database = new DatabaseSync(path);
  database.prepare("UPDATE jobs SET memory = '{' WHERE id = 'a'").run();
  database.close();
  const { store } = open();
  const loaded = valueOf(store.loadJobs());
  store.close();
  expect(loaded.map(({ id, memory }) => [id, memory.state.tag])).toEqual([
    ['a', 'failed'],
    ['b', 'queued'],
  ]);
});

it('full disk: a refused write changes nothing, what was stored before is all there, and it continues when there is room (F-46)', () => {
  const { database, store } = open();
  const limit = Number(database.prepare('PRAGMA page_count').get()?.['page_count'] ?? 0) + 4;
  database.exec(`PRAGMA max_page_count = ${limit}`);
  const stored: string[] = [];
  let refusal = '';
  for (let index = 0; index < 500 && refusal === ''; index++) {
    const id = `job-${String(index).padStart(3, '0')}`;
    const added = store.addJobs([{ ...job(id), addedAtMs: index, path: 'x'.repeat(500) }]);
    if (added.ok) stored.push(id);
    else refusal = added.error.kind;
  }
  expect(refusal).toBe('disk-full');
  expect(stored.length).toBeGreaterThan(0);
  database.exec('PRAGMA max_page_count = 1000000');
  expect(store.addJobs([{ ...job('later'), addedAtMs: 1000 }]).ok).toBe(true);
  store.close();
  expect(rows().ids).toEqual([...stored, 'later']);
});

it('a recording is where it was attached last; one that is only returned to stays where it is known to be', () => {
  const { store } = open();
  storeText(store, 'a', { language: 'uz', durationMs: 1, speakers: [], segments: [] });
  const content = { sha256: 'a'.padEnd(64, '0'), sizeBytes: 1 };
  const isPlayed = () => valueOf(store.transcriptFacts('a'))?.mediaPath;
  expect(isPlayed()).toBe('/a.wav');
  valueOf(store.attachMedia('a', '/new.wav', content));
  expect(isPlayed()).toBe('/new.wav');
  valueOf(store.attachMedia('a', '/old.wav', content, 'unless-known'));
  expect(isPlayed()).toBe('/new.wav');
  store.close();
  // A library that can't say is not told that the id is free.
  expect(store.isRemoteIdTaken('tr_1', 'job')).toBe(true);
});

it('a library never accepts the same idempotency key twice', () => {
  const { database, store } = open();
  store.addJobs([job('a'), job('b')]);
  database.prepare("UPDATE jobs SET idempotency_key = 'k' WHERE id = 'a'").run();
  expect(() => database.prepare("UPDATE jobs SET idempotency_key = 'k' WHERE id = 'b'").run()).toThrow(/UNIQUE/);
  store.close();
});

it('a library of version 1 keeps its rows, in the order they were added, and is backed up first', () => {
  mkdirSync(folder);
  const old = new DatabaseSync(path);
  old.exec(migrations[0] ?? '');
  old.exec('PRAGMA user_version = 1');
  const insert = old.prepare(`INSERT INTO jobs
      (id, seq, path, name, size_bytes, language, include_speakers, added_at_ms, is_hidden, tag, memory)
      VALUES (?, 1, '/a.wav', ?, 1, 'uz', 0, ?, ?, 'queued', ?)`);
  for (const [id, addedAtMs, isHidden] of [
    ['z', 1, 0],
    ['hidden', 2, 1],
    ['b', 3, 0],
    ['a', 3, 0],
  ] as const)
    insert.run(id, `${id}.wav`, addedAtMs, isHidden, JSON.stringify(newJobRecord));
  old.close();
  const { store } = open();
  const loaded = valueOf(store.loadJobs());
  store.close();
  expect(loaded.toSorted(byRank).map(({ id, rank }) => [id, rank])).toEqual([
    ['z', 1],
    ['a', 3],
    ['b', 4],
  ]);
  expect(listBackups(path)).toHaveLength(1);
});

const seed = Number(process.env['OVOZ_SEED'] ?? 20_261_122);

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

it(`a program that is killed while it writes leaves a library that is never mistaken for a damaged one, and loses nothing (OVOZ_SEED=${seed})`, async () => {
  const random = seededRandom(seed);
  const module = fileURLToPath(new URL('../../electron/storage/open-library-file.ts', import.meta.url));
  const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e'];
  for (let round = 0; round < (process.env['OVOZ_LONG'] === undefined ? 5 : 100); round += 1) {
    const child = spawn(process.execPath, [...flags, writer, module, path, String(round + 1)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    let complaint = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    const ended = new Promise((resolve) => child.once('close', resolve));
    await expect.poll(() => said + complaint).not.toBe('');
    // Killed at any moment of its work.
    await delay(random() * 250);
    child.kill('SIGKILL');
    await ended;
    expect(complaint).toBe('');
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
    const { database, notice, close } = valueOf(openLibraryFile(path, Date.now()));
    expect([round, notice]).toEqual([round, null]);
    const durable = Number(said.trimEnd().split('\n').at(-1));
    const found = database.prepare('SELECT max(n) AS n FROM log').get()?.['n'];
    expect(Number(found)).toBeGreaterThanOrEqual(durable);
    close();
  }
}, 300_000);
