import { DatabaseSync } from 'node:sqlite';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { StoredTranscript } from '../../services/library/store.ts';
import { readTranscriptRow } from './sqlite-rows.ts';
import { libraryFailure } from './storage-failure.ts';

/** One text with what belongs to it. */
export const transcriptQuery =
  'SELECT t.*, m.path FROM transcripts t JOIN media m ON m.sha256 = t.media_sha256 WHERE t.id = ?';

/** The row of a text as it is understood: null when there is none, E-182 when it can't be understood. */
export function understandText(row: Readonly<Record<string, unknown>> | undefined): Result<StoredTranscript | null> {
  if (row === undefined) return ok(null);
  const parsed = readTranscriptRow(row);
  return parsed === null ? err(localFailure('E-182', { code: 'row_unreadable' })) : ok(parsed);
}

/**
 * The text that the library at `path` holds now, read beside its owner from a connection of its own, which is closed
 * before the text is taken apart: whoever erases meanwhile does not wait for that. Null when there is none.
 */
export function readStoredText(path: string, id: string): Result<StoredTranscript | null> {
  let row: Readonly<Record<string, unknown>> | undefined;
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000, allowExtension: false });
    try {
      row = database.prepare(transcriptQuery).get(id);
    } finally {
      database.close();
    }
  } catch (error) {
    return err(libraryFailure(error));
  }
  return understandText(row);
}
