import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { lockLibrary } from './library-folder.ts';
import { listStoredTranscripts } from './read-stored-text.ts';
import { folderOfTest } from '../../tests/support/test-folders.ts';

let folder: string;
beforeEach(() => (folder = folderOfTest()));

describe('the list of a library that another process has open', () => {
  it('is empty while that library is being created', () => {
    const path = join(folder, 'library.db');
    const lock = lockLibrary(folder);
    const creator = new DatabaseSync(path);
    creator.exec('PRAGMA journal_mode = WAL');
    try {
      expect(listStoredTranscripts(path)).toEqual({ ok: true, value: [] });
      creator.exec('BEGIN IMMEDIATE; CREATE TABLE transcripts (id TEXT)');
      expect(listStoredTranscripts(path)).toEqual({ ok: true, value: [] });
    } finally {
      creator.close();
      lock.release();
    }
  });

  it.each([
    ['empty', ''],
    ['no database', 'something else '.repeat(300)],
  ])('is refused when the file is %s, and nobody claims to have restored it', (_name, content) => {
    const path = join(folder, 'library.db');
    writeFileSync(path, content);
    expect(listStoredTranscripts(path)).toMatchObject({
      ok: false,
      error: { kind: 'library-damaged', code: 'library_unread' },
    });
    expect(readFileSync(path, 'utf8')).toBe(content);
  });
});
