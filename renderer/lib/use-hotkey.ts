import { useEffect, useRef } from 'react';
import { isShortcut, type Shortcut } from './hotkeys.ts';
import { Scope } from './scope.ts';

/**
 * Binds a window-wide shortcut for as long as the component is shown. While a dialog or menu is open
 * (anything that marks the page behind it as inert) shortcuts of the page rest.
 */
export function useHotkey(shortcut: Shortcut, run: (event: KeyboardEvent) => void, isEnabled = true): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (!isEnabled) return undefined;
    const scope = new Scope();
    scope.listen<KeyboardEvent>(window, 'keydown', (event) => {
      if (event.defaultPrevented || event.repeat || !isShortcut(event, shortcut) || isLayerOpen()) return;
      event.preventDefault();
      latest.current(event);
    });
    return () => {
      scope.dispose();
    };
  }, [shortcut, isEnabled]);
}

const isLayerOpen = (): boolean =>
  document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null;
