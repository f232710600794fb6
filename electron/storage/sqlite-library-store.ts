import type { Duplicate } from '../../shared/domain/jobs/job-state.ts';
import type { Origin } from '../../shared/domain/modes.ts';
import type { Result } from '../../shared/result/result.ts';
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
  StoredAudio,
  StoredChange,
  StoredJob,
  TranscriptLine,
  TranscriptMedia,
} from '../services/library/store.ts';
import { noRecording } from '../services/media/audio-extractor.ts';
import { guardWrites } from './library-folder.ts';
import type { LibraryFile } from './open-library-file.ts';
import { erased, itemTables } from './item-rows.ts';
import { conversationTables } from './sqlite-conversations.ts';
import {
  elseSet,
  emptyLog,
  insertInto,
  openTables,
  read,
  rowsOf,
  saveItem,
  selected,
  setting,
} from './sqlite-database.ts';
import { eraseRows } from './sqlite-erasure.ts';
import {
  isKeptCopy,
  jobColumns,
  readJobRow,
  recordColumns,
  recordingQuery,
  remoteIdHere,
  selectJobs,
  storedOptions,
  storedRecord,
  wholeTranscripts,
  type StoredJobRow,
} from './sqlite-rows.ts';
import { speechTables } from './sqlite-speech-store.ts';
import { segmentsFromOriginal, textTables } from './transcript-rows.ts';

const audioColumns = 'id jobId fileName format sha256 sizeBytes durationMs';
// Its id at another service than the one that fills the library now means nothing.
const audio = `SELECT ${selected(`${audioColumns} credits`, 'a.')}, i.title, i.source_name AS sourceName,
  i.at_ms AS createdAtMs, iif(j.origin = ?1, a.remote_id, NULL) AS remoteId FROM audio a
  JOIN items i ON i.kind = 'isolation' AND i.id = a.id JOIN jobs j ON j.id = a.job_id`;
const rawColumns = 'jobId atMs source requestId body';
const raws = `SELECT ${selected(rawColumns)} FROM raw_answers WHERE job_id = ?`;
const automationColumns = 'kind key atMs name outcome row';
const automation = `SELECT ${selected(automationColumns)} FROM automation`;
const sameContent = `j.sha256 = :sha256 AND j.language = :language AND j.include_speakers = :includeSpeakers
  AND j.kind = :kind AND j.options = :options AND j.origin = :origin`;
// An index of its own has this condition.
const isLive = "j.tag NOT IN ('failed', 'cancelled', 'needs-user')";
const media = insertInto('media', 'sha256 path sizeBytes durationMs seenAtMs');

const query = {
  audio: `${audio} WHERE a.id = ?2`,
  listAudio: `${audio} ORDER BY i.at_ms DESC, a.id`,
  dropEarlierAudio:
    "DELETE FROM items WHERE kind = 'isolation' AND id <> ? AND id = (SELECT id FROM audio WHERE job_id = ?)",
  // Replaced when the same job is done again, after its file was lost.
  insertAudio: insertInto('audio', `${audioColumns} remoteId credits`).replace('INSERT', 'INSERT OR REPLACE'),
  insertRaw: insertInto('raw_answers', rawColumns),
  latestRaw: `${raws} AND source <> 'listen-again' ORDER BY id DESC LIMIT 1`,
  heardAgain: `${raws} AND source = 'listen-again' ORDER BY id DESC`,
  media: `SELECT t.id AS transcriptId, i.source_name AS name, ${selected('path sha256 sizeBytes', 'm.')}
    FROM ${wholeTranscripts}`,
  madeFrom: `SELECT t.id AS transcriptId, i.title, t.media_sha256 AS mediaSha256 FROM ${wholeTranscripts}
    WHERE j.sha256 = ? OR j.path = ? ORDER BY i.at_ms DESC, t.id LIMIT 20`,
  replaced: `${selectJobs} JOIN transcripts t ON t.job_id = j.id JOIN media m ON m.sha256 = t.media_sha256
    WHERE t.id = ? AND j.sha256 <> t.media_sha256 AND ${isKeptCopy}`,
  variant: `${selectJobs} WHERE j.sha256 = ? AND j.kind = 'isolate' AND j.tag = 'done'
    AND json_extract(j.options, '$.restoresSpeech') = ? ORDER BY j.added_at_ms DESC, j.id LIMIT 1`,
  attachMedia: `${media} ON CONFLICT (sha256)
    DO UPDATE SET path = iif(:isNew, excluded.path, path), seen_at_ms = excluded.seen_at_ms`,
  playMedia: 'UPDATE transcripts SET media_sha256 = ? WHERE id = ?',
  transcripts: `SELECT ${selected('id jobId language wordCount durationMs', 't.')}, i.title, m.path,
    i.source_name AS sourceName, i.at_ms AS createdAtMs, ${remoteIdHere} AS remoteId
    FROM ${wholeTranscripts} ORDER BY i.at_ms DESC, t.id`,
  loadJobs: `${selectJobs} WHERE j.is_hidden = 0 AND j.origin = ? ORDER BY j.added_at_ms, j.id`,
  hiddenJobs: `${selectJobs} WHERE j.is_hidden = 1 AND j.kind = ? AND j.origin = ?
    ORDER BY j.added_at_ms DESC, j.id LIMIT 500`,
  job: `${selectJobs} WHERE j.id = ?`,
  insertJob: insertInto('jobs', `${jobColumns} ${recordColumns} origin`),
  updateJob: `UPDATE jobs SET is_hidden = 0, ${setting(`seq path sizeBytes durationMs ${recordColumns}`)} WHERE id = :id`,
  insertEvent: 'INSERT INTO job_events (job_id, at_ms, event) VALUES (?, ?, ?)',
  rerank: 'UPDATE jobs SET rank = ? WHERE id = ?',
  movePath: 'UPDATE jobs SET path = ? WHERE id = ?',
  hideJob: 'UPDATE jobs SET is_hidden = 1 WHERE id = ?',
  showJob: 'UPDATE jobs SET is_hidden = 0 WHERE id = ?',
  findSame: `${selectJobs} WHERE ${sameContent} ORDER BY j.added_at_ms DESC, j.id`,
  findTwin: `${selectJobs} WHERE ${sameContent} AND ${isLive} ORDER BY j.added_at_ms DESC, j.id`,
  findText: `SELECT t.id FROM jobs j CROSS JOIN transcripts t ON t.job_id = j.id
    WHERE ${sameContent} AND j.tag = 'done' AND j.id <> :exceptJobId AND ${isLive}
    ORDER BY j.added_at_ms DESC, j.id LIMIT 1`,
  otherLanguage: `SELECT j.id AS jobId, j.name, j.added_at_ms AS addedAtMs, j.language, t.id AS transcriptId
    FROM ${wholeTranscripts} WHERE j.sha256 = :sha256 AND j.kind = :kind AND j.language <> :language
    AND j.origin = :origin AND i.erase_at_ms IS NULL ORDER BY i.at_ms DESC, t.id LIMIT 1`,
  takenRemoteId: 'SELECT 1 FROM jobs WHERE remote_id = ? AND origin = ? AND id <> ?',
  upsertMedia: `${media} ${elseSet('sha256', 'path seenAtMs')}`,
  insertTranscript: insertInto(
    'transcripts',
    'id jobId mediaSha256 remoteId rawAnswerId language wordCount durationMs speakers model',
  ),
  insertOriginal: 'INSERT INTO transcript_originals (transcript_id, body) VALUES (?, CAST(? AS TEXT))',
  noteAutomation: `${insertInto('automation', automationColumns)} ${elseSet('kind, key', 'atMs name outcome row')}`,
  automation: `${automation} WHERE kind = ? AND key = ?`,
  automationLog: `${automation} WHERE outcome <> 'there-before' ORDER BY at_ms DESC LIMIT ?`,
  // Includes the original recording of a transcript that plays other audio than was sent.
  prepared: `SELECT substr(m.path, 10) AS preparedName, iif(${isKeptCopy}, m.path, j.path) AS recording FROM media m
    JOIN transcripts t ON t.media_sha256 = m.sha256 JOIN jobs j ON j.id = t.job_id WHERE m.path LIKE 'prepared:%'
    UNION SELECT j.memory ->> '$.intent.preparedName', j.path FROM transcripts t JOIN jobs j ON j.id = t.job_id
    WHERE j.sha256 <> t.media_sha256 AND j.memory ->> '$.intent.preparedName' IS NOT NULL`,
  relocate: 'UPDATE media SET path = ? WHERE sha256 = (SELECT media_sha256 FROM transcripts WHERE id = ?)',
  keepErased: 'INSERT INTO items (kind, id, erase_at_ms) VALUES (?, ?, ?)',
} as const;

/** Notes about the library; the others are about the queue or about what is at the service. */
const sharedNotes: ReadonlySet<LibraryNote> = new Set(['speaker-book']);

/** Texts are of all origins. */
export function createSqliteLibraryStore(
  file: Pick<LibraryFile, 'database' | 'path' | 'close'>,
  origin: Origin = 'service',
) {
  const { database, close } = file;
  const tables = openTables(database, guardWrites(file));
  const { sql, write, all, one, run, each, rowsAs, note, saveNote } = tables;

  const jobs = rowsAs((row: StoredJobRow): StoredJob => {
    const job = readJobRow(row);
    const { intent } = job.memory;
    if (row.origin === origin || intent === null) return job;
    // Its id at another service means nothing here.
    return { ...job, memory: { ...job.memory, intent: { ...intent, remoteId: null } } };
  });
  const ids = rowsAs(({ id }: { readonly id: string }) => id);
  const lines = rowsAs(
    ({ path, ...line }: Omit<TranscriptLine, 'hasRecording'> & { readonly path: string }): TranscriptLine => ({
      ...line,
      hasRecording: !path.startsWith(noRecording),
    }),
  );
  const contentOf = (content: SameContent) => ({ ...storedOptions(content), sha256: content.sha256, origin });
  const noteKey = (name: LibraryNote): string =>
    origin === 'service' || sharedNotes.has(name) ? `note-${name}` : `note-${name}-${origin}`;

  const insertRaw = (raw: RawAnswer) => Number(sql(query.insertRaw).run({ ...raw }).lastInsertRowid);
  const insertTranscript = ({ sizeBytes, durationMs }: StoredJob, { written, ...text }: NewTranscript) => {
    const { id, mediaSha256: sha256, mediaPath: path, createdAtMs } = text;
    const { body, speakers, ...facts } = written;
    sql(query.upsertMedia).run({ sha256, path, sizeBytes, durationMs, seenAtMs: createdAtMs });
    sql(query.insertTranscript).run({ ...text, ...facts, speakers: JSON.stringify(speakers) });
    sql(saveItem).run({ ...text, kind: 'transcript', atMs: createdAtMs });
    sql(query.insertOriginal).run(id, body);
    sql(segmentsFromOriginal).run(id);
  };
  const insertAudio = (made: StoredAudio) => {
    sql(query.dropEarlierAudio).run(made.id, made.jobId);
    sql(query.insertAudio).run({ ...made });
    sql(saveItem).run({ ...made, kind: 'isolation', atMs: made.createdAtMs });
  };
  const change = ({ job, event, atMs, output }: StoredChange) => {
    sql(query.insertEvent).run(job.id, atMs, JSON.stringify(event));
    const { transcript, audio, raw } = output ?? {};
    const kept = raw && { rawAnswerId: insertRaw(raw) };
    if (transcript !== undefined) insertTranscript(job, { ...transcript, ...kept });
    if (audio !== undefined) insertAudio(audio);
    const { id, seq, path, sizeBytes, durationMs } = job;
    sql(query.updateJob).run({ id, seq, path, sizeBytes, durationMs, ...storedRecord(job.memory) });
  };

  return {
    ...textTables(tables, origin),
    items: itemTables(tables, origin),
    conversations: conversationTables(tables),
    speech: speechTables(tables),
    loadJobs: () => jobs.all(query.loadJobs, origin),
    job: (id: string) => jobs.one(query.job, id),
    addJobs: (added: readonly StoredJob[]): Result<null> =>
      each(added, ({ id, seq, path, name, sizeBytes, durationMs, addedAtMs, rank, ...job }) => {
        const facts = { id, seq, path, name, sizeBytes, durationMs, addedAtMs, rank, origin };
        sql(query.insertJob).run({ ...facts, ...storedOptions(job), ...storedRecord(job.memory) });
      }),
    commit: (job: StoredJob, event: JournalEvent, atMs: number, output: JobOutput | null): Result<null> =>
      each([{ job, event, atMs, output }], change),
    commitAll: (changes: readonly StoredChange[]): Result<null> => each(changes, change),
    saveRanks: (ranks: readonly { readonly id: string; readonly rank: number }[]): Result<null> =>
      each(ranks, ({ id, rank }) => sql(query.rerank).run(rank, id)),
    note: (name: LibraryNote) => note(noteKey(name)),
    saveNote: (name: LibraryNote, value: string) => saveNote(noteKey(name), value),
    hideJobs: (jobIds: readonly string[]): Result<null> => each(jobIds, (jobId) => sql(query.hideJob).run(jobId)),
    hiddenJobs: (kind: StoredJob['kind']) => jobs.all(query.hiddenJobs, kind, origin),
    movePath: (jobId: string, path: string) => run(query.movePath, path, jobId),
    findSame: (content: SameContent) => jobs.all(query.findSame, contentOf(content)),
    findTwin: (content: SameContent, exceptJobId: string): Result<StoredJob | null> =>
      read(() => {
        for (const row of sql(query.findTwin).iterate(contentOf(content))) {
          const job = row['id'] === exceptJobId ? null : readJobRow(row as unknown as StoredJobRow);
          // A row with unreadable memory does not count as work under way.
          if (job !== null && job.memory.state.tag !== 'failed') return job;
        }
        return null;
      }),
    findText: (content: SameContent, exceptJobId: string) =>
      ids.one(query.findText, { ...contentOf(content), exceptJobId }),
    findOtherLanguage: ({ sha256, ...options }: SameContent) =>
      one<Omit<Duplicate, 'isDone'>>(query.otherLanguage, {
        sha256,
        kind: options.kind,
        language: options.kind === 'transcribe' ? options.language : '',
        origin,
      }),
    isRemoteIdTaken(remoteId: string, exceptJobId: string): boolean {
      const taken = read(() => sql(query.takenRemoteId).get(remoteId, origin, exceptJobId) !== undefined);
      return !taken.ok || taken.value;
    },
    noteAutomation: (entry: AutomationEntry) => run(query.noteAutomation, { ...entry }),
    automation: (kind: AutomationKind, key: string) => one<AutomationEntry>(query.automation, kind, key),
    automationLog: (limit: number) => all<AutomationEntry>(query.automationLog, limit),
    audio: (id: string) => one<StoredAudio>(query.audio, origin, id),
    listAudio: () => all<StoredAudio>(query.listAudio, origin),
    saveRawAnswer: (raw: RawAnswer): Result<number> => write(() => insertRaw(raw)),
    latestRawAnswer: (jobId: string) => one<RawAnswer>(query.latestRaw, jobId),
    heardAgain: (jobId: string) => all<RawAnswer>(query.heardAgain, jobId),
    listMedia: () => all<TranscriptMedia>(query.media),
    /** With `unless-known`, a known path of this content stays. */
    attachMedia: (
      id: string,
      path: string,
      { sha256, sizeBytes }: Pick<TranscriptMedia, 'sha256' | 'sizeBytes'>,
      place: 'new' | 'unless-known' = 'new',
    ): Result<null> =>
      write(() => {
        const facts = { sha256, path, sizeBytes, durationMs: null, seenAtMs: Date.now() };
        sql(query.attachMedia).run({ ...facts, isNew: place === 'new' ? 1 : 0 });
        sql(query.playMedia).run(sha256, id);
        return null;
      }),
    transcriptsMadeFrom: ({ sha256, path }: { readonly sha256: string; readonly path: string }) =>
      all<MadeFrom>(query.madeFrom, sha256, path),
    replacedRecording: (id: string) => jobs.one(query.replaced, id),
    findVariant: (sha256: string, restoresSpeech: boolean) => jobs.one(query.variant, sha256, restoresSpeech ? 1 : 0),
    relocateMedia: (id: string, path: string) => run(query.relocate, path, id),
    recordingOf: (id: string) => rowsAs(({ path }: { readonly path: string }) => path).one(recordingQuery, id),
    listPrepared: () => all<{ readonly preparedName: string; readonly recording: string }>(query.prepared),
    listTranscripts: () => lines.all(query.transcripts, origin),
    showJobs: (jobIds: readonly string[]): Result<readonly StoredJob[]> =>
      write(() =>
        jobIds.flatMap((jobId) => {
          sql(query.showJob).run(jobId);
          const [row] = rowsOf<StoredJobRow>(sql(query.job), jobId);
          return row?.origin === origin ? readJobRow(row) : [];
        }),
      ),
    /** Their places among the items stay until `items.forget`, so that a crash leaves no trace elsewhere. */
    eraseItems: (ids: readonly string[]): Result<ErasedRows> => {
      const done = write(() => {
        const rows = eraseRows(sql, ids);
        for (const { kind, id } of rows.items) sql(query.keepErased).run(kind, id, erased);
        return rows;
      });
      if (done.ok) read(() => emptyLog(database));
      return done;
    },
    close,
  };
}

/** Each write is durable when the call returns; a failed one changed nothing. */
export type LibraryStore = ReturnType<typeof createSqliteLibraryStore>;
