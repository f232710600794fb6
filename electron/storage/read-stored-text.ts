import { existsSync, statSync } from 'node:fs';
import { dirname, extname } from 'node:path';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import { applyChange } from '../../shared/domain/transcript/change.ts';
import { differenceOf } from '../../shared/domain/transcript/compare.ts';
import { lengthBeside } from '../../shared/domain/transcript/open-end.ts';
import { packChange, unpackChange } from '../../shared/domain/transcript/packed.ts';
import type { Transcript } from '../../shared/domain/transcript/transcript.ts';
import { listVersions, stepsToUndo, type SavedStep, type Version } from '../../shared/domain/transcript/versions.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { libraryFailure, openingFailure } from '../platform/node/storage-failure.ts';
import type { JobFacts, LibraryFacts } from '../services/diagnostics/write-diagnostics.ts';
import type { StoredTranscript } from '../services/library/store.ts';
import { noRecording } from '../services/media/audio-extractor.ts';
import type { EarlierText, StepsBack } from '../services/transcripts/text-in-parts.ts';
import { isLibraryLocked } from './library-folder.ts';
import { migrations } from './library-schema.ts';
import { openLibraryFile } from './open-library-file.ts';
import { preparedIn, readFrom, rowsOf, schemaVersion, selected, type Sql } from './sqlite-database.ts';
import { recordingQuery, wholeTranscripts } from './sqlite-rows.ts';
import {
  readChange,
  readFirstText,
  readPackedTranscript,
  readWholeText,
  unreadableRow,
  type PackedTranscript,
} from './transcript-rows.ts';

export const readStoredText = (path: string, id: string): Result<StoredTranscript | null> =>
  readBeside(path, (sql) => readWholeText(sql, id));

/** The user's own file; null when it is not known. */
export const readStoredRecording = (path: string, id: string): Result<string | null> =>
  readBeside(path, (sql) => ok(rowsOf<{ path: string }>(sql(recordingQuery), id)[0]?.path ?? null));

export const readStoredWords = (path: string, id: string): Result<PackedTranscript | null> =>
  readBeside(path, (sql) => readPackedTranscript(sql, id));

/** A damaged library that is only read: whoever opens it next sets it aside and restores what it can. */
const unreadLibrary = (): Failure => localFailure('library-damaged', { code: 'library_unread' });

/** Reads one snapshot of the library, whatever is saved meanwhile. One of an older version is brought to this one first. */
function readBeside<T>(path: string, read: (sql: Sql, version: number) => Result<T>): Result<T> {
  try {
    const found = readFrom(path, (database) => {
      const version = schemaVersion(database);
      if (version > 0 && version < migrations.length) return null;
      database.exec('BEGIN');
      return read(preparedIn(database), version);
    });
    if (found !== null) return found;
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
  readBeside(path, (sql, version) => {
    // A library without tables is just being created, or it was emptied.
    if (version === 0) return isLibraryLocked(dirname(path)) ? ok([]) : err(unreadLibrary());
    const there = sql(
      `SELECT t.id, i.title, i.at_ms AS createdAtMs FROM ${wholeTranscripts} WHERE i.erase_at_ms IS NULL
       ORDER BY i.at_ms DESC, t.id`,
    );
    return ok(rowsOf<StoredTitle>(there));
  });

const revisions = 'FROM transcript_revisions WHERE transcript_id = ?';

export const readStoredVersions = (path: string, id: string): Result<readonly Version[]> =>
  readBeside(path, (sql) =>
    ok(listVersions(rowsOf(sql(`SELECT number, at_ms AS atMs, label, name ${revisions} ORDER BY number`), id))),
  );

const mostSteps = 200;
/** Of JSON: after a replacement in a whole book there is less to undo. */
const mostStepBytes = 2_000_000;

/** The last saved edits of a text that can be undone, in order, with its revision. */
export const readStoredSteps = (path: string, id: string): Result<StepsBack> =>
  readBeside(path, (sql) => {
    const rows = sql(`SELECT number, label, change, inverse ${revisions} ORDER BY number DESC LIMIT ?`);
    const steps: SavedStep[] = [];
    let [revision, bytes] = [0, 0];
    for (const row of rows.iterate(id, mostSteps)) {
      revision = Math.max(revision, Number(row['number']));
      bytes += String(row['change']).length + String(row['inverse']).length;
      const [forward, backward] = [readChange(row['change']), readChange(row['inverse'])];
      if (forward === null || backward === null || bytes > mostStepBytes) break;
      steps.unshift({ label: String(row['label']), forward, backward });
    }
    return ok({ revision, steps: stepsToUndo(steps) });
  });

/** A revision of a text, as the change that turns the current text into it; null when there is no such revision. */
export const readStoredVersion = (path: string, id: string, revision: number): Result<EarlierText | null> =>
  readBeside(path, (sql) => {
    const found = readWholeText(sql, id);
    if (!found.ok) return found;
    if (found.value === null || revision > found.value.revision) return ok(null);
    const { transcript, revision: ofRevision, mediaPath } = found.value;
    const earlier = revision === 0 ? readFirstText(sql, id) : walkBack(sql, id, transcript, revision);
    if (earlier === null) return unreadableRow();
    // The recording may have been attached since, and decides how long the transcript is.
    const leastMs = mediaPath.startsWith(noRecording) ? 0 : transcript.durationMs;
    const wanted = { ...earlier, durationMs: lengthBeside(earlier, Math.max(earlier.durationMs, leastMs)) };
    return ok({ ofRevision, change: packChange(differenceOf(transcript, wanted)) });
  });

function walkBack(sql: Sql, id: string, present: Transcript, revision: number): Transcript | null {
  let current = present;
  for (const row of sql(`SELECT inverse ${revisions} AND number > ? ORDER BY number DESC`).iterate(id, revision)) {
    const inverse = readChange(row['inverse']);
    const applied = inverse && applyChange(current, unpackChange(inverse));
    if (applied?.ok !== true) return null;
    current = applied.value.transcript;
  }
  return current;
}

const mostJobs = 200;
const endings = new Set(['.mp3', '.wav', '.m4a', '.ogg', '.webm', '.flac', '.mp4', '.oga', '.opus', '.aac']);
const inRecord = (place: string, name: string) =>
  `iif(json_valid(memory), memory ->> '$.${place}${name}', NULL) AS ${name}`;
const jobFacts = `SELECT ${selected('id tag addedAtMs language sizeBytes durationMs name')}, ${inRecord('', 'attempt')},
    ${['row', 'code', 'status', 'requestId'].map((name) => inRecord('state.failure.', name)).join(', ')}
  FROM jobs ORDER BY added_at_ms DESC LIMIT ${String(mostJobs)}`;

/** Without owning it, because it may be open in a window. Reads counts and codes, never a text. */
export function readLibraryFacts(path: string, kind: LibraryFacts['kind']): LibraryFacts {
  if (!existsSync(path)) return { kind, state: 'absent', schemaVersion: null, bytes: 0, jobs: [] };
  const { size: bytes } = statSync(path);
  try {
    return readFrom(path, (database) => {
      const rows = rowsOf<Omit<JobFacts, 'ending'> & { readonly name: string }>(database.prepare(jobFacts));
      const jobs = rows.map(({ name, ...facts }): JobFacts => {
        const ending = extname(name).toLowerCase();
        return { ...facts, ending: endings.has(ending) ? ending : null };
      });
      return { kind, state: 'readable', schemaVersion: schemaVersion(database), bytes, jobs };
    });
  } catch (error) {
    return { kind, state: openingFailure(error).row, schemaVersion: null, bytes, jobs: [] };
  }
}
