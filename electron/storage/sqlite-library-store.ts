import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import type { Origin } from '../../shared/domain/modes.ts';
import type { LibraryNote, LibraryStore, NewTranscript, StoredChange, StoredJob } from '../services/library/store.ts';
import type { DiskReserve } from './disk-reserve.ts';
import { inTransaction } from './sqlite-database.ts';
import { mediaTable, readSpeakerUses, readTranscriptItems } from './library-rows.ts';
import { librarySql as sql } from './library-sql.ts';
import { audioTable } from './sqlite-audio.ts';
import { rawAnswerTable } from './sqlite-raw-answers.ts';
import { conversationTables } from './sqlite-conversations.ts';
import { emptyLog, eraseRows, listTranscripts } from './sqlite-erasure.ts';
import { readTextStart, readWholeText, unreadableRow } from './read-stored-text.ts';
import {
  jobColumns,
  memoryColumns,
  optionColumns,
  readAutomationRow,
  readJobRow,
  readTranscriptFacts,
} from './sqlite-rows.ts';
import { libraryFailure } from '../platform/node/storage-failure.ts';
import { nameRevision, saveEdits, saveManyEdits, UnfitChange } from './transcript-rows.ts';

/** Notes about the library; the others are about the queue or about what is at the service. */
const sharedNotes: ReadonlySet<LibraryNote> = new Set(['deleted', 'folders', 'speaker-book']);

/** The id of a row at another service means nothing here. */
const withoutRemoteId = (job: StoredJob): StoredJob => {
  const { intent } = job.memory;
  return intent === null ? job : { ...job, memory: { ...job.memory, intent: { ...intent, remoteId: null } } };
};

const flat = <T>(found: Result<Result<T>>): Result<T> => (found.ok ? found.value : found);

/**
 * The library's tables behind the port. `onClose` ends what was opened around the database. Writes to a file that is no
 * longer `isInPlace` would be lost, so they are refused (E-185). The queue is that of one `origin`; texts are of all.
 */
export function createSqliteLibraryStore(
  database: DatabaseSync,
  reserve: DiskReserve,
  onClose: () => void,
  isInPlace: () => boolean = () => true,
  origin: Origin = 'service',
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
  /**
   * On a full disk the reserve is released, so that what is already known can still be written. From then on the log is
   * merged often and stays short; otherwise it would use up the reserve.
   */
  const write = <T>(work: () => T): Result<T> => {
    if (!isInPlace()) return err(localFailure('E-185'));
    const first = read(() => inTransaction(database, work));
    if (first.ok) {
      reserve.refill();
      return first;
    }
    if (first.error.row !== 'E-180') return first;
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
  const noteKey = (name: LibraryNote): string =>
    origin === 'service' || sharedNotes.has(name) ? `note-${name}` : `note-${name}-${origin}`;
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
      text.model,
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
          .all(origin)
          .map(readJobRow)
          .filter((job) => job !== null),
      ),
    job: (id) =>
      read(() => {
        const row = statement('SELECT * FROM jobs WHERE id = ?').get(id);
        const job = row === undefined ? null : readJobRow(row);
        return job === null || row?.['origin'] === origin ? job : withoutRemoteId(job);
      }),
    addJobs: (jobs) =>
      write(() => {
        for (const job of jobs)
          statement(sql.insertJob).run(...jobColumns(job), job.rank, ...memoryColumns(job.memory), origin);
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
        const row = statement(sql.note).get(noteKey(name));
        return typeof row?.['value'] === 'string' ? row['value'] : null;
      }),
    saveNote: (name, value) => writeOne(sql.saveNote, noteKey(name), value),
    hideJobs: (jobIds) =>
      write(() => {
        for (const jobId of jobIds) statement(sql.hideJob).run(jobId);
        return null;
      }),
    hiddenJobs: (kind) =>
      read(() =>
        statement(sql.hiddenJobs)
          .all(kind, origin)
          .map(readJobRow)
          .filter((job) => job !== null),
      ),
    movePath: (jobId, path) => writeOne(sql.movePath, path, jobId),
    findSame: ({ sha256, ...options }) =>
      read(() =>
        statement(sql.findSame)
          .all(sha256, ...optionColumns(options), origin)
          .map(readJobRow)
          .filter((job) => job !== null),
      ),
    findTwin: ({ sha256, ...options }, exceptJobId) =>
      read(() => {
        const rows = statement(sql.findTwin).iterate(sha256, ...optionColumns(options), origin);
        for (const row of rows) {
          const job = row['id'] === exceptJobId ? null : readJobRow(row);
          // A row with unreadable memory does not count as work under way.
          if (job !== null && job.memory.state.tag !== 'failed') return job;
        }
        return null;
      }),
    findText: ({ sha256, ...options }, exceptJobId) =>
      read(() => {
        const row = statement(sql.findText).get(sha256, ...optionColumns(options), origin, exceptJobId);
        return typeof row?.['id'] === 'string' ? row['id'] : null;
      }),
    isRemoteIdTaken: (remoteId, exceptJobId) => {
      const taken = read(() => statement(sql.takenRemoteId).get(remoteId, origin, exceptJobId) !== undefined);
      return !taken.ok || taken.value;
    },
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
    audio: (id) => read(() => audio.find(id, origin)),
    renameAudio: (id, title) =>
      write(() => {
        audio.rename(id, title);
        return null;
      }),
    listAudio: () => read(() => audio.list(origin)),
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
      const row = read(() => statement(sql.transcriptFacts).get(origin, id));
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
    ...mediaTable(database, read, write),
    listSpeakers: () => read(() => readSpeakerUses(database)),
    renameTranscript: (id, title) => writeOne(sql.renameTranscript, title, id),
    setTranscriptLanguage: (id, language) => writeOne(sql.setLanguage, language, id),
    setRecordingLength: (id, recordingMs) => writeOne(sql.setRecordingLength, Math.round(recordingMs), id),
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
    listTranscripts: () => read(() => listTranscripts(database, origin)),
    listTranscriptItems: () => read(() => readTranscriptItems(database, origin)),
    showJobs: (jobIds) =>
      write(() =>
        jobIds.flatMap((jobId) => {
          statement(sql.showJob).run(jobId);
          const row = statement(sql.job).get(jobId);
          return row?.['origin'] === origin ? (readJobRow(row) ?? []) : [];
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
