import { rmSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { closeWords } from '../../shared/domain/search/close-words.ts';
import {
  excerptOf,
  findMatches,
  foldedWithoutYo,
  foldedWords,
  readSearch,
  toMatch,
  type SearchQuery,
} from '../../shared/domain/search/search-query.ts';
import { libraryKinds, refKey, type LibraryKind } from '../../shared/domain/library/library-item.ts';
import type { FoundItem, SearchAnswer, SearchRequest } from '../services/library-items/library-search.ts';
import { inTransaction, openDatabase } from './sqlite-database.ts';

/** Another number makes the index anew: it holds nothing that the library does not. */
const version = 1;
const schema = `
  CREATE TABLE items (
    seq INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    version TEXT NOT NULL,
    title TEXT NOT NULL,
    UNIQUE (kind, id)
  ) STRICT;
  CREATE TABLE moments (id INTEGER PRIMARY KEY, start_ms INTEGER NOT NULL, text TEXT NOT NULL) STRICT;
  CREATE VIRTUAL TABLE words USING fts5 (
    folded, without_yo, content = '', contentless_delete = 1, prefix = '2 3 4',
    tokenize = 'unicode61 remove_diacritics 0'
  );
  CREATE VIRTUAL TABLE vocabulary USING fts5vocab (words, row);
  PRAGMA user_version = ${String(version)};
`;

/** Moments of one item stand together: its number times this, and their place. Place 0 is title and speakers. */
const momentsPerItem = 2 ** 24;
const momentsShown = 3;
/** More items than this are not counted. */
const mostCounted = 2_000;

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
    const range = [seq * momentsPerItem, (seq + 1) * momentsPerItem - 1] as const;
    sql('DELETE FROM words WHERE rowid = ?').run(range[0]);
    for (const { id } of sql('SELECT id FROM moments WHERE id BETWEEN ? AND ?').all(...range))
      sql('DELETE FROM words WHERE rowid = ?').run(id ?? null);
    sql('DELETE FROM moments WHERE id BETWEEN ? AND ?').run(...range);
  };
  const insertWords = (rowid: number, text: string) =>
    sql('INSERT INTO words (rowid, folded, without_yo) VALUES (?, ?, ?)').run(
      rowid,
      foldedWords(text),
      foldedWithoutYo(text),
    );

  const put = ({ kind, id, version: itemVersion, title, speakers, moments }: IndexedItem) => {
    const known = sql('SELECT seq FROM items WHERE kind = ? AND id = ?').get(kind, id);
    if (known !== undefined) takeOut(Number(known['seq']));
    const { seq } = sql(
      `INSERT INTO items (kind, id, version, title) VALUES (?, ?, ?, ?)
       ON CONFLICT (kind, id) DO UPDATE SET version = excluded.version, title = excluded.title RETURNING seq`,
    ).get(kind, id, itemVersion, title) as { readonly seq: number };
    const base = seq * momentsPerItem;
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
    if (query.terms.length === 0) return { items: [], momentCount: 0, itemCount: 0, nearest: null };
    const match = toMatch(query);
    const allowed = new Set(among);
    const items: FoundItem[] = [];
    let [momentCount, itemCount, counted] = [0, 0, 0];
    // Each step jumps over what is left of the item that was found, so that one with thousands of hits costs no more.
    for (let below = Number.MAX_SAFE_INTEGER; counted < mostCounted;) {
      const first = sql('SELECT rowid FROM words WHERE words MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT 1').get(
        match,
        below,
      );
      if (first === undefined) break;
      counted += 1;
      const seq = Math.floor(Number(first['rowid']) / momentsPerItem);
      below = seq * momentsPerItem;
      const row = sql('SELECT kind, id, title FROM items WHERE seq = ?').get(seq);
      const kind = libraryKinds.find((known) => known === row?.['kind']);
      if (row === undefined || kind === undefined) continue;
      const ref = { kind, id: String(row['id']) };
      if (!allowed.has(refKey(ref))) continue;
      const found = momentsOf(seq, match);
      itemCount += 1;
      momentCount += found;
      if (items.length >= mostItems) continue;
      items.push({ ...ref, ...describe(seq, String(row['title']), query, match), momentCount: found });
    }
    return { items, momentCount, itemCount, nearest: itemCount === 0 ? nearest(query) : null };
  };

  /** How many moments of an item fit. */
  const momentsOf = (seq: number, match: string): number =>
    Number(
      sql('SELECT count(*) AS count FROM words WHERE words MATCH ? AND rowid > ? AND rowid < ?').get(
        match,
        seq * momentsPerItem,
        (seq + 1) * momentsPerItem,
      )?.['count'],
    );

  const describe = (seq: number, title: string, query: SearchQuery, match: string) => ({
    titleRanges: findMatches(title, query),
    moments: sql(
      `SELECT m.start_ms, m.text FROM words w CROSS JOIN moments m ON m.id = w.rowid
       WHERE words MATCH ? AND w.rowid > ? AND w.rowid < ? ORDER BY w.rowid LIMIT ${String(momentsShown)}`,
    )
      .all(match, seq * momentsPerItem, (seq + 1) * momentsPerItem)
      .map((moment) => ({ startMs: Number(moment['start_ms']), ...excerptOf(String(moment['text']), query) })),
  });
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
