import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { newJobMemory } from '../../shared/domain/jobs/job-state.ts';
import { byRank } from '../../shared/domain/jobs/rank.ts';
import { keepReserve } from '../../electron/storage/disk-reserve.ts';
import { listBackups } from '../../electron/storage/library-backups.ts';
import { openLibraryFile } from '../../electron/storage/open-library-file.ts';
import { createSqliteLibraryStore } from '../../electron/storage/sqlite-library-store.ts';
import { migrations } from '../../electron/storage/sqlite-migrations.ts';

const folder = mkdtempSync(join(tmpdir(), 'ovoz-upgrade-'));
const path = join(folder, 'library.db');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a library of an earlier version', () => {
  it('of version 1 keeps its rows, in the order they were added, and is backed up first', () => {
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
      insert.run(id, `${id}.wav`, addedAtMs, isHidden, JSON.stringify(newJobMemory));
    old.close();
    const file = openLibraryFile(path, Date.now());
    if (!file.ok) throw new Error(file.error.row);
    const store = createSqliteLibraryStore(file.value.database, keepReserve(folder), () => file.value.close());
    const loaded = store.loadJobs();
    store.close();
    if (!loaded.ok) throw new Error(loaded.error.row);
    expect(loaded.value.toSorted(byRank).map(({ id, rank }) => [id, rank])).toEqual([
      ['z', 1],
      ['a', 3],
      ['b', 4],
    ]);
    expect(listBackups(path)).toHaveLength(1);
  });
});
