import { rmSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { closeWords } from '../../shared/domain/search/close-words.ts';
import {
  excerptOf,
  findMatches,
  findsAll,
  foldedWithoutYo,
  foldedWords,
  hasPhrases,
  readSearch,
  toMatch,
  type SearchQuery,
} from '../../shared/domain/search/search-query.ts';
import { libraryKinds, refKey, type LibraryKind } from '../../shared/domain/library/library-item.ts';
import type { FoundItem, SearchAnswer, SearchRequest } from '../services/library-items/library-search.ts';
import { inTransaction, openDatabase } from './sqlite-database.ts';

/** Another number makes the index anew: it holds nothing that the library does not. */
const version = 2;
/**
 * A list of rows for the beginning of every word, so that no question has to join the lists of all words that begin so;
 * rows without places in them, so that the lists are short; and short pages, because two words are looked for by
 * leaping over the pages of the longer list. A phrase is looked for by its words and then in the text.
 */
const schema = `
  CREATE TABLE items (
    seq INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    version TEXT NOT NULL,
    title TEXT NOT NULL,
    speakers TEXT NOT NULL,
    UNIQUE (kind, id)
  ) STRICT;
  CREATE TABLE moments (id INTEGER PRIMARY KEY, start_ms INTEGER NOT NULL, text TEXT NOT NULL) STRICT;
  CREATE VIRTUAL TABLE words USING fts5 (
    folded, content = '', contentless_delete = 1, detail = none, prefix = '2 3 4 5 6 7 8 9 10 11 12 13 14 15 16',
    tokenize = 'unicode61 remove_diacritics 0'
  );
  INSERT INTO words (words, rank) VALUES ('pgsz', 300);
  CREATE VIRTUAL TABLE vocabulary USING fts5vocab (words, row);
  PRAGMA user_version = ${String(version)};
`;

/**
 * Moments of one item stand together: its number times this below zero, and their place, so that the newest items come
 * first in the order of rows, which is the fast one. Place 0 is title and speakers.
 */
const momentsPerItem = 2 ** 24;
const firstRow = (seq: number): number => -seq * momentsPerItem;
const itemOf = (rowid: number): number => -Math.floor(rowid / momentsPerItem);
const placeOf = (rowid: number): number => rowid - firstRow(itemOf(rowid));
const momentsShown = 3;
/** The newest moments that are looked at; words of every sentence have hundreds of thousands. */
const mostRead = 5_000;
/** The same where each text has to be read, because a phrase is looked for. */
const mostCompared = 1_500;

export interface IndexedItem {
  readonly kind: LibraryKind;
  readonly id: string;
  readonly version: string;
  readonly title: string;
  readonly speakers: readonly string[];
  readonly moments: readonly { readonly startMs: number; readonly text: string }[];
}

/** The full-text index of a library, in a file beside it. It belongs to one thread. */
export interface SearchIndex {
  /** What is in it, by id, of one kind. */
  readonly versions: (kind: LibraryKind) => ReadonlyMap<string, string>;
  readonly put: (items: readonly IndexedItem[]) => void;
  readonly remove: (kind: LibraryKind, ids: readonly string[]) => void;
  /** Takes things of any kind out and writes over what is left of them. */
  readonly erase: (ids: readonly string[]) => void;
  readonly search: (request: SearchRequest) => SearchAnswer;
  readonly close: () => void;
}

/** Opens the index at `path`; one that is damaged or of another version is made anew, empty. */
export function openSearchIndex(path: string): SearchIndex {
  const removeFiles = () => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  };
  const open = (): DatabaseSync => {
    const database = openDatabase(path);
    try {
      const found = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
      if (found === 0) inTransaction(database, () => database.exec(schema));
      else if (found !== version) throw new Error('an index of another version');
      // Read now, so that a damaged file is told of here.
      database.prepare("SELECT count(*) FROM words('a')").get();
    } catch (error) {
      database.close();
      throw error;
    }
    // A kill may cost the last items; they are read again.
    database.exec('PRAGMA synchronous = NORMAL');
    return database;
  };
  let database: DatabaseSync;
  try {
    database = open();
  } catch {
    removeFiles();
    database = open();
  }
  return indexOver(database);
}

function indexOver(database: DatabaseSync): SearchIndex {
  const prepared = new Map<string, StatementSync>();
  const sql = (text: string): StatementSync => {
    const known = prepared.get(text) ?? database.prepare(text);
    prepared.set(text, known);
    return known;
  };

  const takeOut = (seq: number) => {
    const range = [firstRow(seq), firstRow(seq) + momentsPerItem - 1] as const;
    sql('DELETE FROM words WHERE rowid = ?').run(range[0]);
    for (const { id } of sql('SELECT id FROM moments WHERE id BETWEEN ? AND ?').all(...range))
      sql('DELETE FROM words WHERE rowid = ?').run(id ?? null);
    sql('DELETE FROM moments WHERE id BETWEEN ? AND ?').run(...range);
  };
  const insertWords = (rowid: number, text: string) =>
    sql('INSERT INTO words (rowid, folded) VALUES (?, ?)').run(rowid, `${foldedWords(text)} ${foldedWithoutYo(text)}`);

  const put = ({ kind, id, version: itemVersion, title, speakers, moments }: IndexedItem) => {
    const known = sql('SELECT seq FROM items WHERE kind = ? AND id = ?').get(kind, id);
    if (known !== undefined) takeOut(Number(known['seq']));
    const { seq } = sql(
      `INSERT INTO items (kind, id, version, title, speakers) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (kind, id) DO UPDATE SET version = excluded.version, title = excluded.title,
         speakers = excluded.speakers RETURNING seq`,
    ).get(kind, id, itemVersion, title, speakers.join('\n')) as { readonly seq: number };
    const base = firstRow(seq);
    insertWords(base, [title, ...speakers].join('\n'));
    for (const [at, moment] of moments.entries()) {
      sql('INSERT INTO moments (id, start_ms, text) VALUES (?, ?, ?)').run(
        base + at + 1,
        Math.round(moment.startMs),
        moment.text,
      );
      insertWords(base + at + 1, moment.text);
    }
  };

  const remove = (rows: readonly Readonly<Record<string, unknown>>[]) => {
    for (const row of rows) {
      takeOut(Number(row['seq']));
      sql('DELETE FROM items WHERE seq = ?').run(Number(row['seq']));
    }
  };

  const nearest = (query: SearchQuery): SearchAnswer['nearest'] => {
    const word = query.terms.length === 1 ? query.terms[0]?.[0]?.words.at(-1) : undefined;
    if (word === undefined || word.length < 4) return null;
    const start = word.slice(0, 1);
    const found = sql('SELECT term, doc FROM vocabulary WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ?');
    const terms = found
      .all(start, `${start}\u{10FFFF}`, word.length - 2, word.length + 2)
      .map((row) => ({ text: String(row['term']), momentCount: Number(row['doc']) }));
    return closeWords(word, terms)[0] ?? null;
  };

  const search = ({ text, among, mostItems }: SearchRequest): SearchAnswer => {
    const query = readSearch(text);
    if (query.terms.length === 0) return { items: [], momentCount: 0, itemCount: 0, isPartial: false, nearest: null };
    const match = toMatch(query);
    const allowed = new Set(among);
    const found = new Map<number, number[]>();
    let readCount = 0;
    const isInText = hasPhrases(query);
    const most = isInText ? mostCompared : mostRead;
    for (const row of sql('SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid').iterate(match)) {
      readCount += 1;
      if (readCount > most) break;
      const rowid = Number(row['rowid']);
      if (isInText && !findsAll(textAt(rowid), query)) continue;
      const seq = itemOf(rowid);
      const known = found.get(seq);
      if (known === undefined) found.set(seq, [rowid]);
      else known.push(rowid);
    }
    const items: FoundItem[] = [];
    let [momentCount, itemCount] = [0, 0];
    for (const [seq, rowids] of found) {
      const row = sql('SELECT kind, id, title FROM items WHERE seq = ?').get(seq);
      const kind = libraryKinds.find((known) => known === row?.['kind']);
      if (row === undefined || kind === undefined) continue;
      const ref = { kind, id: String(row['id']) };
      if (!allowed.has(refKey(ref))) continue;
      const moments = rowids.filter((rowid) => placeOf(rowid) !== 0);
      itemCount += 1;
      momentCount += moments.length;
      if (items.length >= mostItems) continue;
      items.push({
        ...ref,
        titleRanges: findMatches(String(row['title']), query),
        moments: moments.slice(0, momentsShown).flatMap((rowid) => momentAt(rowid, query)),
        momentCount: moments.length,
      });
    }
    return {
      items,
      momentCount,
      itemCount,
      isPartial: readCount > most,
      nearest: itemCount === 0 ? nearest(query) : null,
    };
  };

  const textAt = (rowid: number): string => {
    if (placeOf(rowid) !== 0) return String(sql('SELECT text FROM moments WHERE id = ?').get(rowid)?.['text'] ?? '');
    const row = sql('SELECT title, speakers FROM items WHERE seq = ?').get(itemOf(rowid));
    return `${String(row?.['title'])}\n${String(row?.['speakers'])}`;
  };
  const momentAt = (rowid: number, query: SearchQuery) => {
    const row = sql('SELECT start_ms, text FROM moments WHERE id = ?').get(rowid);
    return row === undefined ? [] : [{ startMs: Number(row['start_ms']), ...excerptOf(String(row['text']), query) }];
  };

  return {
    versions: (kind) =>
      new Map(
        sql('SELECT id, version FROM items WHERE kind = ?')
          .all(kind)
          .map((row) => [String(row['id']), String(row['version'])]),
      ),
    put: (items) => {
      inTransaction(database, () => {
        for (const item of items) put(item);
      });
    },
    remove: (kind, ids) => {
      inTransaction(database, () => {
        for (const id of ids) remove(sql('SELECT seq FROM items WHERE kind = ? AND id = ?').all(kind, id));
      });
    },
    erase: (ids) => {
      const gone = ids.flatMap((id) => sql('SELECT seq FROM items WHERE id = ?').all(id));
      if (gone.length === 0) return;
      inTransaction(database, () => {
        remove(gone);
      });
      // The index keeps what was deleted from it until its parts are merged; then `secure_delete` writes over the pages.
      database.exec("INSERT INTO words (words) VALUES ('optimize')");
      database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
    },
    search,
    close: () => {
      database.close();
    },
  };
}
