import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { newJobMemory } from '../../shared/domain/jobs/job-state.ts';
import { keepReserve } from '../../electron/storage/disk-reserve.ts';
import { listBackups } from '../../electron/storage/library-backups.ts';
import { openLibraryFile } from '../../electron/storage/open-library-file.ts';
import { hasFullTextSearch } from '../../electron/storage/sqlite-database.ts';
import { createSqliteLibraryStore } from '../../electron/storage/sqlite-library-store.ts';
import type { StoredJob } from '../../electron/services/library/store.ts';

const root = mkdtempSync(join(tmpdir(), 'ovoz-library-'));
let folder = '';
let path = '';
let number = 0;
const dayMs = 24 * 3_600_000;

beforeEach(() => {
  number += 1;
  folder = join(root, String(number));
  path = join(folder, 'library.db');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const job = (id: string): StoredJob => ({
  id,
  seq: 1,
  path: `/recordings/${id}.wav`,
  name: `${id}.wav`,
  sizeBytes: 1,
  durationMs: null,
  kind: 'transcribe',
  language: 'uz',
  includeSpeakers: false,
  addedAtMs: 1,
  rank: 1,
  memory: newJobMemory,
});
function openStore(nowMs = Date.now()) {
  const file = openLibraryFile(path, nowMs);
  if (!file.ok) throw new Error(file.error.row);
  const { database, notice } = file.value;
  return { database, notice, store: createSqliteLibraryStore(database, keepReserve(folder), () => file.value.close()) };
}
const rows = () => {
  const { store, notice } = openStore();
  const loaded = store.loadJobs();
  store.close();
  if (!loaded.ok) throw new Error(loaded.error.row);
  return { ids: loaded.value.map(({ id }) => id), notice };
};
function fill(ids: readonly string[], nowMs = Date.now()): void {
  const { store } = openStore(nowMs);
  expect(store.addJobs(ids.map(job)).ok).toBe(true);
  store.close();
}

describe('the library file', () => {
  it('has the settings that protect it, read back (S-41)', () => {
    const { database, store } = openStore();
    const pragma = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
    expect([
      pragma('journal_mode'),
      pragma('synchronous'),
      pragma('foreign_keys'),
      pragma('trusted_schema'),
      pragma('cell_size_check'),
    ]).toEqual(['wal', 2, 1, 0, 1]);
    expect(() => database.exec('PRAGMA writable_schema = ON; DELETE FROM sqlite_schema')).toThrow(
      /may not be modified/,
    );
    expect(hasFullTextSearch()).toBe(true);
    store.close();
  });

  it.skipIf(process.platform === 'win32')(
    'is readable by one user alone, and wider permissions are removed (S-37)',
    () => {
      mkdirSync(folder, { mode: 0o777 });
      chmodSync(folder, 0o777);
      writeFileSync(path, '', { mode: 0o666 });
      chmodSync(path, 0o666);
      const { store } = openStore();
      store.addJobs([job('a')]);
      const modes = [folder, ...readdirSync(folder).map((name) => join(folder, name))].map(
        (at) => statSync(at).mode & 0o077,
      );
      expect(modes.every((mode) => mode === 0)).toBe(true);
      store.close();
    },
  );

  it('has one owner: another process is refused with a message and gets it when the first is killed', async () => {
    const script = `
      const { openLibraryFile } = await import(${JSON.stringify(fileURLToPath(new URL('../../electron/storage/open-library-file.ts', import.meta.url)))});
      const file = openLibraryFile(process.argv[1], Date.now());
      console.log(file.ok ? 'open' : file.error.row);
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
    expect([said.trim(), second.ok ? null : second.error.row]).toEqual(['open', 'E-183']);
    expect(rows().ids).toEqual([]);
  });

  it('of a newer version is left exactly as it is (E-184)', () => {
    fill(['a']);
    const database = new DatabaseSync(path);
    database.exec('PRAGMA user_version = 99');
    database.close();
    const opened = openLibraryFile(path, Date.now());
    expect(opened.ok ? null : opened.error.row).toBe('E-184');
    expect(existsSync(path)).toBe(true);
  });

  it('is backed up once a day by SQLite itself, three backups are kept', () => {
    const start = Date.now();
    fill(['a'], start);
    for (let day = 0; day < 5; day++) fill([`day-${day}`], start + day * 2 * dayMs);
    const backups = listBackups(path);
    expect(backups).toHaveLength(3);
    const newest = new DatabaseSync(backups[0] ?? '', { readOnly: true });
    expect(newest.prepare('PRAGMA integrity_check').get()?.['integrity_check']).toBe('ok');
    newest.close();
  });

  it('damaged in any of several ways is put aside, never deleted, and the content of the newest backup is restored (E-182)', async () => {
    const damages: Readonly<Record<string, (at: string) => Promise<void> | void>> = {
      text: (at) => writeFileSync(at, 'this is not a database, it is a letter to a friend who is far away'),
      zeros: (at) => writeFileSync(at, Buffer.alloc(20_000)),
      cut: (at) => truncateSync(at, 4096 * 2),
      header: async (at) => overwrite(at, 0, 100),
      pages: async (at) => overwrite(at, 4096, 8192),
    };
    for (const [name, damage] of Object.entries(damages)) {
      folder = join(root, `damaged-${name}`);
      path = join(folder, 'library.db');
      fill(['a', 'b']);
      const backedUp = openStore(Date.now() + 2 * dayMs);
      // As after a crash: the mark of a clean end is missing.
      backedUp.store.close();
      const database = new DatabaseSync(path);
      database.prepare("UPDATE meta SET value = '0' WHERE key = 'clean_end'").run();
      database.close();
      await damage(path);
      const { ids, notice } = rows();
      expect([name, ids, notice?.row]).toEqual([name, ['a', 'b'], 'E-182']);
      expect(readdirSync(folder).some((file) => file.includes('.corrupt-'))).toBe(true);
    }
  });

  it('reports a restore at every start until the user has read it: when, from which backup, what was restored, and where it is', () => {
    fill(['a', 'b']);
    const backedUpMs = Date.now();
    openStore(backedUpMs + 2 * dayMs).store.close();
    writeFileSync(path, 'a letter, where a library should be');
    rows();
    const opened = openLibraryFile(path, Date.now());
    if (!opened.ok) throw new Error(opened.error.row);
    const { recovery, notice } = opened.value;
    expect(notice).toBeNull();
    expect(recovery.report()).toMatchObject({ jobCount: 2, transcriptCount: 0, damagedTranscriptCount: null });
    expect(recovery.report()?.restoredFromMs).toBeGreaterThan(backedUpMs - 60_000);
    expect(readFileSync(recovery.damagedFile() ?? '', 'utf8')).toBe('a letter, where a library should be');
    rmSync(recovery.damagedFile() ?? '');
    expect(recovery.damagedFile()).toBeNull();
    recovery.acknowledge();
    opened.value.close();
    const later = openLibraryFile(path, Date.now());
    if (!later.ok) throw new Error(later.error.row);
    expect(later.value.recovery.report()).toBeNull();
    later.value.close();
  });

  it('without any backup is reported as lost, and a new library replaces it', () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, 'a letter');
    const opened = openLibraryFile(path, 1_000);
    if (!opened.ok) throw new Error(opened.error.row);
    expect(opened.value.recovery.report()).toEqual({
      atMs: 1_000,
      salvaged: { readCount: 0, jobCount: 0, transcriptCount: 0, unsureCount: 0, refetchCount: 0, lostJobCount: 0 },
      restoredFromMs: null,
      jobCount: 0,
      transcriptCount: 0,
      damagedTranscriptCount: null,
    });
    opened.value.close();
  });

  it('zero bytes long is a new library, and a folder in its place is reported', () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, '');
    expect(rows().ids).toEqual([]);
    folder = join(root, 'blocked');
    path = join(folder, 'library.db');
    mkdirSync(path, { recursive: true });
    const opened = openLibraryFile(path, Date.now());
    expect(opened.ok ? null : opened.error.row).toBe('E-185');
  });

  it('shows a row it cannot read as failed and keeps the others', () => {
    fill(['a', 'b']);
    const database = new DatabaseSync(path);
    database.prepare("UPDATE jobs SET memory = '{' WHERE id = 'a'").run();
    database.close();
    const { store } = openStore();
    const loaded = store.loadJobs();
    store.close();
    expect(loaded.ok && loaded.value.map(({ id, memory }) => [id, memory.state.tag])).toEqual([
      ['a', 'failed'],
      ['b', 'queued'],
    ]);
  });

  it('full disk: a refused write changes nothing, what was stored before is all there, and it continues when there is room (F-46)', () => {
    const { database, store } = openStore();
    const limit = Number(database.prepare('PRAGMA page_count').get()?.['page_count'] ?? 0) + 4;
    database.exec(`PRAGMA max_page_count = ${limit}`);
    const stored: string[] = [];
    let refusal = '';
    for (let index = 0; index < 500 && refusal === ''; index++) {
      const id = `job-${String(index).padStart(3, '0')}`;
      const added = store.addJobs([{ ...job(id), addedAtMs: index, path: 'x'.repeat(500) }]);
      if (added.ok) stored.push(id);
      else refusal = added.error.row;
    }
    expect(refusal).toBe('E-180');
    expect(stored.length).toBeGreaterThan(0);
    database.exec('PRAGMA max_page_count = 1000000');
    expect(store.addJobs([{ ...job('later'), addedAtMs: 1000 }]).ok).toBe(true);
    store.close();
    expect(rows().ids).toEqual([...stored, 'later']);
  });

  it('never accepts the same idempotency key twice', () => {
    const { database, store } = openStore();
    store.addJobs([job('a'), job('b')]);
    database.prepare("UPDATE jobs SET idempotency_key = 'k' WHERE id = 'a'").run();
    expect(() => database.prepare("UPDATE jobs SET idempotency_key = 'k' WHERE id = 'b'").run()).toThrow(/UNIQUE/);
    store.close();
  });
});

async function overwrite(at: string, from: number, length: number): Promise<void> {
  const file = await open(at, 'r+');
  await file.write(Buffer.alloc(length, 0x5a), 0, length, from);
  await file.close();
}

it('an id of the service counts as taken when the library can not say', () => {
  const opened = openLibraryFile(path, 1);
  if (!opened.ok) throw new Error(opened.error.row);
  const store = createSqliteLibraryStore(opened.value.database, keepReserve(folder), () => opened.value.close());
  expect(store.isRemoteIdTaken('tr_1', 'job')).toBe(false);
  store.close();
  expect(store.isRemoteIdTaken('tr_1', 'job')).toBe(true);
});
