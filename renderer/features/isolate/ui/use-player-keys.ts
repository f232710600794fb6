import { useEffect, useRef } from 'react';
import type { CommandId } from '../../../../shared/domain/commands/command-list.ts';
import { useKeymap, useRunCommand } from '../../../lib/commands.tsx';
import { isShortcut, isTypingTarget, openLayers } from '../../../lib/hotkeys.ts';
import { Scope } from '../../../lib/scope.ts';

const listeningCommands = [
  'isolate.original',
  'isolate.isolated',
  'isolate.removed',
  'isolate.blend',
  'isolate.variant',
  'isolate.switch',
] as const;

/** Space presses, chooses or opens these; a chosen radio button has no use for it. */
const pressedBySpace =
  'button, a, summary, [role="button"], [role="option"], input:not([type="range"], [type="radio"]:checked)';
/** A switch may decide what is paid for, so Space is its own even after a click. */
const isSwitch = ({ target, code }: KeyboardEvent): boolean =>
  code === 'Space' && target instanceof Element && target.matches('input[type="checkbox"]');

/**
 * Plain letters, digits and Space belong to an opened recording, wherever the focus was left by a click. Where the focus
 * was moved by keyboard, a row or a button keeps the keys that it uses itself.
 */
export function usePlayerKeys(): void {
  const keymap = useKeymap();
  const run = useRunCommand();
  const wasFocusMovedByKeys = useRef<boolean | null>(null);
  useEffect(() => {
    const scope = new Scope();
    wasFocusMovedByKeys.current ??= document.activeElement?.matches(':focus-visible') ?? false;
    let isByKeys = wasFocusMovedByKeys.current;
    scope.listen(
      window,
      'pointerdown',
      () => {
        isByKeys = false;
        wasFocusMovedByKeys.current = false;
      },
      { capture: true },
    );
    scope.listen(window, 'focusin', () => {
      wasFocusMovedByKeys.current = isByKeys;
    });
    scope.listen<KeyboardEvent>(
      window,
      'keydown',
      (event) => {
        isByKeys = true;
        if (event.defaultPrevented || isTypingTarget(event.target) || isSwitch(event) || openLayers().length > 0)
          return;
        const isPressed = (id: CommandId) => keymap.keysOf(id).some((key) => isShortcut(event, key));
        const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
        const id =
          isShortcut(event, 'Space') || isPressed('isolate.toggle')
            ? 'isolate.toggle'
            : listeningCommands.find(isPressed);
        if (id === undefined || (isPlain && wasFocusMovedByKeys.current === true && isOwnKey(event))) return;
        if (!event.repeat && !run(id)) return;
        event.preventDefault();
        event.stopPropagation();
      },
      { capture: true },
    );
    return () => {
      scope.dispose();
    };
  }, [keymap, run]);
}

/** Whether what has the focus uses the key: a list finds rows by typed letters and selects them with Space. */
function isOwnKey({ target, code }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest('[role="grid"]') !== null) return true;
  return code === 'Space' && target.closest(pressedBySpace) !== null;
}
