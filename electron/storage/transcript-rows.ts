import type { DatabaseSync } from 'node:sqlite';
import { speechLanguages } from '../../shared/domain/languages.ts';
import type { Change } from '../../shared/domain/transcript/change.ts';
import { maskedText } from '../../shared/domain/transcript/edit-marks.ts';
import {
  mayBeRedacted,
  packChange,
  packedChange,
  packedComments,
  packedWords,
  storedCuts,
  storedSpeakers,
  unpackChange,
  unpackSegment,
  type PackedChange,
  type PackedSegment,
} from '../../shared/domain/transcript/packed.ts';
import { wordsOf } from '../../shared/domain/transcript/spoken-text.ts';
import type { Transcript } from '../../shared/domain/transcript/transcript.ts';
import type { StoredEdit } from '../services/library/store.ts';
import { jsonOf } from './sqlite-database.ts';

type Row = Readonly<Record<string, unknown>>;
type PackedStep = PackedChange[number];

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

const columns = 'id, segment_id, position, speaker_id, start_ms, end_ms, text, words, comments';

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
  const { segment_id: id, speaker_id: speakerId, start_ms: startMs, end_ms: endMs, text, words, comments } = row;
  if (typeof id !== 'string' || typeof text !== 'string' || typeof startMs !== 'number' || typeof endMs !== 'number')
    throw new TypeError('A segment can not be understood');
  return {
    id,
    speakerId: typeof speakerId === 'string' ? speakerId : null,
    startMs,
    endMs,
    text,
    words: typeof words === 'string' ? packedWords().parse(JSON.parse(words)) : null,
    ...(typeof comments === 'string' && { comments: packedComments().parse(JSON.parse(comments)) }),
  };
}

const upsert = `INSERT INTO transcript_segments
    (transcript_id, segment_id, position, speaker_id, start_ms, end_ms, text, words, comments)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (transcript_id, segment_id) DO UPDATE SET speaker_id = excluded.speaker_id, start_ms = excluded.start_ms,
    end_ms = excluded.end_ms, text = excluded.text, words = excluded.words, comments = excluded.comments`;

/** Changed segments are put into their rows as they are stored and sent; returns the change that restores them. */
function changeRows(database: DatabaseSync, id: string, change: PackedChange): PackedChange {
  const rowsFrom = (at: number, count: number): readonly Row[] =>
    database
      .prepare(`SELECT ${columns} FROM transcript_segments WHERE transcript_id = ? ORDER BY position LIMIT ? OFFSET ?`)
      .all(id, count, at);
  const find = database.prepare(
    `SELECT ${columns} FROM transcript_segments WHERE transcript_id = ? AND segment_id = ?`,
  );
  const positionAt = (at: number): number | null => {
    const row = at < 0 ? undefined : rowsFrom(at, 1)[0];
    return row === undefined ? null : Number(row['position']);
  };
  const put = (segment: PackedSegment, position: number): number => {
    const { id: segmentId, speakerId, startMs, endMs, text } = segment;
    const [words, comments] = [segment.words, segment.comments ?? null].map((one) =>
      one === null ? null : JSON.stringify(one),
    );
    database
      .prepare(upsert)
      .run(id, segmentId, position, speakerId, startMs, endMs, text, words ?? null, comments ?? null);
    return wordsOf(text).length;
  };
  const wordsIn = (row: Row): number => wordsOf(String(row['text'])).length;
  const countWords = (added: number): void => {
    if (added !== 0) database.prepare('UPDATE transcripts SET word_count = word_count + ? WHERE id = ?').run(added, id);
  };
  /** Of the whole text; returns what it was. */
  const replace = (column: 'speakers' | 'cuts' | 'duration_ms', value: string | number | null): unknown => {
    const before = database.prepare(`SELECT ${column} AS value FROM transcripts WHERE id = ?`).get(id)?.['value'];
    database.prepare(`UPDATE transcripts SET ${column} = ? WHERE id = ?`).run(value, id);
    return before;
  };

  const freePositions = (at: number, count: number): readonly number[] => {
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
      .run(positionGap * (count + 1), id);
    return freePositions(at, count);
  };

  const setSegment = (segment: PackedSegment): PackedSegment => {
    const row = find.get(id, segment.id);
    if (row === undefined) throw new UnfitChange();
    countWords(put(segment, Number(row['position'])) - wordsIn(row));
    return packedOf(row);
  };
  const splice = ({ at, removed, inserted }: Extract<PackedStep, { type: 'splice' }>): PackedStep => {
    const old = rowsFrom(at, removed.length);
    if (old.length !== removed.length || old.some((row, index) => row['segment_id'] !== removed[index]))
      throw new UnfitChange();
    for (const row of old) database.prepare('DELETE FROM transcript_segments WHERE id = ?').run(Number(row['id']));
    const positions = freePositions(at, inserted.length);
    let added = -old.reduce((sum, row) => sum + wordsIn(row), 0);
    for (const [index, segment] of inserted.entries()) {
      if (find.get(id, segment.id) !== undefined) throw new UnfitChange();
      added += put(segment, positions[index] ?? 0);
    }
    countWords(added);
    return { type: 'splice', at, removed: inserted.map((one) => one.id), inserted: old.map(packedOf) };
  };
  const shift = (from: number, byMs: number): void => {
    const first = positionAt(from);
    if (first !== null)
      database
        .prepare(
          'UPDATE transcript_segments SET start_ms = start_ms + ?1, end_ms = end_ms + ?1 WHERE transcript_id = ?2 AND position >= ?3',
        )
        .run(byMs, id, first);
  };

  const apply = (step: PackedStep): PackedStep => {
    switch (step.type) {
      case 'set':
        return { type: 'set', segments: step.segments.map(setSegment) };
      case 'splice':
        return splice(step);
      case 'shift':
        shift(step.from, step.byMs);
        return { type: 'shift', from: step.from, byMs: -step.byMs };
      case 'speakers':
        return {
          type: 'speakers',
          speakers: storedSpeakers().parse(JSON.parse(String(replace('speakers', JSON.stringify(step.speakers))))),
        };
      case 'cuts': {
        const before = replace('cuts', step.cuts.length === 0 ? null : JSON.stringify(step.cuts));
        return { type: 'cuts', cuts: typeof before === 'string' ? storedCuts().parse(JSON.parse(before)) : [] };
      }
      case 'duration':
        return { type: 'duration', durationMs: Number(replace('duration_ms', step.durationMs)) };
    }
  };
  return change.map(apply).toReversed();
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
    const packed = packChange(change);
    const inverse = changeRows(database, transcriptId, packed);
    number += 1;
    note.run(transcriptId, number, atMs, label, JSON.stringify(packed), JSON.stringify(inverse));
  }
  database.prepare('UPDATE transcripts SET revision = ? WHERE id = ?').run(number, transcriptId);
  return number;
}

/** Null for a text that is gone, even while that can still be undone. */
export function revisionOf(database: DatabaseSync, id: string): number | null {
  const row = database
    .prepare(
      `SELECT t.revision FROM transcripts t JOIN items i ON i.kind = 'transcript' AND i.id = t.id
       WHERE t.id = ? AND i.erase_at_ms IS NULL`,
    )
    .get(id);
  return row === undefined ? null : Number(row['revision']);
}

export function saveManyEdits(
  database: DatabaseSync,
  changes: readonly { readonly id: string; readonly baseRevision: number; readonly edits: readonly StoredEdit[] }[],
): number {
  const fitting = changes.filter(({ id, baseRevision }) => revisionOf(database, id) === baseRevision);
  for (const { id, baseRevision, edits } of fitting) saveEdits(database, id, baseRevision, edits);
  return fitting.length;
}

export function readChange(text: unknown): Change | null {
  const parsed = packedChange().safeParse(jsonOf(text));
  return parsed.success ? unpackChange(parsed.data) : null;
}

export const nameRevision = (database: DatabaseSync, id: string, revision: number, name: string | null): boolean =>
  Number(
    database
      .prepare('UPDATE transcript_revisions SET name = ? WHERE transcript_id = ? AND number = ?')
      .run(name, id, revision).changes,
  ) > 0;
