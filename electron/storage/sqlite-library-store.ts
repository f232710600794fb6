import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import type { LibraryStore, NewTranscript, StoredChange, StoredJob } from '../services/library/store.ts';
import type { DiskReserve } from './disk-reserve.ts';
import { inTransaction } from './sqlite-database.ts';
import { attachMedia, readSpeakerUses, readTranscriptItems, readTranscriptMedia } from './library-rows.ts';
import { audioTable } from './sqlite-audio.ts';
import { rawAnswerTable } from './sqlite-raw-answers.ts';
import { conversationTables } from './sqlite-conversations.ts';
import { emptyLog, eraseRows, listTranscripts } from './sqlite-erasure.ts';
import { readTextStart, readWholeText, unreadableRow } from './read-stored-text.ts';
import {
  jobColumnNames,
  jobColumns,
  memoryColumns,
  optionColumns,
  readAutomationRow,
  readJobRow,
  readTranscriptFacts,
} from './sqlite-rows.ts';
import { libraryFailure } from '../platform/node/storage-failure.ts';
import { nameRevision, saveEdits, saveManyEdits, segmentsFromOriginal, UnfitChange } from './transcript-rows.ts';

const sql = {
  loadJobs: 'SELECT * FROM jobs WHERE is_hidden = 0 ORDER BY added_at_ms, id',
  insertJob: `INSERT INTO jobs
    (${jobColumnNames}, rank, tag, sha256, idempotency_key, remote_id, memory)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  updateJob: `UPDATE jobs SET seq = ?, path = ?, size_bytes = ?, duration_ms = ?, is_hidden = 0, tag = ?, sha256 = ?, idempotency_key = ?, remote_id = ?, memory = ?
    WHERE id = ?`,
  insertEvent: 'INSERT INTO job_events (job_id, at_ms, event) VALUES (?, ?, ?)',
  rerank: 'UPDATE jobs SET rank = ? WHERE id = ?',
  note: 'SELECT value FROM meta WHERE key = ?',
  saveNote: `INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  movePath: 'UPDATE jobs SET path = ? WHERE id = ?',
  hideJob: 'UPDATE jobs SET is_hidden = 1 WHERE id = ?',
  showJob: 'UPDATE jobs SET is_hidden = 0 WHERE id = ?',
  job: 'SELECT * FROM jobs WHERE id = ?',
  findSame:
    'SELECT * FROM jobs WHERE sha256 = ? AND language = ? AND include_speakers = ? AND kind = ? AND options = ? ORDER BY added_at_ms DESC, id',
  // Its conditions are those of an index of its own.
  findTwin: `SELECT * FROM jobs WHERE sha256 = ? AND language = ? AND include_speakers = ? AND kind = ? AND options = ?
    AND tag NOT IN ('failed', 'cancelled', 'needs-user') ORDER BY added_at_ms DESC, id`,
  // By the same index: rows that wait for an answer are not in it.
  findText: `SELECT t.id FROM jobs j CROSS JOIN transcripts t ON t.job_id = j.id
    WHERE j.sha256 = ? AND j.language = ? AND j.include_speakers = ? AND j.kind = ? AND j.options = ? AND j.tag = 'done' AND j.id <> ?
    AND j.tag NOT IN ('failed', 'cancelled', 'needs-user') ORDER BY j.added_at_ms DESC, j.id LIMIT 1`,
  takenRemoteId: 'SELECT 1 FROM jobs WHERE remote_id = ? AND id <> ?',
  upsertMedia: `INSERT INTO media (sha256, path, size_bytes, duration_ms, seen_at_ms) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (sha256) DO UPDATE SET path = excluded.path, seen_at_ms = excluded.seen_at_ms`,
  insertTranscript: `INSERT INTO transcripts
    (id, job_id, title, source_name, created_at_ms, media_sha256, remote_id, raw_answer_id, language, word_count, duration_ms, speakers)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  insertOriginal: 'INSERT INTO transcript_originals (transcript_id, body) VALUES (?, CAST(? AS TEXT))',
  insertSegments: segmentsFromOriginal,
  revision: 'SELECT revision FROM transcripts WHERE id = ?',
  noteAutomation: `INSERT INTO automation (kind, key, at_ms, name, outcome, row) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (kind, key) DO UPDATE SET at_ms = excluded.at_ms, name = excluded.name, outcome = excluded.outcome, row = excluded.row`,
  automation: 'SELECT * FROM automation WHERE kind = ? AND key = ?',
  automationLog: `SELECT * FROM automation WHERE outcome <> 'there-before' ORDER BY at_ms DESC LIMIT ?`,
  transcriptFacts: `SELECT t.id, t.job_id, t.title, t.source_name, t.created_at_ms, t.media_sha256, t.remote_id, t.raw_answer_id, t.revision,
    m.path FROM transcripts t JOIN media m ON m.sha256 = t.media_sha256 WHERE t.id = ?`,
  wordCount: 'SELECT word_count FROM transcripts WHERE id = ?',
  renameTranscript: 'UPDATE transcripts SET title = ? WHERE id = ?',
  recording: 'SELECT j.path FROM transcripts t JOIN jobs j ON j.id = t.job_id WHERE t.id = ?',
  prepared: `SELECT substr(m.path, 10) AS name, j.path AS recording FROM media m
    JOIN transcripts t ON t.media_sha256 = m.sha256 JOIN jobs j ON j.id = t.job_id WHERE m.path LIKE 'prepared:%'`,
  relocate: 'UPDATE media SET path = ? WHERE sha256 = (SELECT media_sha256 FROM transcripts WHERE id = ?)',
} as const;

const flat = <T>(found: Result<Result<T>>): Result<T> => (found.ok ? found.value : found);

/**
 * The library's tables behind the port. `onClose` ends what was opened around the database; what is written to a file
 * that is not `isInPlace` any more would be lost, so it is refused (E-185).
 */
export function createSqliteLibraryStore(
  database: DatabaseSync,
  reserve: DiskReserve,
  onClose: () => void,
  isInPlace: () => boolean = () => true,
): LibraryStore {
  const prepared = new Map<string, StatementSync>();
  const statement = (text: string): StatementSync => {
    const known = prepared.get(text) ?? database.prepare(text);
    prepared.set(text, known);
    return known;
  };

  const read = <T>(work: () => T): Result<T> => {
    try {
      return ok(work());
    } catch (error) {
      return err(libraryFailure(error));
    }
  };
  /** On a full disk the reserve is given back once, so that what is already known can still be written. */
  const write = <T>(work: () => T): Result<T> => {
    if (!isInPlace()) return err(localFailure('E-185'));
    const first = read(() => inTransaction(database, work));
    if (first.ok) {
      reserve.refill();
      return first;
    }
    if (first.error.row !== 'E-180' || !reserve.release()) return first;
    return read(() => inTransaction(database, work));
  };

  const writeOne = (text: string, ...values: readonly SQLInputValue[]): Result<null> =>
    write(() => {
      statement(text).run(...values);
      return null;
    });
  const audio = audioTable(statement);
  const raws = rawAnswerTable(statement);
  const insertTranscript = (job: StoredJob, text: NewTranscript) => {
    statement(sql.upsertMedia).run(text.mediaSha256, text.mediaPath, job.sizeBytes, job.durationMs, text.createdAtMs);
    statement(sql.insertTranscript).run(
      text.id,
      text.jobId,
      text.title,
      text.sourceName,
      text.createdAtMs,
      text.mediaSha256,
      text.remoteId,
      text.rawAnswerId,
      text.written.language,
      text.written.wordCount,
      text.written.durationMs,
      JSON.stringify(text.written.speakers),
    );
    statement(sql.insertOriginal).run(text.id, text.written.body);
    statement(sql.insertSegments).run(text.id);
  };

  const change = ({ job, event, atMs, output }: StoredChange) => {
    statement(sql.insertEvent).run(job.id, atMs, JSON.stringify(event));
    if (output?.transcript !== undefined) insertTranscript(job, output.transcript);
    else if (output?.audio !== undefined) audio.insert(output.audio);
    statement(sql.updateJob).run(
      job.seq,
      job.path,
      job.sizeBytes,
      job.durationMs,
      ...memoryColumns(job.memory),
      job.id,
    );
  };

  return {
    loadJobs: () =>
      read(() =>
        statement(sql.loadJobs)
          .all()
          .map(readJobRow)
          .filter((job) => job !== null),
      ),
    job: (id) =>
      read(() => {
        const row = statement('SELECT * FROM jobs WHERE id = ?').get(id);
        return row === undefined ? null : readJobRow(row);
      }),
    addJobs: (jobs) =>
      write(() => {
        for (const job of jobs)
          statement(sql.insertJob).run(...jobColumns(job), job.rank, ...memoryColumns(job.memory));
        return null;
      }),
    commit(job, event, atMs, output) {
      return this.commitAll([{ job, event, atMs, output }]);
    },
    commitAll: (changes) =>
      write(() => {
        for (const one of changes) change(one);
        return null;
      }),
    saveRanks: (ranks) =>
      write(() => {
        for (const { id, rank } of ranks) statement(sql.rerank).run(rank, id);
        return null;
      }),
    note: (name) =>
      read(() => {
        const row = statement(sql.note).get(`note-${name}`);
        return typeof row?.['value'] === 'string' ? row['value'] : null;
      }),
    saveNote: (name, value) => writeOne(sql.saveNote, `note-${name}`, value),
    hideJobs: (jobIds) =>
      write(() => {
        for (const jobId of jobIds) statement(sql.hideJob).run(jobId);
        return null;
      }),
    movePath: (jobId, path) => writeOne(sql.movePath, path, jobId),
    findSame: ({ sha256, ...options }) =>
      read(() =>
        statement(sql.findSame)
          .all(sha256, ...optionColumns(options))
          .map(readJobRow)
          .filter((job) => job !== null),
      ),
    findTwin: ({ sha256, ...options }, exceptJobId) =>
      read(() => {
        const rows = statement(sql.findTwin).iterate(sha256, ...optionColumns(options));
        for (const row of rows) {
          const job = row['id'] === exceptJobId ? null : readJobRow(row);
          // A row whose memory can't be read stands for nothing that is under way.
          if (job !== null && job.memory.state.tag !== 'failed') return job;
        }
        return null;
      }),
    findText: ({ sha256, ...options }, exceptJobId) =>
      read(() => {
        const row = statement(sql.findText).get(sha256, ...optionColumns(options), exceptJobId);
        return typeof row?.['id'] === 'string' ? row['id'] : null;
      }),
    isRemoteIdTaken: (remoteId, exceptJobId) => statement(sql.takenRemoteId).get(remoteId, exceptJobId) !== undefined,
    noteAutomation: ({ kind, key, atMs, name, outcome, row }) =>
      writeOne(sql.noteAutomation, kind, key, atMs, name, outcome, row),
    automation: (kind, key) =>
      read(() => {
        const row = statement(sql.automation).get(kind, key);
        return row === undefined ? null : readAutomationRow(row);
      }),
    automationLog: (limit) =>
      read(() =>
        statement(sql.automationLog)
          .all(limit)
          .map(readAutomationRow)
          .filter((entry) => entry !== null),
      ),
    audio: (id) => read(() => audio.find(id)),
    renameAudio: (id, title) =>
      write(() => {
        audio.rename(id, title);
        return null;
      }),
    listAudio: () => read(() => audio.list()),
    conversations: conversationTables({ statement, read, write }),
    saveRawAnswer: (answer) => write(() => raws.insert(answer)),
    latestRawAnswer: (jobId) => read(() => raws.latest(jobId)),
    heardAgain: (jobId) => read(() => raws.heardAgain(jobId)),
    transcript: (id) => flat(read(() => readWholeText(database, id))),
    transcriptStart: (id, letters) => flat(read(() => readTextStart(database, id, letters))),
    edit: (id, baseRevision, edits) => {
      try {
        return write(() => {
          const revision = statement(sql.revision).get(id)?.['revision'];
          return revision === baseRevision ? saveEdits(database, id, baseRevision, edits) : null;
        });
      } catch (error) {
        if (error instanceof UnfitChange) return ok(null);
        throw error;
      }
    },
    editAll: (changes) => write(() => saveManyEdits(database, changes)),
    transcriptFacts: (id) => {
      const row = read(() => statement(sql.transcriptFacts).get(id));
      if (!row.ok || row.value === undefined) return row.ok ? ok(null) : row;
      const facts = readTranscriptFacts(row.value);
      return facts === null ? err(unreadableRow()) : ok(facts);
    },
    wordCount: (id) =>
      read(() => {
        const row = statement(sql.wordCount).get(id);
        return row === undefined ? null : Number(row['word_count']);
      }),
    nameRevision: (id, revision, name) => write(() => nameRevision(database, id, revision, name)),
    listMedia: () => read(() => readTranscriptMedia(database)),
    attachMedia: (id, path, content) => write(() => attachMedia(database, id, path, content)),
    listSpeakers: () => read(() => readSpeakerUses(database)),
    renameTranscript: (id, title) => writeOne(sql.renameTranscript, title, id),
    relocateMedia: (id, path) => writeOne(sql.relocate, path, id),
    recordingOf: (id) =>
      read(() => {
        const row = statement(sql.recording).get(id);
        return typeof row?.['path'] === 'string' ? row['path'] : null;
      }),
    listPrepared: () =>
      read(() =>
        statement(sql.prepared)
          .all()
          .map((row) => ({ preparedName: String(row['name']), recording: String(row['recording']) })),
      ),
    listTranscripts: () => read(() => listTranscripts(database)),
    listTranscriptItems: () => read(() => readTranscriptItems(database)),
    showJobs: (jobIds) =>
      write(() =>
        jobIds.flatMap((jobId) => {
          statement(sql.showJob).run(jobId);
          const row = statement(sql.job).get(jobId);
          return (row === undefined ? null : readJobRow(row)) ?? [];
        }),
      ),
    eraseTranscripts: (ids) => {
      const erased = write(() => eraseRows(database, ids));
      if (erased.ok) read(() => emptyLog(database));
      return erased;
    },
    close: onClose,
  };
}
