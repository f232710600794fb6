import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import type { SpeechLanguage } from '../../shared/domain/languages.ts';
import type { Origin } from '../../shared/domain/modes.ts';
import { storedSpeakers } from '../../shared/domain/transcript/packed.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { libraryFailure } from '../platform/node/storage-failure.ts';
import type {
  AutomationEntry,
  AutomationKind,
  ErasedRows,
  JobOutput,
  JournalEvent,
  LibraryNote,
  MadeFrom,
  NewTranscript,
  RawAnswer,
  SameContent,
  SpeakerUse,
  StoredAudio,
  StoredChange,
  StoredEdit,
  StoredJob,
  TranscriptFacts,
  TranscriptLine,
  TranscriptMedia,
} from '../services/library/store.ts';
import { noRecording } from '../services/media/audio-extractor.ts';
import type { DiskReserve } from './library-folder.ts';
import { erased, itemTables, saveItem } from './item-rows.ts';
import { readTextStart, readWholeText } from './read-stored-text.ts';
import { conversationTables } from './sqlite-conversations.ts';
import { inTransaction, jsonOf, rowsOf } from './sqlite-database.ts';
import { emptyLog, eraseRows } from './sqlite-erasure.ts';
import {
  factsColumns,
  recordingQuery,
  isKeptCopy,
  jobColumnNames,
  jobColumns,
  memoryColumns,
  optionColumns,
  readJobRow,
  remoteIdHere,
  wholeTranscripts,
} from './sqlite-rows.ts';
import { speechTables } from './sqlite-speech-store.ts';
import {
  nameRevision,
  revisionOf,
  saveEdits,
  saveManyEdits,
  segmentsFromOriginal,
  UnfitChange,
} from './transcript-rows.ts';

// Its id at another service than the one that fills the library now means nothing.
const audio = `SELECT a.id, a.job_id AS jobId, i.title, i.source_name AS sourceName, i.at_ms AS createdAtMs,
  a.file_name AS fileName, a.format, a.sha256, a.size_bytes AS sizeBytes, a.duration_ms AS durationMs,
  iif(j.origin = ?1, a.remote_id, NULL) AS remoteId, a.credits FROM audio a
  JOIN items i ON i.kind = 'isolation' AND i.id = a.id JOIN jobs j ON j.id = a.job_id`;
const raws =
  'SELECT job_id AS jobId, at_ms AS atMs, source, request_id AS requestId, body FROM raw_answers WHERE job_id = ?';
const automation = 'SELECT kind, key, at_ms AS atMs, name, outcome, row FROM automation';

const sql = {
  audio: `${audio} WHERE a.id = ?2`,
  listAudio: `${audio} ORDER BY i.at_ms DESC, a.id`,
  dropEarlierAudio:
    "DELETE FROM items WHERE kind = 'isolation' AND id <> ? AND id = (SELECT id FROM audio WHERE job_id = ?)",
  // Replaced when the same job is done again, after its file was lost.
  insertAudio: `INSERT OR REPLACE INTO audio
    (id, job_id, file_name, format, sha256, size_bytes, duration_ms, remote_id, credits)
    VALUES (:id, :jobId, :fileName, :format, :sha256, :sizeBytes, :durationMs, :remoteId, :credits)`,
  insertRaw: 'INSERT INTO raw_answers (job_id, at_ms, source, request_id, body) VALUES (?, ?, ?, ?, ?)',
  latestRaw: `${raws} AND source <> 'listen-again' ORDER BY id DESC LIMIT 1`,
  heardAgain: `${raws} AND source = 'listen-again' ORDER BY id DESC`,
  speakers: `SELECT t.id, t.revision, t.speakers FROM ${wholeTranscripts} WHERE t.speakers <> '[]'
    ORDER BY i.at_ms DESC, t.id`,
  media: `SELECT t.id AS transcriptId, i.source_name AS name, m.path, m.sha256, m.size_bytes AS sizeBytes
    FROM ${wholeTranscripts}`,
  madeFrom: `SELECT t.id AS transcriptId, i.title, t.media_sha256 AS mediaSha256 FROM ${wholeTranscripts}
    WHERE j.sha256 = ? OR j.path = ? ORDER BY i.at_ms DESC, t.id LIMIT 20`,
  replaced: `SELECT j.* FROM ${wholeTranscripts} WHERE t.id = ? AND j.sha256 <> t.media_sha256 AND ${isKeptCopy}`,
  variant: `SELECT * FROM jobs WHERE sha256 = ? AND kind = 'isolate' AND tag = 'done'
    AND json_extract(options, '$.restoresSpeech') = ? ORDER BY added_at_ms DESC, id LIMIT 1`,
  attachMedia: `INSERT INTO media (sha256, path, size_bytes, duration_ms, seen_at_ms) VALUES (?, ?, ?, NULL, ?)
    ON CONFLICT (sha256) DO UPDATE SET path = iif(?, excluded.path, path), seen_at_ms = excluded.seen_at_ms`,
  playMedia: 'UPDATE transcripts SET media_sha256 = ? WHERE id = ?',
  transcripts: `SELECT t.id, t.job_id AS jobId, i.title, i.source_name AS sourceName, i.at_ms AS createdAtMs,
    ${remoteIdHere} AS remoteId, t.language, t.word_count AS wordCount, t.duration_ms AS durationMs, m.path
    FROM ${wholeTranscripts} ORDER BY i.at_ms DESC, t.id`,
  loadJobs: 'SELECT * FROM jobs WHERE is_hidden = 0 AND origin = ? ORDER BY added_at_ms, id',
  hiddenJobs:
    'SELECT * FROM jobs WHERE is_hidden = 1 AND kind = ? AND origin = ? ORDER BY added_at_ms DESC, id LIMIT 500',
  insertJob: `INSERT INTO jobs
    (${jobColumnNames}, rank, tag, sha256, idempotency_key, remote_id, memory, origin)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
    'SELECT * FROM jobs WHERE sha256 = ? AND language = ? AND include_speakers = ? AND kind = ? AND options = ? AND origin = ? ORDER BY added_at_ms DESC, id',
  // Its conditions match an index of its own.
  findTwin: `SELECT * FROM jobs WHERE sha256 = ? AND language = ? AND include_speakers = ? AND kind = ? AND options = ?
    AND origin = ? AND tag NOT IN ('failed', 'cancelled', 'needs-user') ORDER BY added_at_ms DESC, id`,
  // Uses the same index, which does not contain rows that wait for an answer.
  findText: `SELECT t.id FROM jobs j CROSS JOIN transcripts t ON t.job_id = j.id
    WHERE j.sha256 = ? AND j.language = ? AND j.include_speakers = ? AND j.kind = ? AND j.options = ? AND j.origin = ? AND j.tag = 'done' AND j.id <> ?
    AND j.tag NOT IN ('failed', 'cancelled', 'needs-user') ORDER BY j.added_at_ms DESC, j.id LIMIT 1`,
  takenRemoteId: 'SELECT 1 FROM jobs WHERE remote_id = ? AND origin = ? AND id <> ?',
  upsertMedia: `INSERT INTO media (sha256, path, size_bytes, duration_ms, seen_at_ms) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (sha256) DO UPDATE SET path = excluded.path, seen_at_ms = excluded.seen_at_ms`,
  insertTranscript: `INSERT INTO transcripts
    (id, job_id, media_sha256, remote_id, raw_answer_id, language, word_count, duration_ms, speakers, model)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  insertOriginal: 'INSERT INTO transcript_originals (transcript_id, body) VALUES (?, CAST(? AS TEXT))',
  insertSegments: segmentsFromOriginal,
  noteAutomation: `INSERT INTO automation (kind, key, at_ms, name, outcome, row) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (kind, key) DO UPDATE SET at_ms = excluded.at_ms, name = excluded.name, outcome = excluded.outcome, row = excluded.row`,
  automation: `${automation} WHERE kind = ? AND key = ?`,
  automationLog: `${automation} WHERE outcome <> 'there-before' ORDER BY at_ms DESC LIMIT ?`,
  transcriptFacts: `SELECT ${factsColumns(remoteIdHere)} FROM ${wholeTranscripts} WHERE t.id = ?2`,
  wordCount: 'SELECT word_count FROM transcripts WHERE id = ?',
  setLanguage: 'UPDATE transcripts SET language = ? WHERE id = ?',
  setRecordingLength: `UPDATE transcripts SET duration_ms = max(?1,
      (SELECT coalesce(max(end_ms), 0) FROM transcript_segments WHERE transcript_id = ?2),
      (SELECT coalesce(max(value ->> 'endMs'), 0) FROM json_each(coalesce(cuts, '[]'))))
    WHERE id = ?2`,
  recording: recordingQuery,
  // Includes the original recording of a transcript that plays other audio than was sent.
  prepared: `SELECT substr(m.path, 10) AS preparedName, iif(${isKeptCopy}, m.path, j.path) AS recording FROM media m
    JOIN transcripts t ON t.media_sha256 = m.sha256 JOIN jobs j ON j.id = t.job_id WHERE m.path LIKE 'prepared:%'
    UNION SELECT j.memory ->> '$.intent.preparedName', j.path FROM transcripts t JOIN jobs j ON j.id = t.job_id
    WHERE j.sha256 <> t.media_sha256 AND j.memory ->> '$.intent.preparedName' IS NOT NULL`,
  relocate: 'UPDATE media SET path = ? WHERE sha256 = (SELECT media_sha256 FROM transcripts WHERE id = ?)',
} as const;

/** Notes about the library; the others are about the queue or about what is at the service. */
const sharedNotes: ReadonlySet<LibraryNote> = new Set(['speaker-book']);

/** The id of a row at another service means nothing here. */
const withoutRemoteId = (job: StoredJob): StoredJob => {
  const { intent } = job.memory;
  return intent === null ? job : { ...job, memory: { ...job.memory, intent: { ...intent, remoteId: null } } };
};

const flat = <T>(found: Result<Result<T>>): Result<T> => (found.ok ? found.value : found);

/** Writes to a file that is no longer in place are refused (data-folder-unwritable). Texts are of all origins. */
export function createSqliteLibraryStore(
  database: DatabaseSync,
  reserve: DiskReserve,
  onClose: () => void,
  isInPlace: () => boolean = () => true,
  origin: Origin = 'service',
) {
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
  /** On a full disk the reserve is released; from then on the log is merged often and stays short. */
  const write = <T>(work: () => T): Result<T> => {
    if (!isInPlace()) return err(localFailure('data-folder-unwritable'));
    const first = read(() => inTransaction(database, work));
    if (first.ok) {
      reserve.refill();
      return first;
    }
    if (first.error.kind !== 'disk-full') return first;
    reserve.release();
    return read(() => {
      database.exec('PRAGMA wal_autocheckpoint = 25; PRAGMA wal_checkpoint(PASSIVE)');
      return inTransaction(database, work);
    });
  };

  const writeOne = (text: string, ...values: readonly SQLInputValue[]): Result<null> =>
    write(() => {
      statement(text).run(...values);
      return null;
    });
  const readJobs = (text: string, ...values: readonly SQLInputValue[]): Result<readonly StoredJob[]> =>
    read(() =>
      statement(text)
        .all(...values)
        .flatMap((row) => readJobRow(row) ?? []),
    );
  const readJob = (text: string, ...values: readonly SQLInputValue[]): Result<StoredJob | null> => {
    const jobs = readJobs(text, ...values);
    return jobs.ok ? ok(jobs.value[0] ?? null) : jobs;
  };
  const all = <T>(text: string, ...values: readonly SQLInputValue[]): Result<readonly T[]> =>
    read(() => rowsOf<T>(statement(text), ...values));
  const one = <T>(text: string, ...values: readonly SQLInputValue[]): Result<T | null> =>
    read(() => rowsOf<T>(statement(text), ...values)[0] ?? null);
  const writeEach = <T>(items: readonly T[], writeItem: (item: T) => void): Result<null> =>
    write(() => {
      items.forEach(writeItem);
      return null;
    });
  const noteKey = (name: LibraryNote): string =>
    origin === 'service' || sharedNotes.has(name) ? `note-${name}` : `note-${name}-${origin}`;
  const items = itemTables({ statement, read, write }, origin);
  const insertTranscript = (job: StoredJob, text: NewTranscript) => {
    statement(sql.upsertMedia).run(text.mediaSha256, text.mediaPath, job.sizeBytes, job.durationMs, text.createdAtMs);
    statement(sql.insertTranscript).run(
      text.id,
      text.jobId,
      text.mediaSha256,
      text.remoteId,
      text.rawAnswerId,
      text.written.language,
      text.written.wordCount,
      text.written.durationMs,
      JSON.stringify(text.written.speakers),
      text.model,
    );
    statement(saveItem).run('transcript', text.id, text.title, text.sourceName, text.createdAtMs);
    statement(sql.insertOriginal).run(text.id, text.written.body);
    statement(sql.insertSegments).run(text.id);
  };

  const insertAudio = ({ title, sourceName, createdAtMs, ...made }: StoredAudio) => {
    statement(sql.dropEarlierAudio).run(made.id, made.jobId);
    statement(sql.insertAudio).run({ ...made });
    statement(saveItem).run('isolation', made.id, title, sourceName, createdAtMs);
  };

  const change = ({ job, event, atMs, output }: StoredChange) => {
    statement(sql.insertEvent).run(job.id, atMs, JSON.stringify(event));
    if (output?.transcript !== undefined) insertTranscript(job, output.transcript);
    else if (output?.audio !== undefined) insertAudio(output.audio);
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
    loadJobs: () => readJobs(sql.loadJobs, origin),
    job: (id: string): Result<StoredJob | null> =>
      read(() => {
        const row = statement('SELECT * FROM jobs WHERE id = ?').get(id);
        const job = row === undefined ? null : readJobRow(row);
        return job === null || row?.['origin'] === origin ? job : withoutRemoteId(job);
      }),
    addJobs: (jobs: readonly StoredJob[]): Result<null> =>
      writeEach(jobs, (job) =>
        statement(sql.insertJob).run(...jobColumns(job), job.rank, ...memoryColumns(job.memory), origin),
      ),
    commit(job: StoredJob, event: JournalEvent, atMs: number, output: JobOutput | null): Result<null> {
      return this.commitAll([{ job, event, atMs, output }]);
    },
    commitAll: (changes: readonly StoredChange[]): Result<null> => writeEach(changes, change),
    saveRanks: (ranks: readonly { readonly id: string; readonly rank: number }[]): Result<null> =>
      writeEach(ranks, ({ id, rank }) => statement(sql.rerank).run(rank, id)),
    note: (name: LibraryNote): Result<string | null> =>
      read(() => {
        const row = statement(sql.note).get(noteKey(name));
        return typeof row?.['value'] === 'string' ? row['value'] : null;
      }),
    saveNote: (name: LibraryNote, value: string): Result<null> => writeOne(sql.saveNote, noteKey(name), value),
    hideJobs: (jobIds: readonly string[]): Result<null> =>
      writeEach(jobIds, (jobId) => statement(sql.hideJob).run(jobId)),
    hiddenJobs: (kind: StoredJob['kind']): Result<readonly StoredJob[]> => readJobs(sql.hiddenJobs, kind, origin),
    movePath: (jobId: string, path: string): Result<null> => writeOne(sql.movePath, path, jobId),
    findSame: ({ sha256, ...options }: SameContent): Result<readonly StoredJob[]> =>
      readJobs(sql.findSame, sha256, ...optionColumns(options), origin),
    findTwin: ({ sha256, ...options }: SameContent, exceptJobId: string): Result<StoredJob | null> =>
      read(() => {
        const rows = statement(sql.findTwin).iterate(sha256, ...optionColumns(options), origin);
        for (const row of rows) {
          const job = row['id'] === exceptJobId ? null : readJobRow(row);
          // A row with unreadable memory does not count as work under way.
          if (job !== null && job.memory.state.tag !== 'failed') return job;
        }
        return null;
      }),
    findText: ({ sha256, ...options }: SameContent, exceptJobId: string): Result<string | null> =>
      read(() => {
        const row = statement(sql.findText).get(sha256, ...optionColumns(options), origin, exceptJobId);
        return typeof row?.['id'] === 'string' ? row['id'] : null;
      }),
    isRemoteIdTaken: (remoteId: string, exceptJobId: string): boolean => {
      const taken = read(() => statement(sql.takenRemoteId).get(remoteId, origin, exceptJobId) !== undefined);
      return !taken.ok || taken.value;
    },
    noteAutomation: ({ kind, key, atMs, name, outcome, row }: AutomationEntry): Result<null> =>
      writeOne(sql.noteAutomation, kind, key, atMs, name, outcome, row),
    automation: (kind: AutomationKind, key: string) => one<AutomationEntry>(sql.automation, kind, key),
    automationLog: (limit: number) => all<AutomationEntry>(sql.automationLog, limit),
    audio: (id: string) => one<StoredAudio>(sql.audio, origin, id),
    listAudio: () => all<StoredAudio>(sql.listAudio, origin),
    items,
    conversations: conversationTables({ statement, read, write }),
    speech: speechTables({ statement, read, write }),
    saveRawAnswer: ({ jobId, atMs, source, requestId, body }: RawAnswer): Result<number> =>
      write(() => Number(statement(sql.insertRaw).run(jobId, atMs, source, requestId, body).lastInsertRowid)),
    latestRawAnswer: (jobId: string) => one<RawAnswer>(sql.latestRaw, jobId),
    heardAgain: (jobId: string) => all<RawAnswer>(sql.heardAgain, jobId),
    transcript: (id: string) => flat(read(() => readWholeText(database, id))),
    transcriptStart: (id: string, letters: number) => flat(read(() => readTextStart(database, id, letters))),
    /** All edits or none; null when the text has another revision by now, or is gone. */
    edit: (id: string, baseRevision: number, edits: readonly StoredEdit[]): Result<number | null> => {
      try {
        return write(() =>
          revisionOf(database, id) === baseRevision ? saveEdits(database, id, baseRevision, edits) : null,
        );
      } catch (error) {
        if (error instanceof UnfitChange) return ok(null);
        throw error;
      }
    },
    editAll: (changes: Parameters<typeof saveManyEdits>[1]) => write(() => saveManyEdits(database, changes)),
    transcriptFacts: (id: string) => one<TranscriptFacts>(sql.transcriptFacts, origin, id),
    wordCount: (id: string): Result<number | null> =>
      read(() => {
        const row = statement(sql.wordCount).get(id);
        return row === undefined ? null : Number(row['word_count']);
      }),
    nameRevision: (id: string, revision: number, name: string | null) =>
      write(() => nameRevision(database, id, revision, name)),
    listMedia: () => all<TranscriptMedia>(sql.media),
    /** With `unless-known`, a known path of this content stays. */
    attachMedia: (
      id: string,
      path: string,
      { sha256, sizeBytes }: Pick<TranscriptMedia, 'sha256' | 'sizeBytes'>,
      place: 'new' | 'unless-known' = 'new',
    ): Result<null> =>
      write(() => {
        statement(sql.attachMedia).run(sha256, path, sizeBytes, Date.now(), place === 'new' ? 1 : 0);
        statement(sql.playMedia).run(sha256, id);
        return null;
      }),
    transcriptsMadeFrom: ({ sha256, path }: { readonly sha256: string; readonly path: string }) =>
      all<MadeFrom>(sql.madeFrom, sha256, path),
    replacedRecording: (id: string) => readJob(sql.replaced, id),
    findVariant: (sha256: string, restoresSpeech: boolean) => readJob(sql.variant, sha256, restoresSpeech ? 1 : 0),
    listSpeakers: (): Result<readonly SpeakerUse[]> =>
      read(() =>
        statement(sql.speakers)
          .all()
          .flatMap(({ id, revision, speakers }) => {
            const read = storedSpeakers().safeParse(jsonOf(speakers));
            return read.success ? [{ transcriptId: String(id), revision: Number(revision), speakers: read.data }] : [];
          }),
      ),
    setTranscriptLanguage: (id: string, language: SpeechLanguage) => writeOne(sql.setLanguage, language, id),
    /** At least as long as what is in the text; this is no edit. */
    setRecordingLength: (id: string, recordingMs: number) =>
      writeOne(sql.setRecordingLength, Math.round(recordingMs), id),
    relocateMedia: (id: string, path: string) => writeOne(sql.relocate, path, id),
    recordingOf: (id: string): Result<string | null> =>
      read(() => rowsOf<{ path: string }>(statement(sql.recording), id)[0]?.path ?? null),
    listPrepared: () => all<{ readonly preparedName: string; readonly recording: string }>(sql.prepared),
    listTranscripts: (): Result<readonly TranscriptLine[]> =>
      read(() =>
        rowsOf<Omit<TranscriptLine, 'hasRecording'> & { path: string }>(statement(sql.transcripts), origin).map(
          ({ path, ...line }) => ({ ...line, hasRecording: !path.startsWith(noRecording) }),
        ),
      ),
    showJobs: (jobIds: readonly string[]): Result<readonly StoredJob[]> =>
      write(() =>
        jobIds.flatMap((jobId) => {
          statement(sql.showJob).run(jobId);
          const row = statement(sql.job).get(jobId);
          return row?.['origin'] === origin ? (readJobRow(row) ?? []) : [];
        }),
      ),
    /** Their places among the items stay until `items.forget`, so that a crash leaves no trace elsewhere. */
    eraseItems: (ids: readonly string[]): Result<ErasedRows> => {
      const done = write(() => {
        const rows = eraseRows(database, ids);
        for (const { kind, id } of rows.items)
          statement('INSERT INTO items (kind, id, erase_at_ms) VALUES (?, ?, ?)').run(kind, id, erased);
        return rows;
      });
      if (done.ok) read(() => emptyLog(database));
      return done;
    },
    close: onClose,
  };
}

/** Each write is durable when the call returns; a failed one changed nothing. */
export type LibraryStore = ReturnType<typeof createSqliteLibraryStore>;
