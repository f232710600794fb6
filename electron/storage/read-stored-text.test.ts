import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listStoredTranscripts } from './read-stored-text.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stored-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('the list of a library that another process has open', () => {
  it('is empty while that library is being created', () => {
    const path = join(folder, 'library.db');
    const creator = new DatabaseSync(path);
    creator.exec('PRAGMA journal_mode = WAL');
    try {
      expect(listStoredTranscripts(path)).toEqual({ ok: true, value: [] });
      creator.exec('BEGIN IMMEDIATE; CREATE TABLE transcripts (id TEXT)');
      expect(listStoredTranscripts(path)).toEqual({ ok: true, value: [] });
    } finally {
      creator.close();
    }
  });
});
