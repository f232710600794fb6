import { useEffect, useEffectEvent } from 'react';
import { isShortcut, isTypingTarget, openLayers } from './hotkeys.ts';
import { Scope } from './scope.ts';

/** What can be undone now, the latest last: only that one has the key. */
const offered: object[] = [];

/** Null leaves the keys to others. Fields keep theirs, and dialogs and menus block them. */
export function useUndoKey(undo: (() => void) | null, redo: (() => void) | null = null): void {
  const runFor = useEffectEvent((event: KeyboardEvent) => {
    if (isShortcut(event, 'Mod+KeyY') || isShortcut(event, 'Mod+Shift+KeyZ')) return redo;
    return isShortcut(event, 'Mod+KeyZ') ? undo : null;
  });
  const isOffered = undo !== null;
  useEffect(() => {
    if (!isOffered) return undefined;
    const scope = new Scope();
    const own = {};
    offered.push(own);
    scope.add(() => offered.splice(offered.indexOf(own), 1));
    scope.listen<KeyboardEvent>(window, 'keydown', (event) => {
      const run = runFor(event);
      if (run === null || offered.at(-1) !== own || event.defaultPrevented || event.repeat) return;
      if (isTypingTarget(event.target) || openLayers().length > 0) return;
      event.preventDefault();
      run();
    });
    return () => scope.dispose();
  }, [isOffered]);
}
