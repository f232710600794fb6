import { correctionOfTyped } from '../../shared/domain/text/uzbek-letters.ts';

/** The apostrophe that was just typed becomes that of its letter; the first undo takes only that back. */
export function spellTyped(
  { inputType, data }: InputEvent,
  text: string,
  cursor: number | null,
  select: (from: number, to: number) => void,
): void {
  if (cursor === null) return;
  // Undoing selects what was replaced, and the next letter would replace it again.
  if (inputType === 'historyUndo' && document.getSelection()?.toString() === text[cursor]) {
    if (correctionOfTyped(text, cursor) !== null) select(cursor + 1, cursor + 1);
    return;
  }
  const correction = inputType === 'insertText' && data?.length === 1 ? correctionOfTyped(text, cursor - 1) : null;
  if (correction === null) return;
  select(correction.at, correction.at + 1);
  // The only way of changing text that the field's own undo supports.
  document.execCommand('insertText', false, correction.mark);
  select(cursor, cursor);
}
