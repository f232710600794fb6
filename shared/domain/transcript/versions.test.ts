import { describe, expect, it } from 'vitest';
import { listVersions } from './versions.ts';

describe('the list of versions', () => {
  it('does not count what was undone', () => {
    const labels = ['type', 'type', 'undo', 'redo', 'undo', 'undo'];
    const listed = listVersions(labels.map((label, at) => ({ number: at + 1, atMs: at, label, name: null })));
    expect(listed.map(({ kind, editCount }) => [kind, editCount])).toEqual([
      ['now', 0],
      ['service', 0],
    ]);
  });

  const minute = 60_000;
  const note = (number: number, atMs: number, label = 'type', name: string | null = null) => ({
    number,
    atMs,
    label,
    name,
  });

  it.each([
    [2, ['undo', 'undo']],
    [0, ['undo', 'undo', 'redo', 'redo']],
    [1, ['undo', 'redo', 'redo']],
    [2, ['undo', 'type']],
    [2, ['undo', 'type', 'undo', 'redo']],
    [2, ['undo', 'type', 'undo', 'undo']],
  ])('undoing past a named version counts as edits: %i after %s', (count, labels) => {
    const listed = listVersions([
      note(1, 0),
      note(2, 1, 'type', 'Checked'),
      ...labels.map((label, at) => note(at + 3, at + 2, label)),
    ]);
    expect(listed.map(({ kind, editCount }) => [kind, editCount])).toEqual([
      ['now', count],
      ['named', 2],
      ['service', 0],
    ]);
  });

  it('an unedited transcript is what the service returned', () => {
    expect(listVersions([]).map(({ kind, revision }) => [kind, revision])).toEqual([
      ['now', 0],
      ['service', 0],
    ]);
  });

  it('names, ends of sessions and the state before a large edit are versions; typing in between is counted', () => {
    const listed = listVersions([
      note(1, 0),
      note(2, minute),
      note(3, 90 * minute, 'type', 'Checked'),
      note(4, 91 * minute),
      note(5, 92 * minute, 'replace-all'),
      note(6, 93 * minute, 'replace-all'),
      note(7, 94 * minute),
    ]);
    expect(listed.map(({ kind, revision, label, editCount }) => [kind, revision, label, editCount])).toEqual([
      ['now', 7, null, 3],
      ['before', 4, 'replace-all', 1],
      ['named', 3, null, 1],
      ['session', 2, null, 2],
      ['service', 0, null, 0],
    ]);
  });
});
