import type { DatabaseSync } from 'node:sqlite';
import { speechLanguages } from '../../shared/domain/languages.ts';
import type { Origin } from '../../shared/domain/modes.ts';
import type { ErasedRows, TranscriptLine } from '../services/library/store.ts';
import { noRecording } from '../services/media/audio-extractor.ts';
import { isKeptCopy, remoteIdHere } from './sqlite-rows.ts';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The same number of bytes as before, so that the text is overwritten in place. */
const blank = (column: string): string =>
  `${column} = substr(hex(zeroblob(octet_length(${column}))), 1, octet_length(${column}))`;

export const listTranscripts = (database: DatabaseSync, origin: Origin): readonly TranscriptLine[] =>
  database
    .prepare(
      `SELECT t.id, t.job_id, t.title, t.source_name, t.created_at_ms, ${remoteIdHere}, t.language, t.word_count,
         t.duration_ms, m.path FROM transcripts t LEFT JOIN media m ON m.sha256 = t.media_sha256
         LEFT JOIN jobs j ON j.id = t.job_id ORDER BY t.created_at_ms DESC, t.id`,
    )
    .all(origin)
    .map((row) => ({
      id: text(row['id']),
      jobId: text(row['job_id']),
      title: text(row['title']),
      sourceName: text(row['source_name']),
      createdAtMs: Number(row['created_at_ms']),
      remoteId: typeof row['remote_id'] === 'string' ? row['remote_id'] : null,
      language: speechLanguages.find((language) => language === row['language']) ?? 'uz',
      wordCount: Number(row['word_count']),
      durationMs: Number(row['duration_ms']),
      hasRecording: !text(row['path']).startsWith(noRecording),
    }));

/** Backups of an older version lack the newer tables. */
const hasTable = (database: DatabaseSync, name: string): boolean =>
  database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined;

/** Within a transaction of the caller; returns the contents that nothing refers to any more. */
export function eraseRows(database: DatabaseSync, transcriptIds: readonly string[]): ErasedRows {
  const find = database.prepare(`SELECT t.job_id, t.media_sha256, t.source_name, j.sha256 AS sent FROM transcripts t
     LEFT JOIN jobs j ON j.id = t.job_id WHERE t.id = ?`);
  const forget = forgetAutomation(database);
  const findAudio = hasTable(database, 'audio')
    ? database.prepare(
        `SELECT a.job_id, a.sha256, j.sha256 AS source FROM audio a LEFT JOIN jobs j ON j.id = a.job_id WHERE a.id = ?`,
      )
    : null;
  const overwrite = overwriteSegments(database);
  const conversations = eraseConversations(database);
  const jobIds: string[] = [];
  const otherIds: string[] = [];
  const contents = new Set<string>();
  for (const id of transcriptIds) {
    const row = find.get(id);
    if (row === undefined) {
      const produced = findAudio?.get(id);
      if (produced === undefined) {
        otherIds.push(...conversations.erase(id));
        if (eraseSpeech(database, id) !== null) otherIds.push(id);
        continue;
      }
      // The row of the audio goes with its job.
      database.prepare('DELETE FROM jobs WHERE id = ?').run(text(produced['job_id']));
      jobIds.push(text(produced['job_id']));
      contents.add(text(produced['sha256']));
      // Its source may be sent again, like anything that was deleted on purpose.
      if (typeof produced['source'] === 'string') contents.add(produced['source']);
      continue;
    }
    const jobId = text(row['job_id']);
    // A copy of this text for another row keeps its own words; only the raw answer is deleted.
    database
      .prepare(
        'UPDATE transcripts SET raw_answer_id = NULL WHERE raw_answer_id IN (SELECT id FROM raw_answers WHERE job_id = ?)',
      )
      .run(jobId);
    overwrite(id);
    database.prepare('DELETE FROM transcripts WHERE id = ?').run(id);
    database.prepare('DELETE FROM jobs WHERE id = ?').run(jobId);
    forget(id, text(row['source_name']));
    otherIds.push(...conversations.eraseAbout(id));
    jobIds.push(jobId);
    contents.add(text(row['media_sha256']));
    // It may play other audio than was sent.
    if (typeof row['sent'] === 'string') contents.add(row['sent']);
  }
  // Copies of audio that transcripts no longer play; nothing else removes them.
  const left = database.prepare(
    `SELECT sha256 FROM media m WHERE ${isKeptCopy}
       AND NOT EXISTS (SELECT 1 FROM transcripts t WHERE t.media_sha256 = m.sha256)`,
  );
  for (const row of left.all()) contents.add(text(row['sha256']));
  const isUsed = findUses(database);
  const unused = [...contents].filter((sha256) => !isUsed(sha256));
  const places = unused.map((sha256) =>
    text(database.prepare('SELECT path FROM media WHERE sha256 = ?').get(sha256)?.['path']),
  );
  for (const sha256 of unused) database.prepare('DELETE FROM media WHERE sha256 = ?').run(sha256);
  // Extracted audio is named after its recording, not after its own content.
  const recordings = places.flatMap((path) => /^prepared:([0-9a-f]{64})\./.exec(path)?.[1] ?? []);
  return { jobIds, otherIds, unusedContents: [...unused, ...recordings] };
}

/** By a transcript, by audio made from it, or by an unfinished row. */
function findUses(database: DatabaseSync): (sha256: string) => boolean {
  const audio = hasTable(database, 'audio') ? 'OR EXISTS (SELECT 1 FROM audio a WHERE a.job_id = j.id)' : '';
  const uses = [
    'SELECT 1 FROM transcripts WHERE media_sha256 = ?',
    `SELECT 1 FROM jobs j WHERE j.sha256 = ? AND (EXISTS (SELECT 1 FROM transcripts t WHERE t.job_id = j.id) ${audio})`,
    // Before it is sent a row has no content hash; one that plays the library's own audio is named after it.
    `SELECT 1 FROM jobs j WHERE j.path LIKE 'prepared:' || ? || '.%' AND j.is_hidden = 0
       AND j.tag NOT IN ('done', 'cancelled')`,
  ].map((text) => database.prepare(text));
  return (sha256) => uses.some((use) => use.get(sha256) !== undefined);
}

/** Merging pages, SQLite may leave bytes of deleted rows between others, despite `secure_delete`. */
function overwriteSegments(database: DatabaseSync): (transcriptId: string) => void {
  const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'transcript_segments'");
  if (table.get() === undefined) return () => undefined;
  const statements = [
    `UPDATE transcript_segments SET ${blank('text')} WHERE transcript_id = ?`,
    `UPDATE transcript_originals SET ${blank('body')} WHERE transcript_id = ?`,
    `UPDATE transcript_revisions SET ${blank('change')}, ${blank('inverse')}, ${blank('name')} WHERE transcript_id = ?`,
  ].map((text) => database.prepare(text));
  return (transcriptId) => {
    for (const statement of statements) statement.run(transcriptId);
  };
}

/** Those about nothing but one transcript too, because their answers quote it. */
function eraseConversations(database: DatabaseSync) {
  if (!hasTable(database, 'conversations')) return { erase: () => [], eraseAbout: () => [] };
  const found = {
    erase: database.prepare('SELECT id FROM conversations WHERE id = ?'),
    eraseAbout: database.prepare('SELECT id FROM conversations WHERE transcript_ids = json_array(?)'),
  };
  const statements = [
    `UPDATE exchanges SET ${blank('question')}, ${blank('answer')} WHERE conversation_id = ?`,
    `UPDATE conversations SET ${blank('title')} WHERE id = ?`,
    'DELETE FROM conversations WHERE id = ?',
  ].map((sql) => database.prepare(sql));
  const eraseAll = (which: keyof typeof found) => (key: string) => {
    const ids = found[which].all(key).map(({ id }) => text(id));
    for (const id of ids) for (const statement of statements) statement.run(id);
    return ids;
  };
  return { erase: eraseAll('erase'), eraseAbout: eraseAll('eraseAbout') };
}

const takesOfText = (which: '=' | '<>') => `SELECT take.value FROM speech_documents d, json_each(d.blocks) block,
  json_each(block.value, '$.takeIds') take WHERE d.id ${which} ?1`;
const speechSql = {
  find: 'SELECT 1 FROM speech_documents WHERE id = ?',
  ownTakes: `SELECT DISTINCT value AS id FROM (${takesOfText('=')}) WHERE value NOT IN (${takesOfText('<>')})`,
  eraseTake: [
    `UPDATE speech_takes SET ${blank('identity')}, ${blank('text')} WHERE id = ?`,
    'DELETE FROM speech_takes WHERE id = ?',
  ],
  eraseText: [
    `UPDATE speech_documents SET ${blank('title')}, ${blank('text')}, ${blank('blocks')} WHERE id = ?`,
    'DELETE FROM speech_documents WHERE id = ?',
  ],
} as const;

/** With the takes that no other text has; returns their ids, null when there is no such text. */
export function eraseSpeech(database: DatabaseSync, id: string): readonly string[] | null {
  if (!hasTable(database, 'speech_documents') || database.prepare(speechSql.find).get(id) === undefined) return null;
  const takes = database
    .prepare(speechSql.ownTakes)
    .all(id)
    .map((row) => text(row['id']));
  for (const take of takes) for (const statement of speechSql.eraseTake) database.prepare(statement).run(take);
  for (const statement of speechSql.eraseText) database.prepare(statement).run(id);
  return takes;
}

/** Entries of a watched folder stay without names: they keep a file from being added again. */
function forgetAutomation(database: DatabaseSync): (transcriptId: string, sourceName: string) => void {
  if (!hasTable(database, 'automation')) return () => undefined;
  const copies = database.prepare(
    "DELETE FROM automation WHERE kind = 'copy' AND substr(key, 1, length(?) + 1) = ? || ':'",
  );
  const watched = database.prepare("UPDATE automation SET name = '' WHERE kind = 'watch' AND name = ?");
  return (transcriptId, sourceName) => {
    copies.run(transcriptId, transcriptId);
    watched.run(sourceName);
  };
}

/** With `secure_delete` freed pages are zeroes already, so only the log has to be emptied. */
export function emptyLog(database: DatabaseSync): void {
  database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
}
