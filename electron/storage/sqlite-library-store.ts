import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { z } from 'zod';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import type { SpeechLanguage } from '../../shared/domain/languages.ts';
import { lazySchema } from '../../shared/domain/lazy-schema.ts';
import { takenFormats } from '../../shared/domain/media/sniff.ts';
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
  TranscriptMedia,
} from '../services/library/store.ts';
import type { DiskReserve } from './library-folder.ts';
import { erased, itemTables, saveItem } from './item-rows.ts';
import { readTextStart, readWholeText, unreadableRow } from './read-stored-text.ts';
import { conversationTables } from './sqlite-conversations.ts';
import { inTransaction } from './sqlite-database.ts';
import { emptyLog, eraseRows, listTranscripts } from './sqlite-erasure.ts';
import {
  automationColumns,
  factsColumns,
  isKeptCopy,
  jobColumnNames,
  jobColumns,
  memoryColumns,
  optionColumns,
  rawColumns,
  readAutomationRow,
  readJobRow,
  readRawRow,
  readTranscriptFacts,
  remoteIdHere,
  wholeTranscripts,
} from './sqlite-rows.ts';
import { speechTables } from './sqlite-speech-store.ts';
import { nameRevision, saveEdits, saveManyEdits, segmentsFromOriginal, UnfitChange } from './transcript-rows.ts';

export const readSpeakerUses = (database: DatabaseSync): readonly SpeakerUse[] =>
  database
    .prepare(
      `SELECT t.id, t.revision, t.speakers FROM ${wholeTranscripts} WHERE t.speakers <> '[]' ORDER BY i.at_ms DESC, t.id`,
    )
    .all()
    .flatMap(({ id, revision, speakers }) => {
      try {
        const read = storedSpeakers().parse(JSON.parse(String(speakers)));
        return [{ transcriptId: String(id), revision: Number(revision), speakers: read }];
      } catch {
        return [];
      }
    });

export const readTranscriptMedia = (database: DatabaseSync): readonly TranscriptMedia[] =>
  database
    .prepare(`SELECT t.id, i.source_name, m.path, m.sha256, m.size_bytes FROM ${wholeTranscripts}`)
    .all()
    .map((row) => ({
      transcriptId: String(row['id']),
      name: String(row['source_name']),
      path: String(row['path']),
      sha256: String(row['sha256']),
      sizeBytes: Number(row['size_bytes']),
    }));

export const readMadeFrom = (
  database: DatabaseSync,
  { sha256, path }: { readonly sha256: string; readonly path: string },
): readonly MadeFrom[] =>
  database
    .prepare(
      `SELECT t.id, i.title, t.media_sha256 FROM ${wholeTranscripts}
       WHERE j.sha256 = ? OR j.path = ? ORDER BY i.at_ms DESC, t.id LIMIT 20`,
    )
    .all(sha256, path)
    .map((found) => ({
      transcriptId: String(found['id']),
      title: String(found['title']),
      mediaSha256: String(found['media_sha256']),
    }));

export function readReplaced(database: DatabaseSync, transcriptId: string): StoredJob | null {
  const row = database
    .prepare(
      `SELECT j.* FROM transcripts t JOIN jobs j ON j.id = t.job_id JOIN media m ON m.sha256 = t.media_sha256
       WHERE t.id = ? AND j.sha256 <> t.media_sha256 AND ${isKeptCopy}`,
    )
    .get(transcriptId);
  return row === undefined ? null : readJobRow(row);
}

export function readVariant(database: DatabaseSync, sha256: string, restoresSpeech: boolean): StoredJob | null {
  const row = database
    .prepare(
      `SELECT * FROM jobs WHERE sha256 = ? AND kind = 'isolate' AND tag = 'done'
       AND json_extract(options, '$.restoresSpeech') = ? ORDER BY added_at_ms DESC, id LIMIT 1`,
    )
    .get(sha256, restoresSpeech ? 1 : 0);
  return row === undefined ? null : readJobRow(row);
}

export function attachMedia(
  database: DatabaseSync,
  id: string,
  path: string,
  { sha256, sizeBytes }: Pick<TranscriptMedia, 'sha256' | 'sizeBytes'>,
  place: 'new' | 'unless-known',
): null {
  database
    .prepare(
      `INSERT INTO media (sha256, path, size_bytes, duration_ms, seen_at_ms) VALUES (?, ?, ?, NULL, ?)
       ON CONFLICT (sha256) DO UPDATE SET path = iif(?, excluded.path, path), seen_at_ms = excluded.seen_at_ms`,
    )
    .run(sha256, path, sizeBytes, Date.now(), place === 'new' ? 1 : 0);
  database.prepare('UPDATE transcripts SET media_sha256 = ? WHERE id = ?').run(sha256, id);
  return null;
}

// Replaced when the same job is done again, after its file was lost.
const insertAudio = `INSERT OR REPLACE INTO audio
  (id, job_id, file_name, format, sha256, size_bytes, duration_ms, remote_id, credits)
  VALUES (:id, :jobId, :fileName, :format, :sha256, :sizeBytes, :durationMs, :remoteId, :credits)`;

// Its id at another service than the one that fills the library now means nothing.
const selectAudio = `SELECT a.id, a.job_id AS jobId, i.title, i.source_name AS sourceName, i.at_ms AS createdAtMs,
  a.file_name AS fileName, a.format, a.sha256, a.size_bytes AS sizeBytes, a.duration_ms AS durationMs,
  iif(j.origin = ?1, a.remote_id, NULL) AS remoteId, a.credits FROM audio a
  JOIN items i ON i.kind = 'isolation' AND i.id = a.id JOIN jobs j ON j.id = a.job_id`;
const audioRow = lazySchema(() =>
  z.object({
    id: z.string(),
    jobId: z.string(),
    title: z.string(),
    sourceName: z.string(),
    createdAtMs: z.number(),
    fileName: z.string(),
    format: z.enum(takenFormats),
    sha256: z.string(),
    sizeBytes: z.number(),
    durationMs: z.number().nullable(),
    remoteId: z.string().nullable(),
    credits: z.string().nullable(),
  }),
);
const readAudioRow = (row: Readonly<Record<string, unknown>>): StoredAudio | null =>
  audioRow().safeParse(row).data ?? null;

export const audioTable = (statement: (sql: string) => StatementSync) => ({
  insert({ title, sourceName, createdAtMs, ...audio }: StoredAudio): void {
    statement(
      "DELETE FROM items WHERE kind = 'isolation' AND id <> ? AND id = (SELECT id FROM audio WHERE job_id = ?)",
    ).run(audio.id, audio.jobId);
    statement(insertAudio).run({ ...audio });
    statement(saveItem).run('isolation', audio.id, title, sourceName, createdAtMs);
  },
  find(id: string, origin: Origin): StoredAudio | null {
    const row = statement(`${selectAudio} WHERE a.id = ?2`).get(origin, id);
    return row === undefined ? null : readAudioRow(row);
  },
  list: (origin: Origin): readonly StoredAudio[] =>
    statement(`${selectAudio} ORDER BY i.at_ms DESC, a.id`)
      .all(origin)
      .map(readAudioRow)
      .filter((audio) => audio !== null),
});

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
  latest(jobId: string): RawAnswer | null {
    const row = statement(
      `SELECT ${rawColumns} FROM raw_answers WHERE job_id = ? AND source <> 'listen-again' ORDER BY id DESC LIMIT 1`,
    ).get(jobId);
    return row === undefined ? null : readRawRow(row);
  },
  heardAgain: (jobId: string): readonly RawAnswer[] =>
    statement(`SELECT ${rawColumns} FROM raw_answers WHERE job_id = ? AND source = 'listen-again' ORDER BY id DESC`)
      .all(jobId)
      .map(readRawRow)
      .filter((answer) => answer !== null),
});

const sql = {
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
  revision: 'SELECT revision FROM transcripts WHERE id = ?',
  noteAutomation: `INSERT INTO automation (kind, key, at_ms, name, outcome, row) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (kind, key) DO UPDATE SET at_ms = excluded.at_ms, name = excluded.name, outcome = excluded.outcome, row = excluded.row`,
  automation: `SELECT ${automationColumns} FROM automation WHERE kind = ? AND key = ?`,
  automationLog: `SELECT ${automationColumns} FROM automation WHERE outcome <> 'there-before'
    ORDER BY at_ms DESC LIMIT ?`,
  transcriptFacts: `SELECT ${factsColumns(remoteIdHere)} FROM ${wholeTranscripts} WHERE t.id = ?2`,
  wordCount: 'SELECT word_count FROM transcripts WHERE id = ?',
  setLanguage: 'UPDATE transcripts SET language = ? WHERE id = ?',
  setRecordingLength: `UPDATE transcripts SET duration_ms = max(?1,
      (SELECT coalesce(max(end_ms), 0) FROM transcript_segments WHERE transcript_id = ?2),
      (SELECT coalesce(max(value ->> 'endMs'), 0) FROM json_each(coalesce(cuts, '[]'))))
    WHERE id = ?2`,
  recording: 'SELECT j.path FROM transcripts t JOIN jobs j ON j.id = t.job_id WHERE t.id = ?',
  // Includes the original recording of a transcript that plays other audio than was sent.
  prepared: `SELECT substr(m.path, 10) AS name, iif(${isKeptCopy}, m.path, j.path) AS recording FROM media m
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
        .map(readJobRow)
        .filter((job) => job !== null),
    );
  const writeEach = <T>(items: readonly T[], writeItem: (item: T) => void): Result<null> =>
    write(() => {
      items.forEach(writeItem);
      return null;
    });
  const noteKey = (name: LibraryNote): string =>
    origin === 'service' || sharedNotes.has(name) ? `note-${name}` : `note-${name}-${origin}`;
  const items = itemTables({ statement, read, write }, origin);
  const audio = audioTable(statement);
  const raws = rawAnswerTable(statement);
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
    automation: (kind: AutomationKind, key: string): Result<AutomationEntry | null> =>
      read(() => {
        const row = statement(sql.automation).get(kind, key);
        return row === undefined ? null : readAutomationRow(row);
      }),
    automationLog: (limit: number): Result<readonly AutomationEntry[]> =>
      read(() =>
        statement(sql.automationLog)
          .all(limit)
          .map(readAutomationRow)
          .filter((entry) => entry !== null),
      ),
    audio: (id: string) => read(() => audio.find(id, origin)),
    listAudio: () => read(() => audio.list(origin)),
    items,
    conversations: conversationTables({ statement, read, write }),
    speech: speechTables({ statement, read, write }),
    saveRawAnswer: (answer: RawAnswer) => write(() => raws.insert(answer)),
    latestRawAnswer: (jobId: string) => read(() => raws.latest(jobId)),
    heardAgain: (jobId: string) => read(() => raws.heardAgain(jobId)),
    transcript: (id: string) => flat(read(() => readWholeText(database, id))),
    transcriptStart: (id: string, letters: number) => flat(read(() => readTextStart(database, id, letters))),
    /** All edits or none; null when the text has another revision by now, or is gone. */
    edit: (id: string, baseRevision: number, edits: readonly StoredEdit[]): Result<number | null> => {
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
    editAll: (changes: Parameters<typeof saveManyEdits>[1]) => write(() => saveManyEdits(database, changes)),
    transcriptFacts: (id: string): Result<TranscriptFacts | null> => {
      const row = read(() => statement(sql.transcriptFacts).get(origin, id));
      if (!row.ok || row.value === undefined) return row.ok ? ok(null) : row;
      const facts = readTranscriptFacts(row.value);
      return facts === null ? err(unreadableRow()) : ok(facts);
    },
    wordCount: (id: string): Result<number | null> =>
      read(() => {
        const row = statement(sql.wordCount).get(id);
        return row === undefined ? null : Number(row['word_count']);
      }),
    nameRevision: (id: string, revision: number, name: string | null) =>
      write(() => nameRevision(database, id, revision, name)),
    listMedia: () => read(() => readTranscriptMedia(database)),
    /** With `unless-known`, a known path of this content stays. */
    attachMedia: (
      id: string,
      path: string,
      content: Pick<TranscriptMedia, 'sha256' | 'sizeBytes'>,
      place: 'new' | 'unless-known' = 'new',
    ) => write(() => attachMedia(database, id, path, content, place)),
    transcriptsMadeFrom: (recording: { readonly sha256: string; readonly path: string }) =>
      read(() => readMadeFrom(database, recording)),
    replacedRecording: (id: string) => read(() => readReplaced(database, id)),
    findVariant: (sha256: string, restoresSpeech: boolean) => read(() => readVariant(database, sha256, restoresSpeech)),
    listSpeakers: () => read(() => readSpeakerUses(database)),
    setTranscriptLanguage: (id: string, language: SpeechLanguage) => writeOne(sql.setLanguage, language, id),
    /** At least as long as what is in the text; this is no edit. */
    setRecordingLength: (id: string, recordingMs: number) =>
      writeOne(sql.setRecordingLength, Math.round(recordingMs), id),
    relocateMedia: (id: string, path: string) => writeOne(sql.relocate, path, id),
    recordingOf: (id: string): Result<string | null> =>
      read(() => {
        const row = statement(sql.recording).get(id);
        return typeof row?.['path'] === 'string' ? row['path'] : null;
      }),
    listPrepared: (): Result<readonly { readonly preparedName: string; readonly recording: string }[]> =>
      read(() =>
        statement(sql.prepared)
          .all()
          .map((row) => ({ preparedName: String(row['name']), recording: String(row['recording']) })),
      ),
    listTranscripts: () => read(() => listTranscripts(database, origin)),
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
