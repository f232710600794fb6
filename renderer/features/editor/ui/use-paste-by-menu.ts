import { useEffect, useRef, type RefObject } from 'react';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useEditor } from '../editor-context.ts';
import { offsetOfWord } from '../../../../shared/domain/transcript/spoken-text.ts';
import { placeCaret } from './caret.ts';
import type { MenuTarget } from './menu-target.ts';

/**
 * Pastes where the menu of the text was opened, as the key does: main lets the browser paste, because a page may not
 * read the clipboard. The text has to have the focus again for that, which the menu keeps while it is open.
 */
export function usePasteByMenu(asked: MenuTarget | null, scroller: RefObject<HTMLElement | null>): () => void {
  const studio = useStudio();
  const { store } = useEditor();
  const chosen = useRef<MenuTarget | null>(null);
  useEffect(() => {
    const [target, element] = [chosen.current, scroller.current];
    if (asked !== null || target === null || element === null) return;
    chosen.current = null;
    const { segment, word, caret } = target;
    const host = element.querySelector<HTMLElement>(`[data-text="${CSS.escape(segment.id)}"]`);
    if (store.getState().selection !== null) element.focus({ preventScroll: true });
    else if (host === null) return;
    else if (caret === null || !host.contains(caret.commonAncestorContainer))
      placeCaret(host, offsetOfWord(segment, word));
    else {
      host.focus({ preventScroll: true });
      document
        .getSelection()
        ?.setBaseAndExtent(caret.startContainer, caret.startOffset, caret.endContainer, caret.endOffset);
    }
    void studio.request('window.paste', {});
  }, [asked, scroller, store, studio]);
  return () => {
    chosen.current = asked;
  };
}
