import { rmSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import {
  closeWords,
  excerptOf,
  findMatches,
  findsAll,
  foldedWords,
  hasPhrases,
  readSearch,
  toMatch,
  type SearchQuery,
} from '../../shared/domain/search/search-query.ts';
import { refKey, type ItemRef, type LibraryKind, libraryKinds } from '../../shared/domain/library/library-item.ts';
import type { ReadMoment, SearchAnswer, SearchRequest } from '../services/library-items/library-items.ts';
import { inTransaction, openDatabase } from './sqlite-database.ts';

type Sql = (text: string) => StatementSync;

interface Block {
  readonly first: number;
  readonly room: number;
}

interface ItemRow {
  readonly block: Block;
  readonly ref: ItemRef;
  readonly title: string;
  readonly speakers: string;
}

/** Rows of the index run backwards from here, so that the latest is read first, in the order of rows, the fast one. */
const newestRow = 2 ** 28;
const rowOf = (moment: number): number => newestRow - moment;

function itemAt(sql: Sql, moment: number): ItemRow | null {
  const row = sql('SELECT * FROM items WHERE first <= ? ORDER BY first DESC LIMIT 1').get(moment);
  const kind = libraryKinds.find((known) => known === row?.['kind']);
  if (row === undefined || kind === undefined) return null;
  return {
    block: { first: Number(row['first']), room: Number(row['room']) },
    ref: { kind, id: String(row['id']) },
    title: String(row['title']),
    speakers: String(row['speakers']),
  };
}

const textAt = (sql: Sql, moment: number, { block, title, speakers }: ItemRow): string =>
  moment === block.first
    ? `${title}\n${speakers}`
    : String(sql('SELECT text FROM moments WHERE id = ?').get(moment)?.['text'] ?? '');

/** The last one first; null where a word is missing. Its title is no moment, but has words. */
function firstMoments(sql: Sql, item: ItemRow, { terms }: SearchQuery): number[] | null {
  const { first, room } = item.block;
  const rows = new Set<number>();
  for (const forms of terms) {
    const word = { terms: [forms] };
    const found = sql('SELECT rowid FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC')
      .iterate(toMatch(word), rowOf(first + room - 1), rowOf(first))
      .find(({ rowid }) => !hasPhrases(word) || findsAll(textAt(sql, rowOf(Number(rowid)), item), word));
    if (found === undefined) return null;
    rows.add(Number(found['rowid']));
  }
  return [...rows].toSorted((one, other) => one - other).flatMap((row) => (rowOf(row) === first ? [] : rowOf(row)));
}

/** A different number rebuilds the index: it contains nothing that the library does not. */
const version = 6;
// A list for every prefix of a word: no query joins the lists of all words with it.
// No positions and short pages keep lists short; a phrase is found by its words, then in the text.
const indexed = (prefixes: string) =>
  `fts5 (folded, content = '', contentless_delete = 1, detail = none, prefix = '${prefixes}', tokenize = 'unicode61 remove_diacritics 0')`;
const schema = `
  CREATE TABLE items (
    first INTEGER PRIMARY KEY,
    room INTEGER NOT NULL,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    version TEXT NOT NULL,
    title TEXT NOT NULL,
    speakers TEXT NOT NULL,
    UNIQUE (kind, id)
  ) STRICT;
  CREATE TABLE moments (id INTEGER PRIMARY KEY, start_ms INTEGER NOT NULL, text TEXT NOT NULL) STRICT;
  CREATE VIRTUAL TABLE words USING ${indexed('2 3 4 5 6 7 8 9 10')};
  CREATE VIRTUAL TABLE wholes USING ${indexed('2 3 4')};
  INSERT INTO words (words, rank) VALUES ('pgsz', 300);
  CREATE VIRTUAL TABLE vocabulary USING fts5vocab (words, row);
  PRAGMA user_version = ${String(version)};
`;

/** Moments of an item are adjacent, with room for those that an edit adds: short lists. */
const roomFor = (moments: number): number => moments + 8 + Math.ceil(moments / 8);
const momentsShown = 3;
const momentsRead = 12;
/** How many of the newest moments are examined; frequent words have hundreds of thousands. */
const mostRead = 5_000;
const mostCompared = 1_500;
/** How many of the newest items are examined that have the words in different moments. */
const mostApart = 300;

export interface IndexedItem {
  readonly kind: LibraryKind;
  readonly id: string;
  readonly version: string;
  readonly title: string;
  readonly speakers: readonly string[];
  readonly moments: readonly { readonly startMs: number; readonly text: string }[];
}

interface FoundRows extends ItemRow {
  readonly place: number;
  readonly moments: number[];
  isTitleFound: boolean;
  readonly isApart?: boolean;
}

const isHit = ({ moments, isTitleFound }: FoundRows): boolean => isTitleFound || moments.length > 0;

/** Opens the index at `path`; a damaged one, or one of another version, is replaced by an empty one. */
export function openSearchIndex(path: string) {
  const removeFiles = () => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  };
  const open = (): DatabaseSync => {
    const database = openDatabase(path);
    try {
      const found = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
      if (found === 0) inTransaction(database, () => database.exec(schema));
      else if (found !== version) throw new Error('an index of another version');
      // Read at once, so that a damaged file is reported here.
      database.prepare("SELECT count(*) FROM words('a')").get();
    } catch (error) {
      database.close();
      throw error;
    }
    // A kill may cost the last items; they are indexed again.
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

function indexOver(database: DatabaseSync) {
  const prepared = new Map<string, StatementSync>();
  const sql = (text: string): StatementSync => {
    const known = prepared.get(text) ?? database.prepare(text);
    prepared.set(text, known);
    return known;
  };

  const takeOut = ({ first, room }: Block) => {
    const range = [first, first + room - 1] as const;
    sql('DELETE FROM wholes WHERE rowid = ?').run(rowOf(first));
    sql('DELETE FROM words WHERE rowid = ?').run(rowOf(first));
    for (const { id } of sql('SELECT id FROM moments WHERE id BETWEEN ? AND ?').all(...range))
      sql('DELETE FROM words WHERE rowid = ?').run(rowOf(Number(id)));
    sql('DELETE FROM moments WHERE id BETWEEN ? AND ?').run(...range);
    sql('DELETE FROM items WHERE first = ?').run(first);
  };
  const insertWords = (moment: number, text: string) =>
    sql('INSERT INTO words (rowid, folded) VALUES (?, ?)').run(rowOf(moment), text);
  const blocksOf = (rows: readonly Readonly<Record<string, unknown>>[]): readonly Block[] =>
    rows.map(({ first, room }) => ({ first: Number(first), room: Number(room) }));

  const put = ({ kind, id, version: itemVersion, title, speakers, moments }: IndexedItem) => {
    const [known] = blocksOf(sql('SELECT first, room FROM items WHERE kind = ? AND id = ?').all(kind, id));
    if (known !== undefined) takeOut(known);
    const [last] = blocksOf(sql('SELECT first, room FROM items ORDER BY first DESC LIMIT 1').all());
    const block =
      known !== undefined && moments.length < known.room
        ? known
        : { first: last === undefined ? 1 : last.first + last.room, room: roomFor(moments.length) };
    sql('INSERT INTO items (first, room, kind, id, version, title, speakers) VALUES (?, ?, ?, ?, ?, ?, ?)').run(
      block.first,
      block.room,
      kind,
      id,
      itemVersion,
      title,
      speakers.join('\n'),
    );
    const rows = moments.map(({ startMs, text }, at) => ({ id: block.first + 1 + at, startMs, text }));
    for (const row of rows)
      sql('INSERT INTO moments (id, start_ms, text) VALUES (?, ?, ?)').run(row.id, Math.round(row.startMs), row.text);
    const named = foldedWords([title, ...speakers].join('\n')).join(' ');
    const said = rows.map((row) => foldedWords(row.text).join(' '));
    // Backwards, because the index flushes to disk whenever a row comes before the last one.
    for (const [at, text] of [named, ...said].entries().toArray().toReversed()) insertWords(block.first + at, text);
    const distinct = new Set([named, ...said].flatMap((text) => text.split(' ')));
    sql('INSERT INTO wholes (rowid, folded) VALUES (?, ?)').run(rowOf(block.first), [...distinct].join(' '));
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

  const search = ({ text, among, mostItems, isByMoments = false }: SearchRequest): SearchAnswer => {
    const query = readSearch(text);
    if (query.terms.length === 0)
      return { items: [], momentCount: 0, itemCount: 0, keys: [], isPartial: false, nearest: null };
    const places = new Map(among.map((key, place) => [key, place]));
    const isInText = hasPhrases(query);
    const most = isInText ? mostCompared : mostRead;
    const found: FoundRows[] = [];
    let block: Block = { first: 0, room: 0 };
    let inBlock: FoundRows | null = null;
    let readCount = 0;
    for (const row of sql('SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid').iterate(toMatch(query))) {
      readCount += 1;
      if (readCount > most) break;
      const moment = rowOf(Number(row['rowid']));
      if (moment < block.first || moment >= block.first + block.room) {
        const item = itemAt(sql, moment);
        const place = item === null ? undefined : places.get(refKey(item.ref));
        block = item?.block ?? block;
        inBlock = item === null || place === undefined ? null : { ...item, place, moments: [], isTitleFound: false };
        if (inBlock !== null) found.push(inBlock);
      }
      if (inBlock === null || (isInText && !findsAll(textAt(sql, moment, inBlock), query))) continue;
      if (moment === block.first) inBlock.isTitleFound = true;
      else inBlock.moments.push(moment);
    }
    // Then the items whose words are in different moments.
    const known = new Set(found.filter(isHit).map((one) => one.block.first));
    const wholes = sql('SELECT rowid FROM wholes WHERE wholes MATCH ? ORDER BY rowid');
    let apartCount = 0;
    for (const row of query.terms.length > 1 ? wholes.iterate(toMatch(query)) : []) {
      const first = rowOf(Number(row['rowid']));
      if (known.has(first)) continue;
      const item = itemAt(sql, first);
      const place = item === null ? undefined : places.get(refKey(item.ref));
      if (item === null || place === undefined) continue;
      apartCount += 1;
      if (apartCount > mostApart) break;
      const moments = firstMoments(sql, item, query);
      if (moments !== null) found.push({ ...item, place, moments, isTitleFound: false, isApart: true });
    }
    const hits = found
      .filter(isHit)
      .toSorted(
        (one, other) => (isByMoments ? other.moments.length - one.moments.length : 0) || one.place - other.place,
      );
    return {
      items: hits.slice(0, mostItems).map(({ ref, title, moments, isApart = false }) => ({
        ...ref,
        titleRanges: findMatches(title, query),
        moments: moments
          .toReversed()
          .slice(0, momentsShown)
          .flatMap((moment) => momentAt(moment, query)),
        momentCount: moments.length,
        isApart,
      })),
      momentCount: hits.reduce((sum, { moments }) => sum + moments.length, 0),
      itemCount: hits.length,
      keys: hits.map(({ ref }) => refKey(ref)),
      isPartial: readCount > most || apartCount > mostApart,
      nearest: hits.length === 0 ? nearest(query) : null,
    };
  };

  const momentAt = (moment: number, query: SearchQuery) => {
    const row = sql('SELECT start_ms, text FROM moments WHERE id = ?').get(moment);
    return row === undefined ? [] : [{ startMs: Number(row['start_ms']), ...excerptOf(String(row['text']), query) }];
  };

  return {
    versions: (kind: LibraryKind): ReadonlyMap<string, string> =>
      new Map(
        sql('SELECT id, version FROM items WHERE kind = ?')
          .all(kind)
          .map((row) => [String(row['id']), String(row['version'])]),
      ),
    put: (items: readonly IndexedItem[]): void => {
      inTransaction(database, () => {
        for (const item of items) put(item);
      });
    },
    remove: (kind: LibraryKind, ids: readonly string[]): void => {
      inTransaction(database, () => {
        for (const id of ids)
          blocksOf(sql('SELECT first, room FROM items WHERE kind = ? AND id = ?').all(kind, id)).forEach(takeOut);
      });
    },
    erase: (ids: readonly string[]): void => {
      const gone = ids.flatMap((id) => blocksOf(sql('SELECT first, room FROM items WHERE id = ?').all(id)));
      if (gone.length === 0) return;
      inTransaction(database, () => {
        gone.forEach(takeOut);
      });
      // The index keeps deleted entries until its segments are merged; then `secure_delete` overwrites the pages.
      database.exec("INSERT INTO words (words) VALUES ('optimize'); INSERT INTO wholes (wholes) VALUES ('optimize')");
      database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
    },
    search,
    read: ({ kind, id }: ItemRef, fromMs: number): readonly ReadMoment[] =>
      blocksOf(sql('SELECT first, room FROM items WHERE kind = ? AND id = ?').all(kind, id)).flatMap(
        ({ first, room }) =>
          sql('SELECT start_ms, text FROM moments WHERE id BETWEEN ? AND ? AND start_ms >= ? ORDER BY id LIMIT ?')
            .all(first + 1, first + room - 1, Math.round(fromMs), momentsRead)
            .map((row) => ({ startMs: Number(row['start_ms']), text: String(row['text']) })),
      ),
    close: (): void => database.close(),
  };
}

/** The full-text index of a library, in a file next to it. It belongs to one thread. */
export type SearchIndex = ReturnType<typeof openSearchIndex>;
