import { titleOf, type SpeechDocument } from '../../shared/domain/speech/speech-document.ts';
import { parseStored } from '../../shared/result/failure-kinds.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { ok, type Result } from '../../shared/result/result.ts';
import type { DocumentLine, SpeechNote, StoredTake } from '../services/speech/speech-file.ts';
import { elseSet, insertInto, rowsOf, saveItem, selected, setting, type Tables } from './sqlite-database.ts';

const made = 'state generationId requestId durationMs sizeBytes fileName bars failure';
const columns = `id identity text language voiceId speed idempotencyKey createdAtMs ${made} isHidden`;
const takes = `SELECT ${selected(columns)} FROM speech_takes`;
const documents = (columnsOfDocument: string) => `SELECT d.id, i.title, i.at_ms AS updatedAtMs, ${columnsOfDocument}
  FROM speech_documents d JOIN items i ON i.kind = 'speech' AND i.id = d.id`;
const whole = documents('d.text, d.blocks, d.settings');
const newestFirst = 'ORDER BY i.at_ms DESC, d.id';

const query = {
  lines: `${documents('substr(d.text, 1, 1000) AS text')} ${newestFirst}`,
  document: `${whole} WHERE d.id = ?`,
  allDocuments: `${whole} ${newestFirst}`,
  saveDocument: `${insertInto('speech_documents', 'id text blocks settings')} ${elseSet('id', 'text blocks settings')}`,
  takeOfKey: `${takes} WHERE idempotency_key = ?`,
  dropOthers: "DELETE FROM speech_takes WHERE identity = ? AND state <> 'made'",
  insertTake: insertInto('speech_takes', columns),
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

type TakeRow = Omit<StoredTake, 'failure' | 'isHidden'> & { readonly failure: string | null; readonly isHidden: 0 | 1 };
type DocumentRow = Readonly<Record<'id' | 'title' | 'text' | 'blocks' | 'settings', string>> & {
  readonly updatedAtMs: number;
};

const readTake = (row: TakeRow): StoredTake => ({
  ...row,
  failure: row.failure === null ? null : (parseStored(row.failure) as Failure),
  isHidden: row.isHidden === 1,
});
const storedTake = (take: StoredTake) => ({
  ...take,
  failure: take.failure && JSON.stringify(take.failure),
  isHidden: take.isHidden ? 1 : 0,
});
const readDocument = ({
  blocks,
  settings,
  ...row
}: DocumentRow): SpeechDocument & { readonly updatedAtMs: number } => ({
  ...(JSON.parse(settings) as Omit<SpeechDocument, 'id' | 'title' | 'text' | 'blocks'>),
  ...row,
  blocks: JSON.parse(blocks) as SpeechDocument['blocks'],
});

export function speechTables({ sql, read, write, run, each, note, saveNote }: Tables) {
  const takesBy = (text: string, ...values: readonly (string | number)[]): Result<readonly StoredTake[]> =>
    read(() => rowsOf<TakeRow>(sql(text), ...values).map(readTake));
  const documentsBy = (text: string, ...ids: readonly string[]) =>
    read(() => rowsOf<DocumentRow>(sql(text), ...ids).map(readDocument));
  const first = <T>(found: Result<readonly T[]>): Result<T | null> => (found.ok ? ok(found.value[0] ?? null) : found);

  return {
    documents: (): Result<readonly DocumentLine[]> =>
      read(() =>
        rowsOf<DocumentRow>(sql(query.lines)).map(({ id, updatedAtMs, ...row }) => ({
          id,
          title: titleOf(row),
          updatedAtMs,
        })),
      ),
    document(id: string): Result<SpeechDocument | null> {
      const found = first(documentsBy(query.document, id));
      if (!found.ok || found.value === null) return found;
      const { updatedAtMs: _known, ...document } = found.value;
      return ok(document);
    },
    saveDocument: ({ id, title, text, blocks, ...settings }: SpeechDocument, atMs: number): Result<null> =>
      write(() => {
        sql(query.saveDocument).run({ id, text, blocks: JSON.stringify(blocks), settings: JSON.stringify(settings) });
        sql(saveItem).run({ kind: 'speech', id, title, sourceName: '', atMs });
        return null;
      }),
    allDocuments: () => documentsBy(query.allDocuments),
    /** Adds a take, or repeats the request of one whose key is known. Other attempts at it are dropped. */
    askTake: (take: StoredTake): Result<StoredTake> =>
      write(() => {
        const [known] = take.idempotencyKey === null ? [] : rowsOf<TakeRow>(sql(query.takeOfKey), take.idempotencyKey);
        if (known !== undefined) {
          const again: StoredTake = { ...readTake(known), state: 'asked', failure: null };
          sql(query.updateTake).run(storedTake(again));
          return again;
        }
        sql(query.dropOthers).run(take.identity);
        sql(query.insertTake).run(storedTake(take));
        return take;
      }),
    updateTake: (take: StoredTake): Result<null> =>
      each([take], (changed) => sql(query.updateTake).run(storedTake(changed))),
    take: (id: string): Result<StoredTake | null> => first(takesBy(query.take, id)),
    takes: (ids: readonly string[]) => takesBy(query.takes, JSON.stringify(ids)),
    takesByIdentity(identities: readonly string[]): Result<readonly StoredTake[]> {
      const found = takesBy(query.byIdentity, JSON.stringify(identities));
      return found.ok ? ok([...new Map(found.value.map((take) => [take.identity, take])).values()]) : found;
    },
    openTakes: () => takesBy(query.openTakes),
    history(search: string, beforeMs: number | null, limit: number): Result<readonly StoredTake[]> {
      // SQLite folds only Latin letters, so the search happens here.
      const wanted = search.trim().toLocaleLowerCase();
      const found = takesBy(query.history, beforeMs ?? Number.MAX_SAFE_INTEGER);
      if (!found.ok) return found;
      return ok(found.value.filter(({ text }) => text.toLocaleLowerCase().includes(wanted)).slice(0, limit));
    },
    hide: (ids: readonly string[], isHidden: boolean) => run(query.hide, isHidden ? 1 : 0, JSON.stringify(ids)),
    note: (name: SpeechNote) => note(name),
    saveNote: (name: SpeechNote, value: string) => saveNote(name, value),
  };
}

export type SpeechStore = ReturnType<typeof speechTables>;
