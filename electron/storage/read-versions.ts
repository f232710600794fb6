import type { DatabaseSync } from 'node:sqlite';
import { applyChange, type Change } from '../../shared/domain/transcript/change.ts';
import { differenceOf } from '../../shared/domain/transcript/compare.ts';
import { lengthBeside } from '../../shared/domain/transcript/open-end.ts';
import { toWhole } from '../../shared/domain/transcript/lean-transcript.ts';
import type { Transcript } from '../../shared/domain/transcript/transcript.ts';
import { listVersions, type Version } from '../../shared/domain/transcript/versions.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { noRecording } from '../services/media/audio-extractor.ts';
import { readBeside, readWholeText, unreadableRow } from './read-stored-text.ts';
import { readTranscriptBody } from './sqlite-rows.ts';
import { readChange } from './transcript-rows.ts';

/** The change that turns the text at `ofRevision` into an earlier version. */
export interface VersionChange {
  readonly ofRevision: number;
  readonly change: Change;
}

/**
 * The versions of a text in the library at `path`, read while it is open elsewhere; empty when there is no such text.
 */
export const readStoredVersions = (path: string, id: string): Result<readonly Version[]> =>
  readBeside(path, (database) => {
    const rows = database
      .prepare('SELECT number, at_ms, label, name FROM transcript_revisions WHERE transcript_id = ? ORDER BY number')
      .all(id);
    return ok(
      listVersions(
        rows.map((row) => ({
          number: Number(row['number']),
          atMs: Number(row['at_ms']),
          label: String(row['label']),
          name: typeof row['name'] === 'string' ? row['name'] : null,
        })),
      ),
    );
  });

/** A revision of a text, as the change that turns the current text into it; null when there is no such revision. */
export const readStoredVersion = (path: string, id: string, revision: number): Result<VersionChange | null> =>
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
