/** Where the context menu was opened, as reported by the browser. */
export interface PressedField {
  readonly isEditable: boolean;
  readonly selectionText: string;
  readonly editFlags: Readonly<
    Record<'canUndo' | 'canRedo' | 'canCut' | 'canCopy' | 'canPaste' | 'canSelectAll', boolean>
  >;
}

export interface FieldMenuEntry {
  readonly role: 'undo' | 'redo' | 'cut' | 'copy' | 'paste' | 'selectAll';
  readonly enabled: boolean;
}

/** The entries of a context menu: in a field everything that edits it, on selected text copying, elsewhere nothing. */
export function fieldMenu({ isEditable, selectionText, editFlags: can }: PressedField): readonly FieldMenuEntry[] {
  if (!isEditable) return selectionText.trim() === '' ? [] : [{ role: 'copy', enabled: true }];
  return [
    { role: 'undo', enabled: can.canUndo },
    { role: 'redo', enabled: can.canRedo },
    { role: 'cut', enabled: can.canCut },
    { role: 'copy', enabled: can.canCopy },
    { role: 'paste', enabled: can.canPaste },
    { role: 'selectAll', enabled: can.canSelectAll },
  ];
}
