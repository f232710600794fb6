import { useLayoutEffect, useRef, type RefObject } from 'react';
import type { Caret } from '../../../../shared/domain/transcript/history.ts';
import { isTextField } from '../../../lib/hotkeys.ts';
import { Scope } from '../../../lib/scope.ts';
import { useDocument, useEditor } from '../editor-context.ts';
import { placeCaret, scrollToCaret } from './caret.ts';
import type { Rows } from './use-rows.ts';

/** A row is mounted, or a dialog that closes has let the focus go, much sooner: in 30 frames on a slow machine too. */
const longestTryMs = 600;
const mostTries = 30;

/** Restores the caret of the last step, scrolling to its segment if necessary; without a caret it only scrolls. */
export function usePlacedCaret(scroller: RefObject<HTMLElement | null>, rows: Rows): void {
  const { timeline } = useEditor();
  const caret = useDocument((state) => state.caret);
  const toReveal = useDocument((state) => state.toReveal);
  // What was changed before the text was shown is not looked for.
  const revealed = useRef(toReveal);
  useLayoutEffect(() => {
    if (toReveal === revealed.current) return;
    revealed.current = toReveal;
    const ids = new Set(toReveal);
    const { startIndex = 0, endIndex = -1 } = rows.range ?? {};
    if (timeline.segments.slice(startIndex, endIndex + 1).some(({ id }) => ids.has(id))) return;
    const index = timeline.segments.findIndex(({ id }) => ids.has(id));
    if (index >= 0) rows.scrollToIndex(index, { align: 'auto' });
  }, [toReveal, rows, timeline]);
  const placed = useRef<Caret | null>(null);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (caret === null || caret === placed.current || element === null) return undefined;
    const scope = new Scope();
    let tries = 0;
    const find = () => element.querySelector<HTMLElement>(`[data-text="${CSS.escape(caret.segmentId)}"]`);
    const place = (): boolean => {
      const host = find();
      if (host === null) return false;
      placeCaret(host, caret.offset);
      // Until a dialog that closes is gone, nothing behind it takes the focus.
      if (document.activeElement !== host) return false;
      placed.current = caret;
      scrollToCaret(element, host, scope);
      return true;
    };
    if (!place()) {
      const index = timeline.segments.findIndex(({ id }) => id === caret.segmentId);
      if (index < 0) {
        placed.current = caret;
        return undefined;
      }
      if (find() === null) rows.scrollToIndex(index, { align: 'center' });
      const sinceMs = performance.now();
      const focused = document.activeElement;
      const end = scope.eachFrame(() => {
        tries += 1;
        const { activeElement } = document;
        // Who goes to another field meanwhile types there.
        const isElsewhere = activeElement !== focused && isTextField(activeElement);
        const isInVain = isElsewhere || (tries > mostTries && performance.now() - sinceMs > longestTryMs);
        if (isInVain || place()) end();
        // Nothing that changes later puts it there again.
        if (isInVain) placed.current = caret;
      });
    }
    return () => {
      scope.dispose();
    };
  }, [caret, scroller, rows, timeline]);
}
