import { useEffect, useRef } from 'react';
import { isTypingTarget, layers } from '../../../lib/hotkeys.ts';
import { Scope } from '../../../lib/scope.ts';

const layersAndTips = `${layers}, [role="tooltip"]`;
/** Everybody presses Escape once too often after a menu or a dialog (decision 0032). */
const closedJustNowMs = 500;

/** Escape, unless something else used it: a layer, a field, a selection of rows. */
export function useEscape(run: () => void): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    const scope = new Scope();
    let usedAt = -Infinity;
    const isEscape = (event: KeyboardEvent) => event.key === 'Escape' && !event.repeat;
    scope.listen<KeyboardEvent>(
      window,
      'keydown',
      (event) => {
        if (isEscape(event) && (document.querySelector(layersAndTips) !== null || isTypingTarget(event.target)))
          usedAt = event.timeStamp;
      },
      { capture: true },
    );
    scope.listen<KeyboardEvent>(window, 'keydown', (event) => {
      if (!isEscape(event)) return;
      if (event.defaultPrevented) usedAt = event.timeStamp;
      if (event.timeStamp - usedAt < closedJustNowMs) return;
      event.preventDefault();
      latest.current();
    });
    return () => {
      scope.dispose();
    };
  }, []);
}
