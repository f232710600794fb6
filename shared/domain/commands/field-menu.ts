/** Where a right press was made, as the browser tells it. */
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

/** What a right press offers: in a field everything that changes it, on selected text to copy it, elsewhere nothing. */
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
