import { useEffect, useRef } from 'react';
import { isShortcut, isTypingTarget, openLayers } from './hotkeys.ts';
import { Scope } from './scope.ts';

/** What can be undone now, the latest last: only that one has the key. */
const offered: object[] = [];

/**
 * Ctrl+Z undoes the last step of a screen. In a field it belongs to the field, and behind a dialog or a menu it is
 * inactive. `undo` is null while there is nothing to undo: the key is then left to others.
 */
export function useUndoKey(undo: (() => void) | null): void {
  const latest = useRef(undo);
  useEffect(() => {
    latest.current = undo;
  });
  const isOffered = undo !== null;
  useEffect(() => {
    if (!isOffered) return undefined;
    const scope = new Scope();
    const own = {};
    offered.push(own);
    scope.add(() => {
      offered.splice(offered.indexOf(own), 1);
    });
    scope.listen<KeyboardEvent>(window, 'keydown', (event) => {
      const run = latest.current;
      if (
        run === null ||
        offered.at(-1) !== own ||
        event.defaultPrevented ||
        event.repeat ||
        isTypingTarget(event.target)
      )
        return;
      if (!isShortcut(event, 'Mod+KeyZ')) return;
      if (openLayers().length > 0) return;
      event.preventDefault();
      run();
    });
    return () => {
      scope.dispose();
    };
  }, [isOffered]);
}
