import type { ItemRef } from '../../shared/domain/library/library-item.ts';
import type { ErasedRows } from '../services/library/store.ts';
import { rowsOf, type Sql } from './sqlite-database.ts';
import { isKeptCopy, wholeTranscripts } from './sqlite-rows.ts';

/** The same number of bytes as before, so that the text is overwritten in place. */
const blank = (column: string): string =>
  `${column} = substr(hex(zeroblob(octet_length(${column}))), 1, octet_length(${column}))`;

const takesOfText = (which: '=' | '<>') => `SELECT take.value FROM speech_documents d, json_each(d.blocks) block,
  json_each(block.value, '$.takeIds') take WHERE d.id ${which} ?1`;

const query = {
  items: "SELECT kind, id FROM items WHERE id = ? AND kind <> 'dictation'",
  transcript: `SELECT t.job_id AS jobId, t.media_sha256 AS played, i.source_name AS sourceName,
    j.sha256 AS sent FROM ${wholeTranscripts} WHERE t.id = ?`,
  audio:
    'SELECT a.job_id AS jobId, a.sha256 AS played, j.sha256 AS sent FROM audio a JOIN jobs j ON j.id = a.job_id WHERE a.id = ?',
  // Those about nothing but one transcript go with it, because their answers quote it.
  conversationsAbout: 'SELECT id FROM conversations WHERE transcript_ids = json_array(?)',
  ownTakes: `SELECT DISTINCT value AS id FROM (${takesOfText('=')}) WHERE value NOT IN (${takesOfText('<>')})`,
  // Audio that transcripts no longer play; nothing else removes it.
  unplayed: `SELECT sha256 FROM media m WHERE ${isKeptCopy}
    AND NOT EXISTS (SELECT 1 FROM transcripts t WHERE t.media_sha256 = m.sha256)`,
  /** By a transcript, by audio made from it, or by an unfinished row. */
  uses: [
    'SELECT 1 FROM transcripts WHERE media_sha256 = ?',
    `SELECT 1 FROM jobs j WHERE j.sha256 = ? AND (EXISTS (SELECT 1 FROM transcripts t WHERE t.job_id = j.id)
       OR EXISTS (SELECT 1 FROM audio a WHERE a.job_id = j.id))`,
    `SELECT 1 FROM jobs j WHERE j.path LIKE 'prepared:' || ? || '.%' AND j.is_hidden = 0
       AND j.tag NOT IN ('done', 'cancelled')`,
  ],
  mediaPath: 'SELECT path FROM media WHERE sha256 = ?',
  dropMedia: 'DELETE FROM media WHERE sha256 = ?',
  dropJob: 'DELETE FROM jobs WHERE id = ?',
  dropItem: [
    `UPDATE items SET ${blank('title')}, ${blank('source_name')} WHERE kind = ? AND id = ?`,
    'DELETE FROM items WHERE kind = ? AND id = ?',
  ],
  /** Merging pages, SQLite may leave bytes of deleted rows between others, despite `secure_delete`. */
  dropTranscript: [
    // A copy of this text for another row keeps its own words; only the raw answer is deleted.
    `UPDATE transcripts SET raw_answer_id = NULL WHERE raw_answer_id IN (SELECT r.id FROM raw_answers r
       JOIN transcripts t ON t.job_id = r.job_id WHERE t.id = ?)`,
    `UPDATE transcript_segments SET ${blank('text')}, ${blank('comments')} WHERE transcript_id = ?`,
    `UPDATE transcript_originals SET ${blank('body')} WHERE transcript_id = ?`,
    `UPDATE transcript_revisions SET ${blank('change')}, ${blank('inverse')}, ${blank('name')} WHERE transcript_id = ?`,
    "DELETE FROM automation WHERE kind = 'copy' AND substr(key, 1, length(?1) + 1) = ?1 || ':'",
    'DELETE FROM transcripts WHERE id = ?',
  ],
  // Entries of a watched folder stay without names: they keep a file from being added again.
  unnameWatched: "UPDATE automation SET name = '' WHERE kind = 'watch' AND name = ?",
  dropConversation: [
    `UPDATE exchanges SET ${blank('question')}, ${blank('answer')} WHERE conversation_id = ?`,
    `UPDATE conversations SET ${blank('sources')} WHERE id = ?`,
    'DELETE FROM conversations WHERE id = ?',
  ],
  dropTake: [
    `UPDATE speech_takes SET ${blank('identity')}, ${blank('text')} WHERE id = ?`,
    'DELETE FROM speech_takes WHERE id = ?',
  ],
  dropSpeech: [
    `UPDATE speech_documents SET ${blank('text')}, ${blank('blocks')} WHERE id = ?`,
    'DELETE FROM speech_documents WHERE id = ?',
  ],
} as const;

interface Made {
  readonly jobId: string;
  readonly played: string;
  readonly sent: string | null;
}

/** Within a transaction of the caller; returns what was there, and the contents that nothing refers to any more. */
export function eraseRows(sql: Sql, ids: readonly string[]): ErasedRows {
  const run = (texts: readonly string[], ...values: readonly string[]): void => {
    for (const text of texts) sql(text).run(...values);
  };
  const idsOf = (text: string, value: string): readonly string[] =>
    rowsOf<{ readonly id: string }>(sql(text), value).map(({ id }) => id);
  const items: ItemRef[] = [];
  const takeIds: string[] = [];
  const contents = new Set<string>();
  /** Its source may be sent again, like anything that was deleted on purpose. */
  const dropMade = ({ jobId, played, sent }: Made): void => {
    // The row of isolated audio goes with its job.
    run([query.dropJob], jobId);
    for (const sha256 of [played, sent]) if (sha256 !== null) contents.add(sha256);
  };

  const drop = {
    transcript(id: string): void {
      const found = rowsOf<Made & { readonly sourceName: string }>(sql(query.transcript), id);
      run(query.dropTranscript, id);
      for (const made of found) {
        dropMade(made);
        run([query.unnameWatched], made.sourceName);
      }
      for (const about of idsOf(query.conversationsAbout, id)) erase({ kind: 'conversation', id: about });
    },
    isolation: (id: string): void => rowsOf<Made>(sql(query.audio), id).forEach(dropMade),
    conversation: (id: string): void => run(query.dropConversation, id),
    /** With the takes that no other text has. */
    speech(id: string): void {
      const own = idsOf(query.ownTakes, id);
      for (const take of own) run(query.dropTake, take);
      run(query.dropSpeech, id);
      takeIds.push(...own);
    },
    dictation: (): void => undefined,
  };
  function erase({ kind, id }: ItemRef): void {
    drop[kind](id);
    run(query.dropItem, kind, id);
    items.push({ kind, id });
  }

  for (const id of ids) rowsOf<ItemRef>(sql(query.items), id).forEach(erase);
  for (const { sha256 } of rowsOf<{ readonly sha256: string }>(sql(query.unplayed))) contents.add(sha256);
  const unused = [...contents].filter((sha256) => query.uses.every((use) => sql(use).get(sha256) === undefined));
  const places = unused.map((sha256) => String(sql(query.mediaPath).get(sha256)?.['path']));
  for (const sha256 of unused) run([query.dropMedia], sha256);
  // Extracted audio is named after its recording, not after its own content.
  const recordings = places.flatMap((path) => /^prepared:([0-9a-f]{64})\./.exec(path)?.[1] ?? []);
  return { items, takeIds, unusedContents: [...unused, ...recordings] };
}
