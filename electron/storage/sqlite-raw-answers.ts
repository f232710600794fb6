import type { StatementSync } from 'node:sqlite';
import type { RawAnswer } from '../services/library/store.ts';
import { readRawRow } from './sqlite-rows.ts';

/** Unchanged answers of the service. The caller provides transactions and turns SQLite's errors into failures. */
export const rawAnswerTable = (statement: (sql: string) => StatementSync) => ({
  insert: ({ jobId, atMs, source, requestId, body }: RawAnswer): number =>
    Number(
      statement('INSERT INTO raw_answers (job_id, at_ms, source, request_id, body) VALUES (?, ?, ?, ?, ?)').run(
        jobId,
        atMs,
        source,
        requestId,
        body,
      ).lastInsertRowid,
    ),
  /** The newest about the whole recording. */
  latest(jobId: string): RawAnswer | null {
    const row = statement(
      "SELECT * FROM raw_answers WHERE job_id = ? AND source <> 'listen-again' ORDER BY id DESC LIMIT 1",
    ).get(jobId);
    return row === undefined ? null : readRawRow(row);
  },
  /** About parts of it that were recognised again, newest first. */
  heardAgain: (jobId: string): readonly RawAnswer[] =>
    statement("SELECT * FROM raw_answers WHERE job_id = ? AND source = 'listen-again' ORDER BY id DESC")
      .all(jobId)
      .map(readRawRow)
      .filter((answer) => answer !== null),
});
