import { rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
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
import { refKey, type ItemRef, type LibraryKind } from '../../shared/domain/library/library-item.ts';
import type { ReadMoment, SearchAnswer, SearchRequest } from '../services/library-items/library-items.ts';
import {
  emptyLog,
  insertInto,
  inTransaction,
  openDatabase,
  preparedIn,
  rowsOf,
  schemaVersion,
  selected,
  type Sql,
} from './sqlite-database.ts';

/** `room` moments from `first` on are kept for an item; the first one is its title with its speakers. */
interface Block {
  readonly first: number;
  readonly room: number;
}

interface ItemRow extends Block, ItemRef {
  readonly title: string;
  readonly speakers: string;
}

/** Rows of the index run backwards from here, so that the latest is read first, in the order of rows, the fast one. */
const newestRow = 2 ** 28;
const rowOf = (moment: number): number => newestRow - moment;

const itemAt = (sql: Sql, moment: number): ItemRow | undefined =>
  rowsOf<ItemRow>(sql('SELECT * FROM items WHERE first <= ? ORDER BY first DESC LIMIT 1'), moment)[0];

const momentAt = (sql: Sql, moment: number): ReadMoment | undefined =>
  rowsOf<ReadMoment>(sql(`SELECT ${selected('startMs text')} FROM moments WHERE id = ?`), moment)[0];

const textAt = (sql: Sql, moment: number, { first, title, speakers }: ItemRow): string =>
  moment === first ? `${title}\n${speakers}` : (momentAt(sql, moment)?.text ?? '');

/** The last one first; null where a word is missing. Its title is no moment, but has words. */
function firstMoments(sql: Sql, item: ItemRow, { terms }: SearchQuery): number[] | null {
  const { first, room } = item;
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

const insertItem = insertInto('items', 'first room kind id version title speakers');
const insertMoment = insertInto('moments', 'id startMs text');
const readMoments = `SELECT ${selected('startMs text')} FROM moments WHERE id BETWEEN ? AND ? AND start_ms >= ?
  ORDER BY id LIMIT ?`;

/** Moments of an item are adjacent, with room for those that an edit adds: short lists. */
const roomFor = (moments: number): number => moments + 8 + Math.ceil(moments / 8);
const momentsShown = 3;
const momentsRead = 12;
/** How many of the newest moments are examined; frequent words have hundreds of thousands. */
const mostRead = 5_000;
const mostCompared = 1_500;
/** How many of the newest items are examined that have the words in different moments. */
const mostApart = 300;

export interface IndexedItem extends ItemRef {
  readonly version: string;
  readonly title: string;
  readonly speakers: readonly string[];
  readonly moments: readonly ReadMoment[];
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
  const open = (): DatabaseSync => {
    const database = openDatabase(path);
    try {
      const found = schemaVersion(database);
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
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
    database = open();
  }
  return indexOver(database);
}

function indexOver(database: DatabaseSync) {
  const sql = preparedIn(database);
  const takeOut = ({ first, room }: Block) => {
    const range = [first, first + room - 1] as const;
    sql('DELETE FROM wholes WHERE rowid = ?').run(rowOf(first));
    sql('DELETE FROM words WHERE rowid = ?').run(rowOf(first));
    for (const { id } of sql('SELECT id FROM moments WHERE id BETWEEN ? AND ?').all(...range))
      sql('DELETE FROM words WHERE rowid = ?').run(rowOf(Number(id)));
    sql('DELETE FROM moments WHERE id BETWEEN ? AND ?').run(...range);
    sql('DELETE FROM items WHERE first = ?').run(first);
  };
  const blocksOf = ({ kind, id }: ItemRef): readonly Block[] =>
    rowsOf(sql('SELECT first, room FROM items WHERE kind = ? AND id = ?'), kind, id);

  const put = ({ speakers, moments, ...item }: IndexedItem) => {
    const [known] = blocksOf(item);
    if (known !== undefined) takeOut(known);
    const [last] = rowsOf<Block>(sql('SELECT first, room FROM items ORDER BY first DESC LIMIT 1'));
    const { first, room } =
      known !== undefined && moments.length < known.room
        ? known
        : { first: last === undefined ? 1 : last.first + last.room, room: roomFor(moments.length) };
    sql(insertItem).run({ ...item, first, room, speakers: speakers.join('\n') });
    for (const [at, { startMs, text }] of moments.entries())
      sql(insertMoment).run({ id: first + 1 + at, startMs: Math.round(startMs), text });
    const texts = [[item.title, ...speakers].join('\n'), ...moments.map(({ text }) => text)];
    const folded = texts.map((text) => foldedWords(text).join(' '));
    // Backwards, because the index flushes to disk whenever a row comes before the last one.
    for (const [at, text] of folded.entries().toArray().toReversed())
      sql('INSERT INTO words (rowid, folded) VALUES (?, ?)').run(rowOf(first + at), text);
    const distinct = new Set(folded.flatMap((text) => text.split(' ')));
    sql('INSERT INTO wholes (rowid, folded) VALUES (?, ?)').run(rowOf(first), [...distinct].join(' '));
  };

  const nearest = (query: SearchQuery): SearchAnswer['nearest'] => {
    const word = query.terms.length === 1 ? query.terms[0]?.[0]?.words.at(-1) : undefined;
    if (word === undefined || word.length < 4) return null;
    const start = word.slice(0, 1);
    const terms = sql(
      `SELECT term AS text, doc AS momentCount FROM vocabulary
       WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ?`,
    );
    const near = [start, `${start}\u{10FFFF}`, word.length - 2, word.length + 2];
    return closeWords(word, rowsOf(terms, ...near))[0] ?? null;
  };

  const search = ({ text, among, mostItems, isByMoments = false }: SearchRequest): SearchAnswer => {
    const query = readSearch(text);
    if (query.terms.length === 0)
      return { items: [], momentCount: 0, itemCount: 0, keys: [], isPartial: false, nearest: null };
    const places = new Map(among.map((key, place) => [key, place]));
    const isInText = hasPhrases(query);
    const most = isInText ? mostCompared : mostRead;
    const found: FoundRows[] = [];
    const begin = (item: ItemRow | undefined): FoundRows | null => {
      const place = item === undefined ? undefined : places.get(refKey(item));
      return item === undefined || place === undefined ? null : { ...item, place, moments: [], isTitleFound: false };
    };
    let block: Block = { first: 0, room: 0 };
    let inBlock: FoundRows | null = null;
    let readCount = 0;
    for (const row of sql('SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid').iterate(toMatch(query))) {
      readCount += 1;
      if (readCount > most) break;
      const moment = rowOf(Number(row['rowid']));
      if (moment < block.first || moment >= block.first + block.room) {
        const item = itemAt(sql, moment);
        block = item ?? block;
        inBlock = begin(item);
        if (inBlock !== null) found.push(inBlock);
      }
      if (inBlock === null || (isInText && !findsAll(textAt(sql, moment, inBlock), query))) continue;
      if (moment === block.first) inBlock.isTitleFound = true;
      else inBlock.moments.push(moment);
    }
    // Then the items whose words are in different moments.
    const known = new Set(found.filter(isHit).map(({ first }) => first));
    const wholes = sql('SELECT rowid FROM wholes WHERE wholes MATCH ? ORDER BY rowid');
    let apartCount = 0;
    for (const row of query.terms.length > 1 ? wholes.iterate(toMatch(query)) : []) {
      const first = rowOf(Number(row['rowid']));
      const item = known.has(first) ? null : begin(itemAt(sql, first));
      if (item === null) continue;
      apartCount += 1;
      if (apartCount > mostApart) break;
      const moments = firstMoments(sql, item, query);
      if (moments !== null) found.push({ ...item, moments, isApart: true });
    }
    const hits = found
      .filter(isHit)
      .toSorted(
        (one, other) => (isByMoments ? other.moments.length - one.moments.length : 0) || one.place - other.place,
      );
    return {
      items: hits.slice(0, mostItems).map(({ kind, id, title, moments, isApart = false }) => ({
        kind,
        id,
        titleRanges: findMatches(title, query),
        moments: moments
          .toReversed()
          .slice(0, momentsShown)
          .flatMap((moment) => momentAt(sql, moment) ?? [])
          .map(({ startMs, text: heard }) => ({ startMs, ...excerptOf(heard, query) })),
        momentCount: moments.length,
        isApart,
      })),
      momentCount: hits.reduce((sum, { moments }) => sum + moments.length, 0),
      itemCount: hits.length,
      keys: hits.map(refKey),
      isPartial: readCount > most || apartCount > mostApart,
      nearest: hits.length === 0 ? nearest(query) : null,
    };
  };

  return {
    versions: (kind: LibraryKind): ReadonlyMap<string, string> => {
      const items = rowsOf<{ id: string; version: string }>(sql('SELECT id, version FROM items WHERE kind = ?'), kind);
      return new Map(items.map(({ id, version: itemVersion }) => [id, itemVersion]));
    },
    put: (items: readonly IndexedItem[]): void => inTransaction(database, () => items.forEach(put)),
    remove: (kind: LibraryKind, ids: readonly string[]): void =>
      inTransaction(database, () => ids.flatMap((id) => blocksOf({ kind, id })).forEach(takeOut)),
    erase: (ids: readonly string[]): void => {
      const gone = ids.flatMap((id) => rowsOf<Block>(sql('SELECT first, room FROM items WHERE id = ?'), id));
      if (gone.length === 0) return;
      inTransaction(database, () => gone.forEach(takeOut));
      // The index keeps deleted entries until its segments are merged; then `secure_delete` overwrites the pages.
      database.exec("INSERT INTO words (words) VALUES ('optimize'); INSERT INTO wholes (wholes) VALUES ('optimize')");
      emptyLog(database);
    },
    search,
    read: (item: ItemRef, fromMs: number): readonly ReadMoment[] =>
      blocksOf(item).flatMap(({ first, room }) =>
        rowsOf<ReadMoment>(sql(readMoments), first + 1, first + room - 1, Math.round(fromMs), momentsRead),
      ),
    close: (): void => database.close(),
  };
}

/** The full-text index of a library, in a file next to it. It belongs to one thread. */
export type SearchIndex = ReturnType<typeof openSearchIndex>;
