import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { lazySchema } from '../../shared/domain/lazy-schema.ts';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { libraryFailure } from '../platform/node/storage-failure.ts';
import type { StoredTranscript } from '../services/library/store.ts';
import { listTranscripts } from './sqlite-erasure.ts';
import { readTranscriptFacts } from './sqlite-rows.ts';
import { firstLengths, readPackedTranscript, readTranscript, type PackedTranscript } from './transcript-rows.ts';

/** A row that stands in the library and can't be understood. */
export const unreadableRow = (): Failure => localFailure('E-182', { code: 'row_unreadable' });

/** A text with what belongs to it: null when there is none, E-182 when it can't be understood. Throws what SQLite says. */
export const readWholeText = (database: DatabaseSync, id: string): Result<StoredTranscript | null> =>
  readText(database, id, -1);

/** The alphabet of a text is told by so many of its segments, so no beginning has fewer. */
const leastSegments = 200;
const mostSegments = 3_000;

/**
 * The beginning of a text, of at least so many letters; null when there is none, or when all of it or far more would have
 * to be read.
 */
export function readTextStart(database: DatabaseSync, id: string, letters: number): Result<StoredTranscript | null> {
  let [count, sum] = [0, 0];
  for (const length of firstLengths(database, id, mostSegments)) {
    if (count >= leastSegments && sum >= letters) break;
    count += 1;
    sum += length;
  }
  return sum >= letters && sum <= letters * 5 ? readText(database, id, count) : ok(null);
}

function readText(database: DatabaseSync, id: string, segments: number): Result<StoredTranscript | null> {
  const row = database
    .prepare('SELECT t.*, m.path FROM transcripts t JOIN media m ON m.sha256 = t.media_sha256 WHERE t.id = ?')
    .get(id);
  if (row === undefined) return ok(null);
  const facts = readTranscriptFacts(row);
  const transcript = facts === null ? null : readTranscript(database, id, segments);
  return facts === null || transcript === null || transcript === undefined
    ? err(unreadableRow())
    : ok({ ...facts, transcript });
}

/** The text that the library at `path` holds now, read beside its owner from a connection of its own. */
export const readStoredText = (path: string, id: string): Result<StoredTranscript | null> =>
  readBeside(path, (database) => readWholeText(database, id));

/** The same of its words alone, as they are stored. */
export const readStoredWords = (path: string, id: string): Result<PackedTranscript | null> =>
  readBeside(path, (database) => {
    const transcript = readPackedTranscript(database, id);
    return transcript === null ? err(unreadableRow()) : ok(transcript ?? null);
  });

/** Reads at one moment of the library, whatever is saved meanwhile. */
export function readBeside<T>(path: string, read: (database: DatabaseSync) => Result<T>): Result<T> {
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000, allowExtension: false });
    try {
      database.exec('BEGIN');
      return read(database);
    } finally {
      database.close();
    }
  } catch (error) {
    return err(libraryFailure(error));
  }
}

/** What a transcript is called and when it was made. */
export interface StoredTitle {
  readonly id: string;
  readonly title: string;
  readonly createdAtMs: number;
}

const goneNote = lazySchema(() => z.array(z.object({ id: z.string() })));

/** What is in the trash, or deleted and may still be brought back. */
function goneIds(database: DatabaseSync): ReadonlySet<string> {
  const row = database.prepare("SELECT value FROM meta WHERE key = 'note-deleted'").get();
  const read = row === undefined ? null : goneNote().safeParse(JSON.parse(String(row['value'])));
  return new Set(read?.success === true ? read.data.map(({ id }) => id) : []);
}

/** All that are not deleted, the newest first, read as `readStoredText` reads one. */
export function listStoredTranscripts(path: string): Result<readonly StoredTitle[]> {
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000, allowExtension: false });
    try {
      const gone = goneIds(database);
      const there = listTranscripts(database).filter(({ id }) => !gone.has(id));
      return ok(there.map(({ id, title, createdAtMs }) => ({ id, title, createdAtMs })));
    } finally {
      database.close();
    }
  } catch (error) {
    return err(libraryFailure(error));
  }
}
