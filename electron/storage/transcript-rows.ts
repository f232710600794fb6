import type { DatabaseSync } from 'node:sqlite';
import { speechLanguages } from '../../shared/domain/languages.ts';
import type { Change, Step } from '../../shared/domain/transcript/change.ts';
import { maskedText } from '../../shared/domain/transcript/edit-marks.ts';
import {
  mayBeRedacted,
  packChange,
  packedChange,
  packedWords,
  packSegment,
  storedCuts,
  storedSpeakers,
  unpackChange,
  unpackSegment,
  type PackedSegment,
} from '../../shared/domain/transcript/packed.ts';
import { wordsOf } from '../../shared/domain/transcript/spoken-text.ts';
import type { Segment, Transcript } from '../../shared/domain/transcript/transcript.ts';
import type { StoredEdit } from '../services/library/store.ts';

type Row = Readonly<Record<string, unknown>>;

const positionGap = 65_536;

export const segmentsFromOriginal = `
  INSERT INTO transcript_segments (transcript_id, segment_id, position, speaker_id, start_ms, end_ms, text, words)
  SELECT o.transcript_id, s.value ->> 'id', (s.key + 1) * ${String(positionGap)}, s.value ->> 'speakerId',
    CAST(s.value ->> 'startMs' AS INTEGER), CAST(s.value ->> 'endMs' AS INTEGER), s.value ->> 'text',
    CASE WHEN json_type(s.value, '$.words') = 'array' THEN (
      SELECT json_group_array(json_array(
        CAST(w.value ->> 'startMs' AS INTEGER) - CAST(s.value ->> 'startMs' AS INTEGER),
        CAST(w.value ->> 'endMs' AS INTEGER) - CAST(s.value ->> 'startMs' AS INTEGER),
        CASE WHEN w.value ->> 'isEstimated' THEN 1 ELSE 0 END +
          CASE w.value ->> 'mark' WHEN 'cut' THEN 2 WHEN 'redacted' THEN 4 WHEN 'cut-redacted' THEN 6 ELSE 0 END) ORDER BY w.key)
      FROM json_each(s.value, '$.words') AS w) END
  FROM transcript_originals AS o, json_each(o.body, '$.segments') AS s WHERE o.transcript_id = ?`;

const columns = 'id, segment_id, position, speaker_id, start_ms, end_ms, text, words';

/** A stored change does not match the existing rows: they were changed by somebody else. */
export class UnfitChange extends Error {}

export type PackedTranscript = Omit<Transcript, 'segments'> & {
  readonly segments: readonly PackedSegment[];
  readonly revision: number;
};

/** Null when one can't be parsed, undefined when there is none. */
export function readPackedTranscript(
  database: DatabaseSync,
  id: string,
  limit = -1,
): PackedTranscript | null | undefined {
  const head = database
    .prepare('SELECT language, duration_ms, speakers, cuts, revision FROM transcripts WHERE id = ?')
    .get(id);
  if (head === undefined) return undefined;
  const rows = database
    .prepare(`SELECT ${columns} FROM transcript_segments WHERE transcript_id = ? ORDER BY position LIMIT ?`)
    .all(id, limit);
  try {
    const language = speechLanguages.find((one) => one === head['language']);
    if (language === undefined) return null;
    const cuts = head['cuts'] === null ? {} : { cuts: storedCuts().parse(JSON.parse(String(head['cuts']))) };
    const speakers = storedSpeakers().parse(JSON.parse(String(head['speakers'])));
    const durationMs = Number(head['duration_ms']);
    const revision = Number(head['revision']);
    return { language, durationMs, speakers, segments: rows.map(packedOf), revision, ...cuts };
  } catch {
    return null;
  }
}

export function readTranscript(database: DatabaseSync, id: string, limit = -1): Transcript | null | undefined {
  const packed = readPackedTranscript(database, id, limit);
  if (packed === null || packed === undefined) return packed;
  const { revision: _revision, segments, ...head } = packed;
  return { ...head, segments: segments.map(unpackSegment) };
}

export const firstLengths = (database: DatabaseSync, id: string, limit: number): readonly number[] =>
  database
    .prepare(
      'SELECT length(text) AS letters FROM transcript_segments WHERE transcript_id = ? ORDER BY position LIMIT ?',
    )
    .all(id, limit)
    .map(({ letters }) => Number(letters));

export const readMaskedTexts = (database: DatabaseSync, id: string): readonly { startMs: number; text: string }[] =>
  database
    .prepare(`SELECT ${columns} FROM transcript_segments WHERE transcript_id = ? ORDER BY position`)
    .all(id)
    .map((row) => ({ startMs: Number(row['start_ms']), text: maskedOf(row) }));

function maskedOf(row: Row): string {
  const text = String(row['text']);
  // Few segments have redacted words, so the words of the others are not read.
  if (!mayBeRedacted(row['words'])) return text;
  try {
    return maskedText(unpackSegment(packedOf(row)), 0, text.length);
  } catch {
    // Nobody knows which words of a damaged segment are secret.
    return '';
  }
}

function packedOf(row: Row): PackedSegment {
  const { segment_id: id, speaker_id: speakerId, start_ms: startMs, end_ms: endMs, text, words } = row;
  if (typeof id !== 'string' || typeof text !== 'string' || typeof startMs !== 'number' || typeof endMs !== 'number')
    throw new TypeError('A segment can not be understood');
  return {
    id,
    speakerId: typeof speakerId === 'string' ? speakerId : null,
    startMs,
    endMs,
    text,
    words: typeof words === 'string' ? packedWords().parse(JSON.parse(words)) : null,
  };
}

export function changeRows(database: DatabaseSync, transcriptId: string, change: Change): Change {
  const inverse: Step[] = [];
  for (const step of change) inverse.unshift(changeStep(database, transcriptId, step));
  return inverse;
}

function changeStep(database: DatabaseSync, transcriptId: string, step: Step): Step {
  switch (step.type) {
    case 'set':
      return { type: 'set', segments: step.segments.map((segment) => replaceRow(database, transcriptId, segment)) };
    case 'splice':
      return spliceRows(database, transcriptId, step);
    case 'shift': {
      const first = rowsFrom(database, transcriptId, step.from, 1)[0];
      if (first !== undefined)
        database
          .prepare(
            'UPDATE transcript_segments SET start_ms = start_ms + ?1, end_ms = end_ms + ?1 WHERE transcript_id = ?2 AND position >= ?3',
          )
          .run(step.byMs, transcriptId, Number(first['position']));
      return { type: 'shift', from: step.from, byMs: -step.byMs };
    }
    case 'speakers': {
      const before = database.prepare('SELECT speakers FROM transcripts WHERE id = ?').get(transcriptId);
      database
        .prepare('UPDATE transcripts SET speakers = ? WHERE id = ?')
        .run(JSON.stringify(step.speakers), transcriptId);
      return { type: 'speakers', speakers: storedSpeakers().parse(JSON.parse(String(before?.['speakers']))) };
    }
    case 'cuts': {
      const before = database.prepare('SELECT cuts FROM transcripts WHERE id = ?').get(transcriptId)?.['cuts'];
      const cuts = step.cuts.length === 0 ? null : JSON.stringify(step.cuts);
      database.prepare('UPDATE transcripts SET cuts = ? WHERE id = ?').run(cuts, transcriptId);
      return { type: 'cuts', cuts: typeof before === 'string' ? storedCuts().parse(JSON.parse(before)) : [] };
    }
    case 'duration': {
      const before = database.prepare('SELECT duration_ms FROM transcripts WHERE id = ?').get(transcriptId);
      database.prepare('UPDATE transcripts SET duration_ms = ? WHERE id = ?').run(step.durationMs, transcriptId);
      return { type: 'duration', durationMs: Number(before?.['duration_ms']) };
    }
  }
}

const rowsFrom = (database: DatabaseSync, transcriptId: string, at: number, count: number): readonly Row[] =>
  database
    .prepare(`SELECT ${columns} FROM transcript_segments WHERE transcript_id = ? ORDER BY position LIMIT ? OFFSET ?`)
    .all(transcriptId, count, at);

function replaceRow(database: DatabaseSync, transcriptId: string, segment: Segment): Segment {
  const row = database
    .prepare(`SELECT ${columns} FROM transcript_segments WHERE transcript_id = ? AND segment_id = ?`)
    .get(transcriptId, segment.id);
  if (row === undefined) throw new UnfitChange();
  const { speakerId, startMs, endMs, text, words } = packSegment(segment);
  database
    .prepare(
      'UPDATE transcript_segments SET speaker_id = ?, start_ms = ?, end_ms = ?, text = ?, words = ? WHERE id = ?',
    )
    .run(speakerId, startMs, endMs, text, words === null ? null : JSON.stringify(words), Number(row['id']));
  countWords(database, transcriptId, wordsOf(text).length - wordsOf(String(row['text'])).length);
  return unpackSegment(packedOf(row));
}

function spliceRows(database: DatabaseSync, transcriptId: string, step: Extract<Step, { type: 'splice' }>): Step {
  const old = rowsFrom(database, transcriptId, step.at, step.removed.length);
  if (old.length !== step.removed.length || old.some((row, at) => row['segment_id'] !== step.removed[at]))
    throw new UnfitChange();
  const remove = database.prepare('DELETE FROM transcript_segments WHERE id = ?');
  for (const row of old) remove.run(Number(row['id']));
  const positions = freePositions(database, transcriptId, step.at, step.inserted.length);
  const add = database.prepare(
    `INSERT INTO transcript_segments (transcript_id, segment_id, position, speaker_id, start_ms, end_ms, text, words)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const [at, segment] of step.inserted.entries()) {
    const { id, speakerId, startMs, endMs, text, words } = packSegment(segment);
    const packed = words === null ? null : JSON.stringify(words);
    add.run(transcriptId, id, positions[at] ?? 0, speakerId, startMs, endMs, text, packed);
  }
  const count = (texts: readonly string[]) => texts.reduce((sum, text) => sum + wordsOf(text).length, 0);
  const added = count(step.inserted.map(({ text }) => text)) - count(old.map((row) => String(row['text'])));
  countWords(database, transcriptId, added);
  return {
    type: 'splice',
    at: step.at,
    removed: step.inserted.map(({ id }) => id),
    inserted: old.map((row) => unpackSegment(packedOf(row))),
  };
}

function freePositions(database: DatabaseSync, transcriptId: string, at: number, count: number): readonly number[] {
  const positionAt = (index: number): number | null => {
    const row = index < 0 ? undefined : rowsFrom(database, transcriptId, index, 1)[0];
    return row === undefined ? null : Number(row['position']);
  };
  const before = positionAt(at - 1);
  if (at > 0 && before === null) throw new UnfitChange();
  const low = before ?? 0;
  const high = positionAt(at) ?? low + positionGap * (count + 1);
  const step = Math.floor((high - low) / (count + 1));
  if (step >= 1) return Array.from({ length: count }, (_, index) => low + step * (index + 1));
  database
    .prepare(
      `UPDATE transcript_segments SET position = places.place * ?1 FROM
         (SELECT id, row_number() OVER (ORDER BY position) AS place FROM transcript_segments WHERE transcript_id = ?2) AS places
       WHERE places.id = transcript_segments.id`,
    )
    .run(positionGap * (count + 1), transcriptId);
  return freePositions(database, transcriptId, at, count);
}

function countWords(database: DatabaseSync, transcriptId: string, added: number): void {
  if (added !== 0)
    database.prepare('UPDATE transcripts SET word_count = word_count + ? WHERE id = ?').run(added, transcriptId);
}

/** Applies edits in order and stores each with its inverse, within a transaction. Returns the number of the last. */
export function saveEdits(
  database: DatabaseSync,
  transcriptId: string,
  revision: number,
  edits: readonly StoredEdit[],
): number {
  const note = database.prepare(
    'INSERT INTO transcript_revisions (transcript_id, number, at_ms, label, change, inverse) VALUES (?, ?, ?, ?, ?, ?)',
  );
  let number = revision;
  for (const { atMs, label, change } of edits) {
    const inverse = changeRows(database, transcriptId, change);
    number += 1;
    note.run(transcriptId, number, atMs, label, textOf(change), textOf(inverse));
  }
  database.prepare('UPDATE transcripts SET revision = ? WHERE id = ?').run(number, transcriptId);
  return number;
}

export function saveManyEdits(
  database: DatabaseSync,
  changes: readonly { readonly id: string; readonly baseRevision: number; readonly edits: readonly StoredEdit[] }[],
): number {
  const revision = database.prepare('SELECT revision FROM transcripts WHERE id = ?');
  const fitting = changes.filter(({ id, baseRevision }) => revision.get(id)?.['revision'] === baseRevision);
  for (const { id, baseRevision, edits } of fitting) saveEdits(database, id, baseRevision, edits);
  return fitting.length;
}

const textOf = (change: Change): string => JSON.stringify(packChange(change));

export function readChange(text: unknown): Change | null {
  try {
    const parsed = packedChange().safeParse(JSON.parse(String(text)));
    return parsed.success ? unpackChange(parsed.data) : null;
  } catch {
    return null;
  }
}

export const nameRevision = (database: DatabaseSync, id: string, revision: number, name: string | null): boolean =>
  Number(
    database
      .prepare('UPDATE transcript_revisions SET name = ? WHERE transcript_id = ? AND number = ?')
      .run(name, id, revision).changes,
  ) > 0;
