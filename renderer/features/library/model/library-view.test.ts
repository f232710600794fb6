import { describe, expect, it } from 'vitest';
import { refKey } from '../../../../shared/domain/library/library-item.ts';
import { nextSelection, toRows, withDays, type ListedItem } from './library-view.ts';

const item = (id: string, createdAtMs: number): ListedItem => ({
  kind: 'dictation',
  id,
  title: id,
  sourceName: '',
  language: 'uz',
  createdAtMs,
  durationMs: null,
  speakers: [],
  sizeBytes: null,
  credits: null,
  characters: null,
  states: [],
  isAtService: null,
  trashedAtMs: null,
  folderId: null,
  tagIds: [],
});
const noon = new Date(2026, 10, 20, 12).getTime();
const [late, early] = [item('late', noon), item('early', noon - 1)];
const keys = (...items: readonly ListedItem[]) => items.map(refKey);

describe('a day of the list', () => {
  const rows = toRows([late, early], 'newest');
  const day = rows[0]?.id ?? '';

  it('selects all of its items, and is selected with them', () => {
    expect(nextSelection(rows, new Set(), new Set([day]))).toEqual(new Set([...keys(late, early), day]));
    expect(nextSelection(rows, new Set(), new Set(keys(late, early)))).toEqual(new Set([...keys(late, early), day]));
    expect(nextSelection(rows, new Set([...keys(late, early), day]), new Set(keys(late, early)))).toEqual(new Set());
  });

  it('is deselected when an unselected item is added', () => {
    const after = toRows([item('new', noon + 1), late, early], 'newest');
    expect(withDays(after, new Set([...keys(late, early), day]))).toEqual(new Set(keys(late, early)));
  });
});
