import { expect, it } from 'vitest';
import { fieldMenu } from './field-menu.ts';

const editFlags = {
  canUndo: false,
  canRedo: false,
  canCut: true,
  canCopy: true,
  canPaste: true,
  canSelectAll: true,
};

it('a field offers all editing actions, with unavailable ones disabled', () => {
  const entries = fieldMenu({ isEditable: true, selectionText: '', editFlags });
  expect(entries.map(({ role }) => role)).toEqual(['undo', 'redo', 'cut', 'copy', 'paste', 'selectAll']);
  expect(entries.filter(({ enabled }) => !enabled).map(({ role }) => role)).toEqual(['undo', 'redo']);
});

it('selected text can be copied; elsewhere there is no menu', () => {
  expect(fieldMenu({ isEditable: false, selectionText: 'salom', editFlags })).toEqual([
    { role: 'copy', enabled: true },
  ]);
  expect(fieldMenu({ isEditable: false, selectionText: ' ', editFlags })).toEqual([]);
});
