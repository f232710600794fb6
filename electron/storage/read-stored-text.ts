import { DatabaseSync } from 'node:sqlite';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import type { LeanTranscript } from '../../shared/domain/transcript/lean-transcript.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import type { StoredTranscript } from '../services/library/store.ts';
import { readTranscriptBody, readTranscriptRow } from './sqlite-rows.ts';
import { libraryFailure } from '../platform/node/storage-failure.ts';

type Row = Readonly<Record<string, unknown>>;

/** One text with what belongs to it. */
export const transcriptQuery =
  'SELECT t.*, m.path FROM transcripts t JOIN media m ON m.sha256 = t.media_sha256 WHERE t.id = ?';

/** A row that stands in the library and can't be understood. */
export const unreadableRow = (): Failure => localFailure('E-182', { code: 'row_unreadable' });

/** The row of a text as it is understood: null when there is none, E-182 when it can't be understood. */
export const understandText = (row: Row | undefined): Result<StoredTranscript | null> =>
  understood(row, readTranscriptRow);

function understood<T>(row: Row | undefined, read: (row: Row) => T | null): Result<T | null> {
  if (row === undefined) return ok(null);
  const parsed = read(row);
  return parsed === null ? err(unreadableRow()) : ok(parsed);
}

/**
 * The text that the library at `path` holds now, read beside its owner from a connection of its own, which is closed
 * before the text is taken apart: whoever erases meanwhile does not wait for that. Null when there is none.
 */
export function readStoredText(path: string, id: string): Result<StoredTranscript | null> {
  const row = readRow(path, transcriptQuery, id);
  return row.ok ? understandText(row.value) : row;
}

/** The same of its words alone, as they are stored. */
export function readStoredWords(path: string, id: string): Result<LeanTranscript | null> {
  const row = readRow(path, 'SELECT body FROM transcripts WHERE id = ?', id);
  return row.ok ? understood(row.value, ({ body }) => readTranscriptBody(body)) : row;
}

function readRow(path: string, query: string, id: string): Result<Row | undefined> {
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000, allowExtension: false });
    try {
      return ok(database.prepare(query).get(id));
    } finally {
      database.close();
    }
  } catch (error) {
    return err(libraryFailure(error));
  }
}
