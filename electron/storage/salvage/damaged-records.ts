import { isUtf8 } from 'node:buffer';
import { pageBytes } from '../sqlite-log.ts';
import type { DamagedPages } from './damaged-pages.ts';

export type StoredValue = string | number | null;

/** The location of a record: a page and the offset of a cell on it. */
export interface RecordPlace {
  readonly page: number;
  readonly offset: number;
}

/** One record of a table or an index, decoded by SQLite's file format. */
export interface DamagedRecord {
  readonly place: RecordPlace;
  /** Null for an index and for a table without row ids. */
  readonly rowId: number | null;
  readonly values: readonly StoredValue[];
}

const kinds = {
  2: { headerBytes: 12, hasChild: true, hasRowId: false },
  10: { headerBytes: 8, hasChild: false, hasRowId: false },
  13: { headerBytes: 8, hasChild: false, hasRowId: true },
} as const;

type Kind = (typeof kinds)[keyof typeof kinds];

/**
 * Every record that can be read in full, page by page and without following the tree, whose inner pages may be the
 * damaged ones. Whatever deviates from the format by a byte (a value beyond its end, a chain of pages that is too short
 * or too long, text that is not UTF-8) is skipped.
 */
export function* readRecords(pages: DamagedPages): Generator<DamagedRecord> {
  for (let page = 1; page <= pages.count; page += 1) {
    const bytes = pages.read(page);
    const kind = bytes === null ? null : kindOf(bytes, page);
    if (bytes === null || kind === null) continue;
    const base = page === 1 ? 100 : 0;
    const cellCount = bytes.readUInt16BE(base + 3);
    const firstCell = base + kind.headerBytes + 2 * cellCount;
    if (firstCell > pageBytes) continue;
    for (let cell = 0; cell < cellCount; cell += 1) {
      const offset = bytes.readUInt16BE(base + kind.headerBytes + 2 * cell);
      if (offset < firstCell || offset >= pageBytes) continue;
      const record = decodeCell(pages, bytes, kind, { page, offset });
      if (record !== null) yield record;
    }
  }
}

/** The record at a location found before; null when it can't be read after all. */
export function readRecord(pages: DamagedPages, place: RecordPlace): DamagedRecord | null {
  const bytes = pages.read(place.page);
  const kind = bytes === null ? null : kindOf(bytes, place.page);
  return bytes === null || kind === null ? null : decodeCell(pages, bytes, kind, place);
}

const kindOf = (bytes: Buffer, page: number): Kind | null => {
  const type = bytes[page === 1 ? 100 : 0];
  return type === 2 || type === 10 || type === 13 ? kinds[type] : null;
};

function decodeCell(pages: DamagedPages, bytes: Buffer, kind: Kind, place: RecordPlace): DamagedRecord | null {
  const size = readVarint(bytes, place.offset + (kind.hasChild ? 4 : 0));
  if (size === null) return null;
  const rowId = kind.hasRowId ? readVarint(bytes, size.end) : null;
  if (kind.hasRowId && rowId === null) return null;
  const payload = readPayload(pages, bytes, rowId?.end ?? size.end, size.value, kind.hasRowId);
  const values = payload === null ? null : decodeRecord(payload);
  return values === null ? null : { place, rowId: rowId?.value ?? null, values };
}

/** The bytes of a record; the part that does not fit on its page is on a chain of others. */
function readPayload(pages: DamagedPages, bytes: Buffer, from: number, size: number, hasRowId: boolean): Buffer | null {
  const most = hasRowId ? pageBytes - 35 : Math.floor(((pageBytes - 12) * 64) / 255) - 23;
  if (size <= most) return from + size > pageBytes ? null : bytes.subarray(from, from + size);
  if (size > pages.count * pageBytes) return null;
  const least = Math.floor(((pageBytes - 12) * 32) / 255) - 23;
  const wanted = least + ((size - least) % (pageBytes - 4));
  const local = wanted <= most ? wanted : least;
  if (from + local + 4 > pageBytes) return null;
  const parts = [bytes.subarray(from, from + local)];
  let next = bytes.readUInt32BE(from + local);
  for (let left = size - local; left > 0; left -= pageBytes - 4) {
    const page = next === 0 ? null : pages.read(next);
    if (page === null) return null;
    parts.push(page.subarray(4, 4 + Math.min(left, pageBytes - 4)));
    next = page.readUInt32BE(0);
  }
  return next === 0 ? Buffer.concat(parts, size) : null;
}

const integerBytes = [0, 1, 2, 3, 4, 6, 8] as const;

function decodeRecord(payload: Buffer): readonly StoredValue[] | null {
  const head = readVarint(payload, 0);
  if (head === null || head.value > payload.length) return null;
  const values: StoredValue[] = [];
  let at = head.end;
  let body = head.value;
  while (at < head.value) {
    const type = readVarint(payload, at);
    if (type === null) return null;
    const found = decodeValue(payload, body, type.value);
    if (found === null) return null;
    values.push(found.value);
    at = type.end;
    body = found.end;
  }
  return at === head.value && body === payload.length ? values : null;
}

interface Decoded<T> {
  readonly value: T;
  /** Where the next one begins. */
  readonly end: number;
}

/** One value by its type number. Our tables have no blobs and no integers beyond the exact range. */
function decodeValue(payload: Buffer, from: number, type: number): Decoded<StoredValue> | null {
  if (type === 0) return { value: null, end: from };
  if (type === 8 || type === 9) return { value: type - 8, end: from };
  if (type >= 13 && type % 2 === 1) {
    const end = from + (type - 13) / 2;
    const text = payload.subarray(from, end);
    return end > payload.length || !isUtf8(text) ? null : { value: text.toString('utf8'), end };
  }
  const length = type === 7 ? 8 : integerBytes[type];
  if (length === undefined || from + length > payload.length) return null;
  const end = from + length;
  if (type === 7) return { value: payload.readDoubleBE(from), end };
  const value = length === 8 ? Number(payload.readBigInt64BE(from)) : payload.readIntBE(from, length);
  return Number.isSafeInteger(value) ? { value, end } : null;
}

/** SQLite's integer of one to nine bytes; null when it extends beyond the end or is not exact in JavaScript. */
function readVarint(bytes: Buffer, from: number): Decoded<number> | null {
  let value = 0;
  for (let index = 0; index < 8; index += 1) {
    const byte = bytes[from + index];
    if (byte === undefined) return null;
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return Number.isSafeInteger(value) ? { value, end: from + index + 1 } : null;
  }
  return null;
}
