import { useCallback } from 'react';
import type { Caret } from '../../../../shared/domain/transcript/history.ts';
import { useEditor } from '../editor-context.ts';
import { caretNow } from './caret.ts';
import { focusTextPane, textPane } from '../../../lib/text-pane.ts';

/** The caret in the text, or where the text lost it, unless that is scrolled out of view. */
export function caretInView(leftCaret: Caret | null): Caret | null {
  const own = caretNow();
  if (own !== null) return own;
  const pane = textPane();
  const host = leftCaret === null ? null : pane?.querySelector(`[data-text="${CSS.escape(leftCaret.segmentId)}"]`);
  const [box, room] = [host?.getBoundingClientRect(), pane?.getBoundingClientRect()];
  return box !== undefined && room !== undefined && box.bottom > room.top && box.top < room.bottom ? leftCaret : null;
}

/** Gives the focus back to the text, with the caret where it was left if that is in view. */
export function useBackToText(): () => void {
  const { document: text, store } = useEditor();
  return useCallback(() => {
    const caret = caretInView(store.getState().leftCaret);
    if (caret !== null) text.setState({ caret: { ...caret } });
    else focusTextPane();
  }, [text, store]);
}
