import { describe, expect, it } from 'vitest';
import { pageBytes } from '../../electron/storage/sqlite-log.ts';
import { readRecord, readRecords, type StoredValue } from '../../electron/storage/salvage/damaged-records.ts';
import { findRows } from '../../electron/storage/salvage/damaged-rows.ts';
import { leafPage, localOf, overflowPages, pagesOf, recordOf } from '../support/crafted-pages.ts';

const valuesOf = (...pages: readonly Buffer[]) => [...readRecords(pagesOf(...pages))].map(({ values }) => values);

const long = recordOf(['k', 'slova '.repeat(3_000)]);
describe('a record of a damaged file is read', () => {
  it('if it matches the format to the byte, on one page or on a chain of them', () => {
    expect(valuesOf(leafPage(13, recordOf([null, 'job', 5, '{}'])))).toEqual([[null, 'job', 5, '{}']]);
    const chain = overflowPages(long, localOf(long.length), 3);
    expect(chain.length).toBeGreaterThan(2);
    expect(valuesOf(leafPage(13, long, { overflow: 3 }), ...chain)).toEqual([['k', 'slova '.repeat(3_000)]]);
  });

  it('not if its chain continues behind its end, stops before it, or leads out of the file', () => {
    const local = localOf(long.length);
    const page = leafPage(13, long, { overflow: 3 });
    const tooLong = overflowPages(long, local, 3, 2);
    expect(valuesOf(page, ...tooLong)).toEqual([]);
    const whole = overflowPages(long, local, 3);
    whole[1]?.writeUInt32BE(0, 0);
    expect(valuesOf(page, ...whole)).toEqual([]);
    whole[1]?.writeUInt32BE(4_000_000, 0);
    expect(valuesOf(page, ...whole)).toEqual([]);
  });

  it('not if it claims to be longer than the file: a circular chain is not followed for ever', () => {
    const circle = Buffer.alloc(pageBytes, 32);
    circle.writeUInt32BE(3, 0);
    const page = leafPage(13, long, { size: 2 ** 40, overflow: 3 });
    expect(valuesOf(page, circle)).toEqual([]);
    expect(readRecord(pagesOf(page, circle), { page: 2, offset: page.readUInt16BE(8) })).toBeNull();
  });

  it('not if bytes are left, are missing, or are no text', () => {
    const whole = recordOf(['k', 'v']);
    expect(valuesOf(leafPage(10, Buffer.concat([whole, Buffer.from('x')])))).toEqual([]);
    expect(valuesOf(leafPage(10, whole.subarray(0, whole.length - 1)))).toEqual([]);
    expect(valuesOf(leafPage(10, Buffer.concat([whole.subarray(0, -1), Buffer.from([0xff])])))).toEqual([]);
    const headPastEnd = Buffer.from(whole);
    headPastEnd[0] = 120;
    expect(valuesOf(leafPage(10, headPastEnd))).toEqual([]);
  });

  it('not from a page that only leads to others, or that belongs to no tree', () => {
    for (const kind of [0, 5, 9, 14]) {
      const page = leafPage(13, recordOf([null, 'job', 5, '{}']));
      page[0] = kind;
      expect([kind, valuesOf(page)]).toEqual([kind, []]);
    }
  });
});

describe('a row is recognized by its columns and by the kind of its tree', () => {
  const nobody = { events: [], raws: [], automation: [], notes: new Map() };
  const rowsOf = (kind: 10 | 13, values: readonly StoredValue[]) => {
    const { events, raws, automation, notes } = findRows(pagesOf(leafPage(kind, recordOf(values))), () => undefined);
    return { events, raws, automation, notes };
  };
  const event = [null, 'job', 5, '{"type":"recovered"}'];
  const raw = [null, 'job', 5, 'read', null, '{}'];
  const entry = ['copy', 'key', 5, 'name', 'done', null];
  const note = ['note-queue', '{}'];

  it('in its own tree it is found', () => {
    expect(rowsOf(13, event).events).toHaveLength(1);
    expect(rowsOf(13, raw).raws).toHaveLength(1);
    expect(rowsOf(10, entry).automation).toHaveLength(1);
    expect(rowsOf(10, note).notes.size).toBe(1);
  });

  it.each([
    ['an event in a tree without row ids', 10, event],
    ['an event whose own number is another value', 13, ['7', ...event.slice(1)]],
    ['an answer in a tree without row ids', 10, raw],
    ['an answer whose own number is another value', 13, ['7', ...raw.slice(1)]],
    ['a line of what was done in a tree with row ids', 13, entry],
    ['a note in a tree with row ids', 13, note],
    ['a note of another name', 10, ['schema', '{}']],
    ['a note that is no JSON', 10, ['note-queue', '{"cut']],
    ['a line with zeros of the disk in it', 10, ['copy', 'k\0y', 5, 'name', 'done', null]],
  ] as const)('%s is none', (_what, kind, values) => {
    expect(rowsOf(kind, values)).toEqual(nobody);
  });

  const text = (rowId: 10 | 13) => {
    const sha = 'a'.repeat(64);
    const columns = ['t', 'job', 'Title', 'a.wav', 5, sha, null, null, 'uz', 12, 1000, '[]', '[]', 0];
    return findRows(pagesOf(leafPage(rowId, recordOf(columns))), () => undefined).texts.length;
  };
  it('a text is recognized only in a tree without row ids', () => {
    expect([text(10), text(13)]).toEqual([1, 0]);
  });
});
