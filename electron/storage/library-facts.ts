import { existsSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { JobFacts, LibraryFacts } from '../services/diagnostics/write-diagnostics.ts';
import { openingFailure } from '../platform/node/storage-failure.ts';

type Row = Readonly<Record<string, unknown>>;

const mostJobs = 200;
const endings = new Set(['.mp3', '.wav', '.m4a', '.ogg', '.webm', '.flac', '.mp4', '.oga', '.opus', '.aac']);

/**
 * Inspects a library file without owning it, because it may be open in a window. Reads counts and codes, never a text.
 */
export function readLibraryFacts(path: string, kind: LibraryFacts['kind']): LibraryFacts {
  if (!existsSync(path)) return { kind, state: 'absent', schemaVersion: null, bytes: 0, jobs: [] };
  const { size: bytes } = statSync(path);
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: 2000, allowExtension: false });
    const schemaVersion = Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
    const rows = database
      .prepare(
        `SELECT id, tag, added_at_ms, language, size_bytes, duration_ms, name, memory FROM jobs
         ORDER BY added_at_ms DESC LIMIT ?`,
      )
      .all(mostJobs);
    return { kind, state: 'readable', schemaVersion, bytes, jobs: rows.map(readJob) };
  } catch (error) {
    return { kind, state: openingFailure(error).row, schemaVersion: null, bytes, jobs: [] };
  } finally {
    database?.close();
  }
}

function readJob(row: Row): JobFacts {
  const memory = parsed(row['memory']);
  const failure = within(within(memory, 'state'), 'failure');
  const ending = extname(String(row['name'])).toLowerCase();
  return {
    id: String(row['id']),
    tag: String(row['tag']),
    addedAtMs: Number(row['added_at_ms']),
    language: String(row['language']),
    sizeBytes: Number(row['size_bytes']),
    durationMs: number(row['duration_ms']),
    ending: endings.has(ending) ? ending : null,
    attempt: number(memory['attempt']),
    row: text(failure['row']),
    code: text(failure['code']),
    status: number(failure['status']),
    requestId: text(failure['requestId']),
  };
}

function parsed(value: unknown): Row {
  try {
    const found: unknown = JSON.parse(String(value));
    return typeof found === 'object' && found !== null ? (found as Row) : {};
  } catch {
    return {};
  }
}

const within = (row: Row, name: string): Row => {
  const found = row[name];
  return typeof found === 'object' && found !== null ? (found as Row) : {};
};
const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);
