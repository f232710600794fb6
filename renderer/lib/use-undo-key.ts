import { useEffect, useRef } from 'react';
import { isShortcut, isTypingTarget } from './hotkeys.ts';
import { Scope } from './scope.ts';

/**
 * Ctrl+Z undoes the last step of a screen. In a field it belongs to the field, and behind a dialog or a menu it is
 * inactive. `undo` is null while there is nothing to undo: the key is then left to others.
 */
export function useUndoKey(undo: (() => void) | null): void {
  const latest = useRef(undo);
  useEffect(() => {
    latest.current = undo;
  });
  useEffect(() => {
    const scope = new Scope();
    scope.listen<KeyboardEvent>(window, 'keydown', (event) => {
      const run = latest.current;
      if (run === null || event.defaultPrevented || event.repeat || isTypingTarget(event.target)) return;
      if (!isShortcut(event, 'Mod+KeyZ')) return;
      if (document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null) return;
      event.preventDefault();
      run();
    });
    return () => {
      scope.dispose();
    };
  }, []);
}
