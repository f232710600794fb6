import type { SpeechLanguage } from '../../shared/domain/languages.ts';
import type { Origin } from '../../shared/domain/modes.ts';
import { maskedText } from '../../shared/domain/transcript/edit-marks.ts';
import {
  isSoundChange,
  mayBeRedacted,
  packedChange,
  packedComments,
  packedWords,
  storedCuts,
  storedSpeakers,
  unpackSegment,
  type PackedChange,
  type PackedSegment,
} from '../../shared/domain/transcript/packed.ts';
import { wordsOf } from '../../shared/domain/transcript/spoken-text.ts';
import type { Transcript } from '../../shared/domain/transcript/transcript.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import type { SpeakerUse, StoredEdit, StoredTranscript, TranscriptFacts } from '../services/library/store.ts';
import { elseSet, insertInto, jsonOf, read, rowsOf, selected, type Sql, type Tables } from './sqlite-database.ts';
import { fillSegments, segmentsAsCame } from './library-schema.ts';
import { orderedFrom, remoteIdHere, speechLanguage, wholeTranscripts } from './sqlite-rows.ts';

const positionGap = 65_536;
const original = '(SELECT * FROM transcript_originals WHERE transcript_id = ?)';
export const segmentsFromOriginal = fillSegments(original);

type SegmentRow = Omit<PackedSegment, 'words' | 'comments'> & Readonly<Record<'words' | 'comments', string | null>>;

const factsColumns = `${selected('id jobId mediaSha256 rawAnswerId revision model', 't.')}, i.title,
  i.source_name AS sourceName, i.at_ms AS createdAtMs, m.path AS mediaPath, ${orderedFrom}`;
const segments = `SELECT segment_id AS id, ${selected('speakerId startMs endMs text words comments')}
  FROM transcript_segments WHERE transcript_id = ?`;
const written = 'speakerId startMs endMs text words comments';
const query = {
  facts: `SELECT ${factsColumns}, ${remoteIdHere} AS remoteId FROM ${wholeTranscripts} WHERE t.id = ?2`,
  factsAnywhere: `SELECT ${factsColumns}, t.remote_id AS remoteId FROM ${wholeTranscripts} WHERE t.id = ?`,
  head: `SELECT ${selected('language durationMs speakers cuts revision')} FROM transcripts WHERE id = ?`,
  firstHead: `SELECT body ->> 'language' AS language, body ->> 'durationMs' AS durationMs, body -> 'speakers' AS speakers,
    NULL AS cuts, 0 AS revision FROM ${original} WHERE json_valid(body)`,
  firstSegments: `SELECT id, speakerId, startMs, endMs, text, words, NULL AS comments FROM (${segmentsAsCame(original)}) LIMIT ?`,
  lengths: 'SELECT length(text) AS letters FROM transcript_segments WHERE transcript_id = ? ORDER BY position LIMIT ?',
  segments: `${segments} ORDER BY position LIMIT ?`,
  segmentsAt: `${segments} ORDER BY position LIMIT ? OFFSET ?`,
  segment: `${segments} AND segment_id = ?`,
  positionAt: 'SELECT position FROM transcript_segments WHERE transcript_id = ? ORDER BY position LIMIT 1 OFFSET ?',
  put: `${insertInto('transcript_segments', `transcriptId segmentId position ${written}`)}
    ${elseSet('transcript_id, segment_id', written)}`,
  drop: 'DELETE FROM transcript_segments WHERE transcript_id = ? AND segment_id = ?',
  spread: `UPDATE transcript_segments SET position = places.place * ?1 FROM
      (SELECT id, row_number() OVER (ORDER BY position) AS place FROM transcript_segments WHERE transcript_id = ?2) AS places
    WHERE places.id = transcript_segments.id`,
  shift: `UPDATE transcript_segments SET start_ms = start_ms + ?1, end_ms = end_ms + ?1
    WHERE transcript_id = ?2 AND position >= ?3`,
  /** Null for a text that is gone, even while that can still be undone. */
  revision: `SELECT t.revision FROM transcripts t JOIN items i ON i.kind = 'transcript' AND i.id = t.id
    WHERE t.id = ? AND i.erase_at_ms IS NULL`,
  saveRevision: insertInto('transcript_revisions', 'transcriptId number atMs label change inverse'),
  endEdit: 'UPDATE transcripts SET revision = ?, word_count = word_count + ? WHERE id = ?',
  nameRevision: 'UPDATE transcript_revisions SET name = ? WHERE transcript_id = ? AND number = ?',
  speakers: `SELECT t.id AS transcriptId, t.revision, t.speakers FROM ${wholeTranscripts} WHERE t.speakers <> '[]'
    ORDER BY i.at_ms DESC, t.id`,
  wordCount: 'SELECT word_count AS count FROM transcripts WHERE id = ?',
  setLanguage: 'UPDATE transcripts SET language = ? WHERE id = ?',
  setRecordingLength: `UPDATE transcripts SET duration_ms = max(?1,
      (SELECT coalesce(max(end_ms), 0) FROM transcript_segments WHERE transcript_id = ?2),
      (SELECT coalesce(max(value ->> 'endMs'), 0) FROM json_each(coalesce(cuts, '[]'))))
    WHERE id = ?2`,
} as const;

const packedOf = ({ words, comments, ...segment }: SegmentRow): PackedSegment => ({
  ...segment,
  words: words === null ? null : packedWords().parse(JSON.parse(words)),
  ...(comments !== null && { comments: packedComments().parse(JSON.parse(comments)) }),
});

export type PackedTranscript = Omit<Transcript, 'segments'> & {
  readonly segments: readonly PackedSegment[];
  readonly revision: number;
};

interface HeadRow {
  readonly language: SpeechLanguage;
  readonly durationMs: number;
  readonly speakers: string;
  readonly cuts: string | null;
  readonly revision: number;
}

export const unreadableRow = (): Result<never> => err(localFailure('library-damaged', { code: 'row_unreadable' }));

/** Null when there is none, library-damaged when it can't be parsed. Throws SQLite's errors. */
export function readPackedTranscript(
  sql: Sql,
  id: string,
  limit = -1,
  from: { readonly head: string; readonly segments: string } = query,
): Result<PackedTranscript | null> {
  const [head] = rowsOf<HeadRow>(sql(from.head), id);
  if (head === undefined) return ok(null);
  const rows = rowsOf<SegmentRow>(sql(from.segments), id, limit);
  try {
    return ok({
      language: speechLanguage().parse(head.language),
      durationMs: head.durationMs,
      revision: head.revision,
      speakers: storedSpeakers().parse(JSON.parse(head.speakers)),
      ...(head.cuts !== null && { cuts: storedCuts().parse(JSON.parse(head.cuts)) }),
      segments: rows.map(packedOf),
    });
  } catch {
    return unreadableRow();
  }
}

const wholeText = ({ revision: _revision, segments: packed, ...head }: PackedTranscript): Transcript => ({
  ...head,
  segments: packed.map(unpackSegment),
});

/** As `readPackedTranscript`, of any service; with `limit`, so many segments of its beginning. */
export function readWholeText(sql: Sql, id: string, limit = -1): Result<StoredTranscript | null> {
  const [facts] = rowsOf<TranscriptFacts>(sql(query.factsAnywhere), id);
  const found = readPackedTranscript(sql, id, limit);
  if (!found.ok || found.value === null || facts === undefined) return found.ok ? ok(null) : found;
  return ok({ ...facts, transcript: wholeText(found.value) });
}

/** The text as it came. */
export function readFirstText(sql: Sql, id: string): Transcript | null {
  const found = readPackedTranscript(sql, id, -1, { head: query.firstHead, segments: query.firstSegments });
  return found.ok ? found.value && wholeText(found.value) : null;
}

/** The alphabet of a text is derived from this many segments, so no beginning has fewer. */
const leastSegments = 200;
const mostSegments = 3_000;

/** Null when there is none, or when nearly all of it would have to be read. */
function readTextStart(sql: Sql, id: string, letters: number): Result<StoredTranscript | null> {
  let [count, sum] = [0, 0];
  for (const length of sql(query.lengths).all(id, mostSegments)) {
    if (count >= leastSegments && sum >= letters) break;
    count += 1;
    sum += Number(length['letters']);
  }
  return sum >= letters && sum <= letters * 5 ? readWholeText(sql, id, count) : ok(null);
}

export const readMaskedTexts = (sql: Sql, id: string): readonly { startMs: number; text: string }[] =>
  rowsOf<SegmentRow>(sql(query.segments), id, -1).map((row) => ({ startMs: row.startMs, text: maskedOf(row) }));

function maskedOf(row: SegmentRow): string {
  // Few segments have redacted words, so the words of the others are not read.
  if (!mayBeRedacted(row.words)) return row.text;
  try {
    return maskedText(unpackSegment(packedOf(row)), 0, row.text.length);
  } catch {
    // Nobody knows which words of a damaged segment are secret.
    return '';
  }
}

/** A change does not match the existing rows: they were changed by somebody else. */
class UnfitChange extends Error {}

/** Changed segments are put into their rows as they are sent; returns the change that restores them. */
function changeRows(sql: Sql, id: string, change: PackedChange) {
  let addedWords = 0;
  const put = ({ words, comments, ...segment }: PackedSegment, position: number): void => {
    addedWords += wordsOf(segment.text).length;
    sql(query.put).run({
      ...segment,
      transcriptId: id,
      segmentId: segment.id,
      position,
      words: words === null ? null : JSON.stringify(words),
      comments: comments === undefined ? null : JSON.stringify(comments),
    });
  };
  const taken = (row: SegmentRow | undefined): PackedSegment => {
    if (row === undefined) throw new UnfitChange();
    addedWords -= wordsOf(row.text).length;
    return packedOf(row);
  };
  const find = (segmentId: string) => rowsOf<SegmentRow>(sql(query.segment), id, segmentId)[0];
  const positionAt = (at: number): number | null => {
    const row = at < 0 ? undefined : sql(query.positionAt).get(id, at);
    return row === undefined ? null : Number(row['position']);
  };
  const freePositions = (at: number, count: number): readonly number[] => {
    const before = positionAt(at - 1);
    if (at > 0 && before === null) throw new UnfitChange();
    const low = before ?? 0;
    const high = positionAt(at) ?? low + positionGap * (count + 1);
    const step = Math.floor((high - low) / (count + 1));
    if (step >= 1) return Array.from({ length: count }, (_, index) => low + step * (index + 1));
    sql(query.spread).run(positionGap * (count + 1), id);
    return freePositions(at, count);
  };
  /** Of the whole text; returns what it was. */
  const replace = (column: 'speakers' | 'cuts' | 'duration_ms', value: string | number | null): unknown => {
    const before = sql(`SELECT ${column} AS value FROM transcripts WHERE id = ?`).get(id)?.['value'];
    sql(`UPDATE transcripts SET ${column} = ? WHERE id = ?`).run(value, id);
    return typeof before === 'string' ? JSON.parse(before) : before;
  };

  const apply = (step: PackedChange[number]): PackedChange[number] => {
    switch (step.type) {
      case 'set': {
        const before = step.segments.map((segment) => {
          const old = taken(find(segment.id));
          put(segment, 0);
          return old;
        });
        return { type: 'set', segments: before };
      }
      case 'splice': {
        const { at, removed, inserted } = step;
        const old = rowsOf<SegmentRow>(sql(query.segmentsAt), id, removed.length, at).map(taken);
        if (old.map((segment) => segment.id).join() !== removed.join()) throw new UnfitChange();
        for (const segment of old) sql(query.drop).run(id, segment.id);
        const positions = freePositions(at, inserted.length);
        for (const [index, segment] of inserted.entries()) {
          if (find(segment.id) !== undefined) throw new UnfitChange();
          put(segment, positions[index] ?? 0);
        }
        return { type: 'splice', at, removed: inserted.map((segment) => segment.id), inserted: old };
      }
      case 'shift': {
        const { from, byMs } = step;
        const first = positionAt(from);
        if (first !== null) sql(query.shift).run(byMs, id, first);
        return { type: 'shift', from, byMs: -byMs };
      }
      case 'speakers':
        return {
          type: 'speakers',
          speakers: storedSpeakers().parse(replace('speakers', JSON.stringify(step.speakers))),
        };
      case 'cuts': {
        const cuts = step.cuts.length === 0 ? null : JSON.stringify(step.cuts);
        return { type: 'cuts', cuts: storedCuts().parse(replace('cuts', cuts) ?? []) };
      }
      case 'duration':
        return { type: 'duration', durationMs: Number(replace('duration_ms', step.durationMs)) };
    }
  };
  const inverse = change.map(apply).toReversed();
  return { inverse, addedWords };
}

interface EditedText {
  readonly id: string;
  readonly baseRevision: number;
  readonly edits: readonly StoredEdit[];
}

/** Applies edits in order and stores each with its inverse. Null when the text has another revision, or is gone. */
function saveEdits(sql: Sql, { id, baseRevision, edits }: EditedText): number | null {
  if (sql(query.revision).get(id)?.['revision'] !== baseRevision) return null;
  let number = baseRevision;
  for (const { atMs, label, change } of edits) {
    const { inverse, addedWords } = changeRows(sql, id, change);
    number += 1;
    const row = { transcriptId: id, number, atMs, label };
    sql(query.saveRevision).run({ ...row, change: JSON.stringify(change), inverse: JSON.stringify(inverse) });
    sql(query.endEdit).run(number, addedWords, id);
  }
  return number;
}

export const readChange = (text: unknown): PackedChange | null => packedChange().safeParse(jsonOf(text)).data ?? null;

const flat = <T>(found: Result<Result<T>>): Result<T> => (found.ok ? found.value : found);

export function textTables({ sql, write, one, run, rowsAs }: Tables, origin: Origin) {
  return {
    transcript: (id: string) => flat(read(() => readWholeText(sql, id))),
    transcriptStart: (id: string, letters: number) => flat(read(() => readTextStart(sql, id, letters))),
    transcriptFacts: (id: string) => one<TranscriptFacts>(query.facts, origin, id),
    wordCount: (id: string) => rowsAs(({ count }: { readonly count: number | null }) => count).one(query.wordCount, id),
    /** All edits or none; null when one is not sound, or the text has another revision by now, or is gone. */
    edit: (id: string, baseRevision: number, edits: readonly StoredEdit[]): Result<number | null> => {
      if (!edits.every(({ change }) => isSoundChange(change))) return ok(null);
      try {
        return write(() => saveEdits(sql, { id, baseRevision, edits }));
      } catch (error) {
        if (error instanceof UnfitChange) return ok(null);
        throw error;
      }
    },
    /** Texts that have another revision by now are left as they are; returns how many were not. */
    editAll: (texts: readonly EditedText[]): Result<number> =>
      write(() => texts.filter((text) => saveEdits(sql, text) !== null).length),
    nameRevision: (id: string, revision: number, name: string | null): Result<boolean> =>
      write(() => Number(sql(query.nameRevision).run(name, id, revision).changes) > 0),
    listSpeakers: () =>
      rowsAs((use: Omit<SpeakerUse, 'speakers'> & { readonly speakers: string }): SpeakerUse | null => {
        const { data } = storedSpeakers().safeParse(jsonOf(use.speakers));
        return data === undefined ? null : { ...use, speakers: data };
      }).all(query.speakers),
    setTranscriptLanguage: (id: string, language: SpeechLanguage) => run(query.setLanguage, language, id),
    /** At least as long as what is in the text; this is no edit. */
    setRecordingLength: (id: string, recordingMs: number) => run(query.setRecordingLength, Math.round(recordingMs), id),
  };
}
