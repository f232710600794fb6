import { existsSync, statSync } from 'node:fs';
import { dirname, extname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import { applyChange, type Change } from '../../shared/domain/transcript/change.ts';
import { differenceOf } from '../../shared/domain/transcript/compare.ts';
import { toWhole } from '../../shared/domain/transcript/lean-transcript.ts';
import { lengthBeside } from '../../shared/domain/transcript/open-end.ts';
import type { Transcript } from '../../shared/domain/transcript/transcript.ts';
import type { SavedStep } from '../../shared/domain/transcript/history.ts';
import { listVersions, type Version } from '../../shared/domain/transcript/versions.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { libraryFailure, openingFailure } from '../platform/node/storage-failure.ts';
import type { JobFacts, LibraryFacts } from '../services/diagnostics/write-diagnostics.ts';
import type { StoredTranscript, TranscriptFacts } from '../services/library/store.ts';
import { noRecording } from '../services/media/audio-extractor.ts';
import { isLibraryLocked } from './library-folder.ts';
import { migrations } from './library-schema.ts';
import { openLibraryFile } from './open-library-file.ts';
import { jsonOf, rowsOf, schemaVersion } from './sqlite-database.ts';
import { factsColumns, readTranscriptBody, recordingQuery, wholeTranscripts } from './sqlite-rows.ts';
import {
  firstLengths,
  readChange,
  readPackedTranscript,
  readTranscript,
  type PackedTranscript,
} from './transcript-rows.ts';

export const unreadableRow = (): Failure => localFailure('library-damaged', { code: 'row_unreadable' });

/** Null when there is none, library-damaged when it can't be parsed. Throws SQLite's errors. */
export const readWholeText = (database: DatabaseSync, id: string): Result<StoredTranscript | null> =>
  readText(database, id, -1);

/** The alphabet of a text is derived from this many segments, so no beginning has fewer. */
const leastSegments = 200;
const mostSegments = 3_000;

/** Null when there is none, or when nearly all of it would have to be read. */
export function readTextStart(database: DatabaseSync, id: string, letters: number): Result<StoredTranscript | null> {
  let [count, sum] = [0, 0];
  for (const length of firstLengths(database, id, mostSegments)) {
    if (count >= leastSegments && sum >= letters) break;
    count += 1;
    sum += length;
  }
  return sum >= letters && sum <= letters * 5 ? readText(database, id, count) : ok(null);
}

function readText(database: DatabaseSync, id: string, segments: number): Result<StoredTranscript | null> {
  const query = database.prepare(`SELECT ${factsColumns('t.remote_id')} FROM ${wholeTranscripts} WHERE t.id = ?`);
  const [facts] = rowsOf<TranscriptFacts>(query, id);
  const transcript = readTranscript(database, id, segments);
  if (facts === undefined || transcript === undefined) return ok(null);
  return transcript === null ? err(unreadableRow()) : ok({ ...facts, transcript });
}

export const readStoredText = (path: string, id: string): Result<StoredTranscript | null> =>
  readBeside(path, (database) => readWholeText(database, id));

/** The user's own file; null when it is not known. */
export const readStoredRecording = (path: string, id: string): Result<string | null> =>
  readBeside(path, (database) => ok(rowsOf<{ path: string }>(database.prepare(recordingQuery), id)[0]?.path ?? null));

export const readStoredWords = (path: string, id: string): Result<PackedTranscript | null> =>
  readBeside(path, (database) => {
    const transcript = readPackedTranscript(database, id);
    return transcript === null ? err(unreadableRow()) : ok(transcript ?? null);
  });

/** A damaged library that is only read: whoever opens it next sets it aside and restores what it can. */
const unreadLibrary = (): Failure => localFailure('library-damaged', { code: 'library_unread' });

/** Reads one snapshot of the library, whatever is saved meanwhile. One of an older version is brought to this one first. */
export function readBeside<T>(path: string, read: (database: DatabaseSync) => Result<T>): Result<T> {
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000, allowExtension: false });
    try {
      const version = schemaVersion(database);
      if (version === 0 || version >= migrations.length) {
        database.exec('BEGIN');
        return read(database);
      }
    } finally {
      database.close();
    }
    const opened = openLibraryFile(path, Date.now());
    if (!opened.ok) return opened;
    opened.value.close();
    return readBeside(path, read);
  } catch (error) {
    const failure = libraryFailure(error);
    return err(failure.kind === 'library-damaged' ? unreadLibrary() : failure);
  }
}

export interface StoredTitle {
  readonly id: string;
  readonly title: string;
  readonly createdAtMs: number;
}

/** Without those in the trash, and those that are deleted and may still be restored. */
export const listStoredTranscripts = (path: string): Result<readonly StoredTitle[]> =>
  readBeside(path, (database) => {
    // A library without tables is just being created, or it was emptied.
    if (schemaVersion(database) === 0) return isLibraryLocked(dirname(path)) ? ok([]) : err(unreadLibrary());
    const there = database.prepare(
      `SELECT t.id, i.title, i.at_ms AS createdAtMs FROM ${wholeTranscripts} WHERE i.erase_at_ms IS NULL
       ORDER BY i.at_ms DESC, t.id`,
    );
    return ok(rowsOf<StoredTitle>(there));
  });

export const readStoredVersions = (path: string, id: string): Result<readonly Version[]> =>
  readBeside(path, (database) => {
    const revisions = database.prepare(
      'SELECT number, at_ms AS atMs, label, name FROM transcript_revisions WHERE transcript_id = ? ORDER BY number',
    );
    return ok(listVersions(rowsOf(revisions, id)));
  });

const mostSteps = 200;
/** Of JSON: after a replacement in a whole book there is less to undo. */
const mostStepBytes = 2_000_000;

/** The last saved edits of a text, in order, with its revision. */
export const readStoredSteps = (
  path: string,
  id: string,
): Result<{ readonly revision: number; readonly steps: readonly SavedStep[] }> =>
  readBeside(path, (database) => {
    const rows = database
      .prepare(
        `SELECT number, label, change, inverse FROM transcript_revisions WHERE transcript_id = ?
         ORDER BY number DESC LIMIT ?`,
      )
      .iterate(id, mostSteps);
    const steps: SavedStep[] = [];
    let revision = 0;
    let bytes = 0;
    for (const row of rows) {
      revision = Math.max(revision, Number(row['number']));
      bytes += String(row['change']).length + String(row['inverse']).length;
      const [forward, backward] = [readChange(row['change']), readChange(row['inverse'])];
      if (forward === null || backward === null || bytes > mostStepBytes) break;
      steps.unshift({ label: String(row['label']), forward, backward });
    }
    return ok({ revision, steps });
  });

/** A revision of a text, as the change that turns the current text into it; null when there is no such revision. */
export const readStoredVersion = (
  path: string,
  id: string,
  revision: number,
): Result<{ readonly ofRevision: number; readonly change: Change } | null> =>
  readBeside(path, (database) => {
    const found = readWholeText(database, id);
    if (!found.ok) return found;
    if (found.value === null || revision > found.value.revision) return ok(null);
    const { transcript, revision: ofRevision, mediaPath } = found.value;
    const earlier = revision === 0 ? firstResult(database, id) : walkBack(database, id, transcript, revision);
    if (earlier === null) return err(unreadableRow());
    // The recording may have been attached since, and decides how long the transcript is.
    const leastMs = mediaPath.startsWith(noRecording) ? 0 : transcript.durationMs;
    const wanted = { ...earlier, durationMs: lengthBeside(earlier, Math.max(earlier.durationMs, leastMs)) };
    return ok({ ofRevision, change: differenceOf(transcript, wanted) });
  });

function firstResult(database: DatabaseSync, id: string): Transcript | null {
  const row = database.prepare('SELECT body FROM transcript_originals WHERE transcript_id = ?').get(id);
  const body = readTranscriptBody(row?.['body']);
  return body === null ? null : toWhole(body);
}

function walkBack(database: DatabaseSync, id: string, present: Transcript, revision: number): Transcript | null {
  const rows = database
    .prepare('SELECT inverse FROM transcript_revisions WHERE transcript_id = ? AND number > ? ORDER BY number DESC')
    .iterate(id, revision);
  let current = present;
  for (const row of rows) {
    const inverse = readChange(row['inverse']);
    const applied = inverse === null ? null : applyChange(current, inverse);
    if (applied?.ok !== true) return null;
    current = applied.value.transcript;
  }
  return current;
}

type Row = Readonly<Record<string, unknown>>;

const mostJobs = 200;
const endings = new Set(['.mp3', '.wav', '.m4a', '.ogg', '.webm', '.flac', '.mp4', '.oga', '.opus', '.aac']);

/** Without owning it, because it may be open in a window. Reads counts and codes, never a text. */
export function readLibraryFacts(path: string, kind: LibraryFacts['kind']): LibraryFacts {
  if (!existsSync(path)) return { kind, state: 'absent', schemaVersion: null, bytes: 0, jobs: [] };
  const { size: bytes } = statSync(path);
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: 2000, allowExtension: false });
    const schemaVersion = Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
    const rows = database
      .prepare(
        `SELECT id, tag, added_at_ms, language, size_bytes, duration_ms, name, memory FROM jobs
         ORDER BY added_at_ms DESC LIMIT ?`,
      )
      .all(mostJobs);
    return { kind, state: 'readable', schemaVersion, bytes, jobs: rows.map(readJob) };
  } catch (error) {
    return { kind, state: openingFailure(error).row, schemaVersion: null, bytes, jobs: [] };
  } finally {
    database?.close();
  }
}

function readJob(row: Row): JobFacts {
  const memory = within({ memory: jsonOf(row['memory']) }, 'memory');
  const failure = within(within(memory, 'state'), 'failure');
  const ending = extname(String(row['name'])).toLowerCase();
  return {
    id: String(row['id']),
    tag: String(row['tag']),
    addedAtMs: Number(row['added_at_ms']),
    language: String(row['language']),
    sizeBytes: Number(row['size_bytes']),
    durationMs: number(row['duration_ms']),
    ending: endings.has(ending) ? ending : null,
    attempt: number(memory['attempt']),
    row: text(failure['row']),
    code: text(failure['code']),
    status: number(failure['status']),
    requestId: text(failure['requestId']),
  };
}

const within = (row: Row, name: string): Row => {
  const found = row[name];
  return typeof found === 'object' && found !== null ? (found as Row) : {};
};
const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);
