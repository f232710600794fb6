import { titleOf, type SpeechDocument } from '../../shared/domain/speech/speech-document.ts';
import { ok, type Result } from '../../shared/result/result.ts';
import type { DocumentLine, SpeechNote, StoredTake } from '../services/speech/speech-file.ts';
import { elseSet, insertInto, saveItem, selected, setting, withJson, type Tables } from './sqlite-database.ts';

const made = 'state generationId requestId durationMs sizeBytes fileName bars failure';
const columns = `id identity text language voiceId speed idempotencyKey createdAtMs ${made}`;
const takes = `SELECT ${selected(columns)} FROM speech_takes`;
const documents = (columnsOfDocument: string) => `SELECT d.id, i.title, ${columnsOfDocument}
  FROM speech_documents d JOIN items i ON i.kind = 'speech' AND i.id = d.id`;
const whole = documents('d.text, d.blocks, d.settings');
const newestFirst = 'ORDER BY i.at_ms DESC, d.id';

const query = {
  lines: `${documents('i.at_ms AS updatedAtMs, substr(d.text, 1, 1000) AS text')} ${newestFirst}`,
  document: `${whole} WHERE d.id = ?`,
  allDocuments: `${whole} ${newestFirst}`,
  saveDocument: `${insertInto('speech_documents', 'id text blocks settings')} ${elseSet('id', 'text blocks settings')}`,
  takeOfKey: `${takes} WHERE idempotency_key = ?`,
  dropOthers: "DELETE FROM speech_takes WHERE identity = ? AND state <> 'made'",
  insertTake: insertInto('speech_takes', `${columns} isHidden`),
  updateTake: `UPDATE speech_takes SET ${setting(made)} WHERE id = :id`,
  take: `${takes} WHERE id = ?`,
  takes: `${takes} WHERE id IN (SELECT value FROM json_each(?))`,
  byIdentity: `${takes} WHERE identity IN (SELECT value FROM json_each(?))
    ORDER BY state = 'made', created_at_ms, id`,
  openTakes: `${takes} WHERE state = 'asked' ORDER BY created_at_ms, id`,
  history: `${takes} WHERE is_hidden = 0 AND state = 'made' AND created_at_ms < ?
    ORDER BY created_at_ms DESC, id`,
  hide: 'UPDATE speech_takes SET is_hidden = ? WHERE id IN (SELECT value FROM json_each(?))',
} as const;

const take = withJson<StoredTake>('failure');
type Parts = Pick<SpeechDocument, 'id' | 'title' | 'text' | 'blocks'>;
const parts = withJson<Parts & { readonly settings: Omit<SpeechDocument, keyof Parts> }>('blocks settings');

export function speechTables({ sql, write, run, rowsAs, note, saveNote }: Tables) {
  const lines = rowsAs((row: DocumentLine & { readonly text: string }) => ({
    id: row.id,
    title: titleOf(row),
    updatedAtMs: row.updatedAtMs,
  }));
  const documents = rowsAs((row: object): SpeechDocument => {
    const { settings, ...document } = parts.read(row);
    return { ...settings, ...document };
  });
  const takes = rowsAs(take.read);

  return {
    documents: () => lines.all(query.lines),
    document: (id: string) => documents.one(query.document, id),
    saveDocument: ({ id, title, text, blocks, ...settings }: SpeechDocument, atMs: number): Result<null> =>
      write(() => {
        sql(query.saveDocument).run(parts.write({ id, title, text, blocks, settings }));
        sql(saveItem).run({ kind: 'speech', id, title, sourceName: '', atMs });
        return null;
      }),
    allDocuments: () => documents.all(query.allDocuments),
    /** Adds a take, or repeats the request of one whose key is known. Other attempts at it are dropped. */
    askTake: (asked: StoredTake): Result<StoredTake> =>
      write(() => {
        const known = asked.idempotencyKey === null ? undefined : sql(query.takeOfKey).get(asked.idempotencyKey);
        if (known !== undefined) {
          const again: StoredTake = { ...take.read(known), state: 'asked', failure: null };
          sql(query.updateTake).run(take.write(again));
          return again;
        }
        sql(query.dropOthers).run(asked.identity);
        sql(query.insertTake).run({ ...take.write(asked), isHidden: 0 });
        return asked;
      }),
    updateTake: (changed: StoredTake) => run(query.updateTake, take.write(changed)),
    take: (id: string) => takes.one(query.take, id),
    takes: (ids: readonly string[]) => takes.all(query.takes, JSON.stringify(ids)),
    takesByIdentity(identities: readonly string[]): Result<readonly StoredTake[]> {
      const found = takes.all(query.byIdentity, JSON.stringify(identities));
      return found.ok ? ok([...new Map(found.value.map((one) => [one.identity, one])).values()]) : found;
    },
    openTakes: () => takes.all(query.openTakes),
    history(search: string, beforeMs: number | null, limit: number): Result<readonly StoredTake[]> {
      // SQLite folds only Latin letters, so the search happens here.
      const wanted = search.trim().toLocaleLowerCase();
      const found = takes.all(query.history, beforeMs ?? Number.MAX_SAFE_INTEGER);
      if (!found.ok) return found;
      return ok(found.value.filter(({ text }) => text.toLocaleLowerCase().includes(wanted)).slice(0, limit));
    },
    hide: (ids: readonly string[], isHidden: boolean) => run(query.hide, isHidden ? 1 : 0, JSON.stringify(ids)),
    note: (name: SpeechNote) => note(name),
    saveNote: (name: SpeechNote, value: string) => saveNote(name, value),
  };
}

export type SpeechStore = ReturnType<typeof speechTables>;
