import type { DatabaseSync } from 'node:sqlite';
import type { ErasedRows, TranscriptLine } from '../../services/library/store.ts';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The transcripts of a library, newest first, without their words. */
export const listTranscripts = (database: DatabaseSync): readonly TranscriptLine[] =>
  database
    .prepare(
      `SELECT id, job_id, title, source_name, created_at_ms, remote_id, length(body) AS size
       FROM transcripts ORDER BY created_at_ms DESC, id`,
    )
    .all()
    .map((row) => ({
      id: text(row['id']),
      jobId: text(row['job_id']),
      title: text(row['title']),
      sourceName: text(row['source_name']),
      createdAtMs: Number(row['created_at_ms']),
      remoteId: typeof row['remote_id'] === 'string' ? row['remote_id'] : null,
      sizeChars: Number(row['size']),
    }));

/**
 * Takes transcripts with their rows of the queue, events and stored answers out of a database, inside a transaction of
 * the caller. Gives the contents that nothing refers to any more. Ids that are not there are passed over.
 */
export function eraseRows(database: DatabaseSync, transcriptIds: readonly string[]): ErasedRows {
  const find = database.prepare('SELECT job_id, media_sha256 FROM transcripts WHERE id = ?');
  const jobIds: string[] = [];
  const contents = new Set<string>();
  for (const id of transcriptIds) {
    const row = find.get(id);
    if (row === undefined) continue;
    const jobId = text(row['job_id']);
    // A copy of this text for another row keeps its own words; only the answer they were read from goes.
    database
      .prepare(
        'UPDATE transcripts SET raw_answer_id = NULL WHERE raw_answer_id IN (SELECT id FROM raw_answers WHERE job_id = ?)',
      )
      .run(jobId);
    database.prepare('DELETE FROM transcripts WHERE id = ?').run(id);
    database.prepare('DELETE FROM jobs WHERE id = ?').run(jobId);
    jobIds.push(jobId);
    contents.add(text(row['media_sha256']));
  }
  const used = database.prepare('SELECT 1 FROM transcripts WHERE media_sha256 = ?');
  const unused = [...contents].filter((sha256) => used.get(sha256) === undefined);
  for (const sha256 of unused) database.prepare('DELETE FROM media WHERE sha256 = ?').run(sha256);
  return { jobIds, unusedContents: unused };
}

/**
 * Writes over what a database let go of: with `secure_delete` freed pages are zeroes already, so only its log has to be
 * merged and emptied.
 */
export function emptyLog(database: DatabaseSync): void {
  database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
}
