import { useEffect } from 'react';
import { isShortcut } from '../lib/hotkeys.ts';
import { Scope } from '../lib/scope.ts';

const focusable = 'button:not([disabled]), [href], input:not([disabled]), [tabindex="0"], textarea, select';

/**
 * F6 and Shift+F6 move between the panes, which mark themselves with `data-pane` and stand in the page in focus order.
 * The pane's first control takes the focus, or the one that had it when the pane was left.
 */
export function usePaneKeys(): void {
  useEffect(() => {
    const scope = new Scope();
    const lastFocused = new WeakMap<Element, HTMLElement>();
    scope.listen<KeyboardEvent>(window, 'keydown', (event) => {
      const step = isShortcut(event, 'F6') ? 1 : isShortcut(event, 'Shift+F6') ? -1 : 0;
      if (step === 0) return;
      const panes = [...document.querySelectorAll<HTMLElement>('[data-pane]')].filter(
        (pane) => pane.querySelector(focusable) !== null && pane.closest('[inert], [aria-hidden="true"]') === null,
      );
      const active = document.activeElement;
      const here = panes.findIndex((pane) => pane.contains(active));
      const current = panes[here];
      if (current && active instanceof HTMLElement) lastFocused.set(current, active);
      const next =
        panes[here === -1 ? (step === 1 ? 0 : panes.length - 1) : (here + step + panes.length) % panes.length];
      if (next === undefined) return;
      event.preventDefault();
      const remembered = lastFocused.get(next);
      const target = remembered?.isConnected === true ? remembered : next.querySelector<HTMLElement>(focusable);
      target?.focus();
    });
    return () => {
      scope.dispose();
    };
  }, []);
}
