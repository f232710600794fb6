import type { DamagedPages } from '../../electron/storage/salvage/damaged-pages.ts';
import { pageBytes } from '../../electron/storage/sqlite-log.ts';
import type { StoredValue } from '../../electron/storage/salvage/damaged-records.ts';

/** On a page that continues a record: where its bytes are. */
const usable = pageBytes - 4;

/** SQLite's integer of one to eight bytes. */
function varint(value: number): Buffer {
  const bytes = [value % 128];
  for (let left = Math.floor(value / 128); left > 0; left = Math.floor(left / 128)) bytes.unshift((left % 128) + 128);
  return Buffer.from(bytes);
}

/** A record of texts, nulls and whole numbers. */
export function recordOf(values: readonly StoredValue[]): Buffer {
  const bodies = values.map((value) => {
    if (value === null) return Buffer.alloc(0);
    if (typeof value === 'string') return Buffer.from(value);
    const bytes = Buffer.alloc(6);
    bytes.writeIntBE(value, 0, 6);
    return bytes;
  });
  const types = values.map((value, at) =>
    value === null ? varint(0) : typeof value === 'number' ? varint(5) : varint(13 + 2 * (bodies[at]?.length ?? 0)),
  );
  const head = Buffer.concat(types);
  return Buffer.concat([varint(head.length + 1), head, ...bodies]);
}

/** A leaf page with one cell at its end: 13 of a table by row ids, 10 of one without. */
export function leafPage(
  kind: 10 | 13,
  payload: Buffer,
  { rowId = 7, size = payload.length, overflow = 0 } = {},
): Buffer {
  const isLong = overflow > 0;
  const local = isLong ? payload.subarray(0, localOf(size, kind)) : payload;
  const next = Buffer.alloc(isLong ? 4 : 0);
  if (isLong) next.writeUInt32BE(overflow, 0);
  const cell = Buffer.concat([varint(size), ...(kind === 13 ? [varint(rowId)] : []), local, next]);
  const page = Buffer.alloc(pageBytes);
  page[0] = kind;
  page.writeUInt16BE(1, 3);
  page.writeUInt16BE(pageBytes - cell.length, 8);
  cell.copy(page, pageBytes - cell.length);
  return page;
}

/** The rest of a record that starts on a page, each part on a page that names the next. */
export function overflowPages(payload: Buffer, local: number, first: number, lastNext = 0): readonly Buffer[] {
  const parts: Buffer[] = [];
  for (let at = local; at < payload.length; at += usable) {
    const page = Buffer.alloc(pageBytes);
    const isLast = at + usable >= payload.length;
    page.writeUInt32BE(isLast ? lastNext : first + parts.length + 1, 0);
    payload.copy(page, 4, at, Math.min(payload.length, at + usable));
    parts.push(page);
  }
  return parts;
}

/** Pages by their numbers from 2, because the first one is damaged in every case; no case reads for ever. */
export function pagesOf(...pages: readonly Buffer[]): DamagedPages {
  let readCount = 0;
  return {
    count: pages.length + 1,
    read(number) {
      readCount += 1;
      if (readCount > 10_000) throw new Error('pages are read over and over');
      return number === 1 ? Buffer.alloc(pageBytes) : (pages[number - 2] ?? null);
    },
    close: () => undefined,
  };
}

/** The longest record that fits on its page. */
const mostOf = (kind: 10 | 13): number =>
  kind === 13 ? pageBytes - 35 : Math.floor(((pageBytes - 12) * 64) / 255) - 23;

/** How much of a long record is on its own page. */
export function localOf(size: number, kind: 10 | 13 = 13): number {
  const least = Math.floor(((pageBytes - 12) * 32) / 255) - 23;
  const wanted = least + ((size - least) % usable);
  return wanted <= mostOf(kind) ? wanted : least;
}

/** A file whose first page is damaged and whose others contain these records, each on a page of its own. */
export function craftedFile(
  rows: readonly (readonly [kind: 10 | 13, values: readonly StoredValue[], rowId?: number])[],
): Buffer {
  const pages: Buffer[] = [Buffer.alloc(pageBytes)];
  for (const [kind, values, rowId = 7] of rows) {
    const payload = recordOf(values);
    const isLong = payload.length > mostOf(kind);
    const overflow = isLong ? pages.length + 2 : 0;
    pages.push(leafPage(kind, payload, { rowId, overflow }));
    if (isLong) pages.push(...overflowPages(payload, localOf(payload.length, kind), overflow));
  }
  return Buffer.concat(pages);
}
