import type { StatementSync } from 'node:sqlite';
import type { Origin } from '../../shared/domain/modes.ts';
import { takenFormats } from '../../shared/domain/media/sniff.ts';
import type { StoredAudio } from '../services/library/store.ts';

// Replaced when the same job is done again, after its file was lost.
const insert = `INSERT OR REPLACE INTO audio
  (id, job_id, title, source_name, created_at_ms, file_name, format, sha256, size_bytes, duration_ms, remote_id, credits)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

// Its id at another service than the one that fills the library now means nothing.
const select = `SELECT a.id, a.job_id, a.title, a.source_name, a.created_at_ms, a.file_name, a.format, a.sha256, a.size_bytes,
  a.duration_ms, iif(j.origin = ?1, a.remote_id, NULL) AS remote_id, a.credits FROM audio a JOIN jobs j ON j.id = a.job_id`;

/** The table of audio that jobs produced. The caller provides transactions and turns SQLite's errors into failures. */
export const audioTable = (statement: (sql: string) => StatementSync) => ({
  insert: (audio: StoredAudio) =>
    statement(insert).run(
      audio.id,
      audio.jobId,
      audio.title,
      audio.sourceName,
      audio.createdAtMs,
      audio.fileName,
      audio.format,
      audio.sha256,
      audio.sizeBytes,
      audio.durationMs,
      audio.remoteId,
      audio.credits,
    ),
  find(id: string, origin: Origin): StoredAudio | null {
    const row = statement(`${select} WHERE a.id = ?2`).get(origin, id);
    return row === undefined ? null : readAudioRow(row);
  },
  rename: (id: string, title: string) => statement('UPDATE audio SET title = ? WHERE id = ?').run(title, id),
  list: (origin: Origin): readonly StoredAudio[] =>
    statement(`${select} ORDER BY a.created_at_ms DESC, a.id`)
      .all(origin)
      .map(readAudioRow)
      .filter((audio) => audio !== null),
});

/** Audio that a job produced; null when a column is invalid. */
function readAudioRow(row: Readonly<Record<string, unknown>>): StoredAudio | null {
  const { id, job_id: jobId, title, source_name: sourceName, created_at_ms: createdAtMs, file_name: fileName } = row;
  const { sha256, size_bytes: sizeBytes, duration_ms: durationMs, remote_id: remoteId, credits } = row;
  if (typeof id !== 'string' || typeof jobId !== 'string' || typeof title !== 'string') return null;
  if (typeof sourceName !== 'string' || typeof createdAtMs !== 'number' || typeof fileName !== 'string') return null;
  const format = takenFormats.find((known) => known === row['format']);
  if (typeof sha256 !== 'string' || typeof sizeBytes !== 'number' || format === undefined) return null;
  if (typeof durationMs !== 'number' && durationMs !== null) return null;
  if (typeof remoteId !== 'string' && remoteId !== null) return null;
  if (typeof credits !== 'string' && credits !== null) return null;
  return {
    id,
    jobId,
    title,
    sourceName,
    createdAtMs,
    fileName,
    format,
    sha256,
    sizeBytes,
    durationMs,
    remoteId,
    credits,
  };
}
