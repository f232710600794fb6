import { useEffect, useRef, useState } from 'react';
import { Tooltip, TooltipTriggerStateContext } from 'react-aria-components';
import { isTypingTarget } from '../lib/hotkeys.ts';
import { Scope } from '../lib/scope.ts';
import { Keys } from './keys.tsx';
import { onTipChange, tipOf, tippedAround, type Tip } from './use-tip.ts';
import css from './tooltip.module.css';

const id = 'tip';
const waitMs = 500;
const modifiers: ReadonlySet<string> = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta']);
const isBelowDialog = (element: HTMLElement, focused: EventTarget | null): boolean => {
  const dialog = focused instanceof Element ? focused.closest('[role="dialog"], [role="alertdialog"]') : null;
  return dialog?.contains(element) === false;
};
/** Mounted only while it is shown, so the library needs no other state. */
const alwaysOpen = { isOpen: true, shouldSkipAnimation: true, open: () => undefined, close: () => undefined };

/** After 500 ms, at once between neighbours or by keyboard; a press, a key or leaving hides it. */
export function TooltipLayer() {
  const owner = useRef<HTMLElement | null>(null);
  /** Another number for each owner, so that each tip is positioned again. */
  const [shown, setShown] = useState<{ readonly tip: Tip; readonly turn: number } | null>(null);
  useEffect(() => {
    const scope = new Scope();
    let isShown = false;
    let goneAtMs = Number.NEGATIVE_INFINITY;
    let stopWaiting = () => {};
    const show = () => {
      const tip = owner.current === null ? null : tipOf(owner.current);
      if (tip === null || owner.current?.checkVisibility() !== true) return;
      isShown = true;
      setShown((before) => ({ tip, turn: (before?.turn ?? 0) + 1 }));
    };
    const letGo = () => {
      owner.current?.removeAttribute('aria-describedby');
      owner.current = null;
    };
    const leave = () => {
      letGo();
      stopWaiting();
      if (!isShown) return;
      isShown = false;
      goneAtMs = performance.now();
      setShown(null);
    };
    /** Pressed, or dismissed by a key: it has no tip until the pointer has been elsewhere. */
    let quiet: HTMLElement | null = null;
    const quieten = (element: HTMLElement | null) => {
      quiet = element;
      leave();
    };
    let isEscaping = false;
    const turnTo = (element: HTMLElement, isAtOnce: boolean) => {
      if (owner.current !== element) letGo();
      stopWaiting();
      owner.current = element;
      if (isAtOnce || isShown || performance.now() - goneAtMs < waitMs) show();
      else stopWaiting = scope.after(waitMs, show);
    };
    /** It is pointed at only once the pointer moves. */
    let arrived: HTMLElement | null = null;
    scope.listen<PointerEvent>(document, 'pointerover', ({ target, pointerType }) => {
      if (pointerType === 'touch' || (target instanceof Element && target.closest('[role="tooltip"]'))) return;
      const element = tippedAround(target);
      arrived = null;
      if (element !== null && element === owner.current) return;
      if (element === null || element !== quiet) {
        quiet = null;
        arrived = element;
      }
      if (owner.current?.matches(':focus-visible') !== true) leave();
    });
    const goOn = () => {
      if (arrived !== null) turnTo(arrived, false);
      arrived = null;
    };
    scope.listen(document, 'pointermove', goOn, { passive: true });
    scope.listen(document, 'focusin', ({ target }) => {
      const element = tippedAround(target);
      // The focus comes back to a button after its menu was closed: its name is known by then.
      if (element?.matches(':focus-visible') === true && !isEscaping) turnTo(element, true);
      else if (!owner.current?.matches(':hover') || isTypingTarget(target) || isBelowDialog(owner.current, target))
        leave();
    });
    scope.listen(document, 'focusout', ({ target }) => {
      if (owner.current !== null && tippedAround(target) === owner.current) leave();
    });
    for (const press of ['pointerdown', 'click'])
      scope.listen(document, press, ({ target }) => quieten(tippedAround(target)), { capture: true });
    scope.listen(document.documentElement, 'pointerleave', leave);
    const leaveScrolled = ({ target }: Event) => {
      if (target instanceof Node && target.contains(owner.current)) leave();
    };
    scope.listen(document, 'scroll', leaveScrolled, { capture: true, passive: true });
    const quietenByKey = ({ key }: KeyboardEvent) => {
      isEscaping = key === 'Escape';
      // What it does may move or hide the element.
      if (!modifiers.has(key)) quieten(owner.current);
    };
    scope.listen(document, 'keydown', quietenByKey, { capture: true });
    scope.add(
      onTipChange((element) => {
        if (element !== owner.current) return;
        // The element may only be changing: its replacement is registered in the same turn.
        queueMicrotask(() => {
          if (element !== owner.current) return;
          if (tipOf(element) === null || !element.isConnected) leave();
          else if (isShown) show();
        });
      }),
    );
    return () => scope.dispose();
  }, []);
  useEffect(() => {
    // A tip that only repeats the name describes nothing.
    const element = owner.current;
    if (shown !== null && element !== null && (element.ariaLabel ?? element.textContent.trim()) !== shown.tip.text)
      element.setAttribute('aria-describedby', id);
  }, [shown]);
  if (shown === null) return null;
  const { tip, turn } = shown;
  return (
    <TooltipTriggerStateContext value={alwaysOpen}>
      <Tooltip key={turn} triggerRef={owner} className={css['tip'] ?? ''} placement={tip.placement ?? 'top'} offset={6}>
        <span id={id}>{tip.text}</span>
        {tip.shortcut && <Keys shortcut={tip.shortcut} isOnInk />}
      </Tooltip>
    </TooltipTriggerStateContext>
  );
}
