import { useCallback } from 'react';
import { ariaShortcut, type Shortcut } from './hotkeys.ts';

/**
 * A ref that tells screen readers which key acts for a control: `ref={useKeyAttribute('Mod+KeyO')}`. Written past the
 * primitives, because they hand on no `aria-keyshortcuts`.
 */
export function useKeyAttribute(shortcut: Shortcut | null): (element: HTMLElement | null) => void {
  return useCallback(
    (element) => {
      if (shortcut === null) element?.removeAttribute('aria-keyshortcuts');
      else element?.setAttribute('aria-keyshortcuts', ariaShortcut(shortcut));
    },
    [shortcut],
  );
}
