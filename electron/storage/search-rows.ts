import type { StatementSync } from 'node:sqlite';
import { libraryKinds, type ItemRef } from '../../shared/domain/library/library-item.ts';
import { findsAll, hasPhrases, toMatch, type SearchQuery } from '../../shared/domain/search/search-query.ts';

type Sql = (text: string) => StatementSync;

/** The moments that belong to one item: its title and speakers, then what is said, then some room. */
export interface Block {
  readonly first: number;
  readonly room: number;
}

export interface ItemRow {
  readonly block: Block;
  readonly ref: ItemRef;
  readonly title: string;
  readonly speakers: string;
}

/** Rows of the index run backwards from here, so that the latest is read first, in the order of rows, the fast one. */
const newestRow = 2 ** 28;
export const rowOf = (moment: number): number => newestRow - moment;

/** The item of a moment; null for a kind of another version. */
export function itemAt(sql: Sql, moment: number): ItemRow | null {
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

export const textAt = (sql: Sql, moment: number, { block, title, speakers }: ItemRow): string =>
  moment === block.first
    ? `${title}\n${speakers}`
    : String(sql('SELECT text FROM moments WHERE id = ?').get(moment)?.['text'] ?? '');

/**
 * The first moments of the words of a query in one item, the last one first; null where a word is missing. Its title is
 * no moment, but has words.
 */
export function firstMoments(sql: Sql, item: ItemRow, { terms }: SearchQuery): number[] | null {
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
