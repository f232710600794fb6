import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { lazySchema } from '../../shared/domain/lazy-schema.ts';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { libraryFailure } from '../platform/node/storage-failure.ts';
import type { StoredTranscript } from '../services/library/store.ts';
import { orderedFrom } from './library-sql.ts';
import { isLibraryLocked } from './library-lock.ts';
import { schemaVersion } from './library-schema.ts';
import { listTranscripts } from './sqlite-erasure.ts';
import { readTranscriptFacts } from './sqlite-rows.ts';
import { firstLengths, readPackedTranscript, readTranscript, type PackedTranscript } from './transcript-rows.ts';

/** A row of the library that can't be parsed. */
export const unreadableRow = (): Failure => localFailure('E-182', { code: 'row_unreadable' });

/**
 * A text with everything that belongs to it: null when there is none, E-182 when it can't be parsed. Throws SQLite's
 * errors.
 */
export const readWholeText = (database: DatabaseSync, id: string): Result<StoredTranscript | null> =>
  readText(database, id, -1);

/** The alphabet of a text is derived from this many segments, so no beginning has fewer. */
const leastSegments = 200;
const mostSegments = 3_000;

/**
 * The beginning of a text, of at least this many letters; null when there is none, or when nearly all of it would have
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
    .prepare(`SELECT t.*, ${orderedFrom}, m.path FROM transcripts t JOIN media m ON m.sha256 = t.media_sha256
       JOIN jobs j ON j.id = t.job_id WHERE t.id = ?`)
    .get(id);
  if (row === undefined) return ok(null);
  const facts = readTranscriptFacts(row);
  const transcript = facts === null ? null : readTranscript(database, id, segments);
  return facts === null || transcript === null || transcript === undefined
    ? err(unreadableRow())
    : ok({ ...facts, transcript });
}

/** The current text in the library at `path`, read over a separate connection while it is open elsewhere. */
export const readStoredText = (path: string, id: string): Result<StoredTranscript | null> =>
  readBeside(path, (database) => readWholeText(database, id));

/** The same for its words alone, in stored form. */
export const readStoredWords = (path: string, id: string): Result<PackedTranscript | null> =>
  readBeside(path, (database) => {
    const transcript = readPackedTranscript(database, id);
    return transcript === null ? err(unreadableRow()) : ok(transcript ?? null);
  });

/** A damaged library that is only read: whoever opens it next sets it aside and restores what it can. */
const unreadLibrary = (): Failure => localFailure('E-182', { code: 'library_unread' });

/** Reads one snapshot of the library, whatever is saved meanwhile. */
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
    const failure = libraryFailure(error);
    return err(failure.row === 'E-182' ? unreadLibrary() : failure);
  }
}

/** The title of a transcript and its time. */
export interface StoredTitle {
  readonly id: string;
  readonly title: string;
  readonly createdAtMs: number;
}

const goneNote = lazySchema(() => z.array(z.object({ id: z.string() })));

/** What is in the trash, or deleted and may still be restored. */
function goneIds(database: DatabaseSync): ReadonlySet<string> {
  const row = database.prepare("SELECT value FROM meta WHERE key = 'note-deleted'").get();
  const read = row === undefined ? null : goneNote().safeParse(JSON.parse(String(row['value'])));
  return new Set(read?.success === true ? read.data.map(({ id }) => id) : []);
}

/** All that are not deleted, newest first, read like `readStoredText` reads one. */
export const listStoredTranscripts = (path: string): Result<readonly StoredTitle[]> =>
  readBeside(path, (database) => {
    // A library without tables is just being created, or it was emptied.
    if (schemaVersion(database) === 0) return isLibraryLocked(dirname(path)) ? ok([]) : err(unreadLibrary());
    const gone = goneIds(database);
    const there = listTranscripts(database, 'service').filter(({ id }) => !gone.has(id));
    return ok(there.map(({ id, title, createdAtMs }) => ({ id, title, createdAtMs })));
  });
