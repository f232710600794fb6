import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { titleOf, type SpeechDocument } from '../../shared/domain/speech/speech-document.ts';
import type { Failure } from '../../shared/result/failure.ts';
import type { Result } from '../../shared/result/result.ts';
import type { DocumentLine, SpeechNote, StoredTake } from '../services/speech/speech-file.ts';
import { parseStored } from '../../shared/result/failure-kinds.ts';
import { saveItem, type Tables } from './item-rows.ts';

type Row = Record<string, SQLOutputValue>;

const columns = `id, identity, text, language, voice_id, speed, idempotency_key, created_at_ms,
  state, generation_id, request_id, duration_ms, size_bytes, file_name, bars, failure, is_hidden`;

const takes = `SELECT id, identity, text, language, voice_id AS voiceId, speed, state, idempotency_key AS idempotencyKey,
  generation_id AS generationId, request_id AS requestId, created_at_ms AS createdAtMs, duration_ms AS durationMs,
  size_bytes AS sizeBytes, file_name AS fileName, bars, failure, is_hidden AS isHidden FROM speech_takes`;

const documents = "speech_documents d JOIN items i ON i.kind = 'speech' AND i.id = d.id";

const sql = {
  documents: `SELECT d.id, i.title, substr(d.text, 1, 1000) AS text, i.at_ms FROM ${documents} ORDER BY i.at_ms DESC, d.id`,
  document: `SELECT d.*, i.title, i.at_ms FROM ${documents} WHERE d.id = ?`,
  saveDocument: `INSERT INTO speech_documents (id, text, blocks, settings) VALUES (?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET text = excluded.text, blocks = excluded.blocks, settings = excluded.settings`,
  allDocuments: `SELECT d.*, i.title, i.at_ms FROM ${documents} ORDER BY i.at_ms DESC, d.id`,
  takeOfKey: `${takes} WHERE idempotency_key = ?`,
  dropOthers: "DELETE FROM speech_takes WHERE identity = ? AND state <> 'made'",
  insertTake: `INSERT INTO speech_takes (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  updateTake: `UPDATE speech_takes SET state = ?, generation_id = ?, request_id = ?, duration_ms = ?, size_bytes = ?,
    file_name = ?, bars = ?, failure = ? WHERE id = ?`,
  take: `${takes} WHERE id = ?`,
  takes: `${takes} WHERE id IN (SELECT value FROM json_each(?))`,
  byIdentity: `${takes} WHERE identity IN (SELECT value FROM json_each(?))
    ORDER BY state = 'made', created_at_ms, id`,
  openTakes: `${takes} WHERE state = 'asked' ORDER BY created_at_ms, id`,
  history: `${takes} WHERE is_hidden = 0 AND state = 'made' AND created_at_ms < ?
    ORDER BY created_at_ms DESC, id`,
  hide: 'UPDATE speech_takes SET is_hidden = ? WHERE id IN (SELECT value FROM json_each(?))',
  note: 'SELECT value FROM meta WHERE key = ?',
  saveNote: 'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
} as const;

export function speechTables({ statement, read, write }: Tables) {
  const all = (text: string, ...values: SQLInputValue[]): readonly Row[] => statement(text).all(...values);
  const one = (text: string, ...values: SQLInputValue[]): Row | undefined => statement(text).get(...values);
  const run = (text: string, ...values: SQLInputValue[]): null => {
    statement(text).run(...values);
    return null;
  };

  return {
    documents: () =>
      read(() =>
        all(sql.documents).map((row): DocumentLine => ({
          id: String(row['id']),
          title: titleOf({ title: String(row['title']), text: String(row['text']) }),
          updatedAtMs: Number(row['at_ms']),
        })),
      ),
    document: (id: string): Result<SpeechDocument | null> =>
      read(() => {
        const row = one(sql.document, id);
        return row === undefined ? null : readDocument(row);
      }),
    saveDocument: ({ id, title, text, blocks, ...settings }: SpeechDocument, atMs: number): Result<null> =>
      write(() => {
        run(sql.saveDocument, id, text, JSON.stringify(blocks), JSON.stringify(settings));
        return run(saveItem, 'speech', id, title, '', atMs);
      }),
    allDocuments: () =>
      read(() => all(sql.allDocuments).map((row) => ({ ...readDocument(row), updatedAtMs: Number(row['at_ms']) }))),
    /** Adds a take, or repeats the request of one whose key is known. Other attempts at it are dropped. */
    askTake: (take: StoredTake): Result<StoredTake> =>
      write(() => {
        const known = take.idempotencyKey === null ? undefined : one(sql.takeOfKey, take.idempotencyKey);
        if (known !== undefined) {
          const again: StoredTake = { ...readTake(known), state: 'asked', failure: null };
          run(sql.updateTake, ...changing(again), again.id);
          return again;
        }
        run(sql.dropOthers, take.identity);
        run(sql.insertTake, ...naming(take), ...changing(take), take.isHidden ? 1 : 0);
        return take;
      }),
    updateTake: (take: StoredTake): Result<null> => write(() => run(sql.updateTake, ...changing(take), take.id)),
    take: (id: string): Result<StoredTake | null> =>
      read(() => {
        const row = one(sql.take, id);
        return row === undefined ? null : readTake(row);
      }),
    takes: (ids: readonly string[]): Result<readonly StoredTake[]> =>
      read(() => all(sql.takes, JSON.stringify(ids)).map(readTake)),
    takesByIdentity: (identities: readonly string[]): Result<readonly StoredTake[]> =>
      read(() => {
        const best = new Map(
          all(sql.byIdentity, JSON.stringify(identities)).map((row) => [String(row['identity']), row]),
        );
        return [...best.values()].map(readTake);
      }),
    openTakes: (): Result<readonly StoredTake[]> => read(() => all(sql.openTakes).map(readTake)),
    history: (search: string, beforeMs: number | null, limit: number): Result<readonly StoredTake[]> =>
      read(() => {
        // SQLite folds only Latin letters, so the search happens here.
        const wanted = search.trim().toLocaleLowerCase();
        const rows = all(sql.history, beforeMs ?? Number.MAX_SAFE_INTEGER);
        const found = rows.filter((row) => String(row['text']).toLocaleLowerCase().includes(wanted));
        return found.slice(0, limit).map(readTake);
      }),
    hide: (ids: readonly string[], isHidden: boolean): Result<null> =>
      write(() => run(sql.hide, isHidden ? 1 : 0, JSON.stringify(ids))),
    note: (name: SpeechNote): Result<string | null> =>
      read(() => {
        const row = one(sql.note, name);
        return row === undefined ? null : String(row['value']);
      }),
    saveNote: (name: SpeechNote, value: string): Result<null> => write(() => run(sql.saveNote, name, value)),
  };
}

export type SpeechStore = ReturnType<typeof speechTables>;

const naming = (take: StoredTake) =>
  [
    take.id,
    take.identity,
    take.text,
    take.language,
    take.voiceId,
    take.speed,
    take.idempotencyKey,
    take.createdAtMs,
  ] as const;
const changing = (take: StoredTake) =>
  [
    take.state,
    take.generationId,
    take.requestId,
    take.durationMs,
    take.sizeBytes,
    take.fileName,
    take.bars,
    take.failure === null ? null : JSON.stringify(take.failure),
  ] as const;

const readTake = (row: Row): StoredTake => ({
  ...(row as unknown as StoredTake),
  failure: row['failure'] === null ? null : (parseStored(String(row['failure'])) as Failure),
  isHidden: row['isHidden'] === 1,
});

const readDocument = (row: Row): SpeechDocument => ({
  ...(JSON.parse(String(row['settings'])) as Omit<SpeechDocument, 'id' | 'title' | 'text' | 'blocks'>),
  id: String(row['id']),
  title: String(row['title']),
  text: String(row['text']),
  blocks: JSON.parse(String(row['blocks'])) as SpeechDocument['blocks'],
});
