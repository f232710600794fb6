import { useEffect, useRef, useState } from 'react';
import { Tooltip, TooltipTriggerStateContext } from 'react-aria-components';
import { useTooltipTriggerState } from 'react-stately/useTooltipTriggerState';
import { Scope } from '../lib/scope.ts';
import { Keys } from './keys.tsx';
import { onTipChange, tipOf, tippedAround, type Tip } from './use-tip.ts';
import css from './tooltip.module.css';

const id = 'tip';

/**
 * Shows the tip of what is pointed at, after 500 ms and at once while moving between neighbours, or of what has the
 * focus by the keys. A press, Escape, or leaving it takes it away.
 */
export function TooltipLayer() {
  const owner = useRef<HTMLElement | null>(null);
  const [tip, setTip] = useState<Tip | null>(null);
  /** Another for each owner, so that each tip is placed anew. */
  const [turn, setTurn] = useState(0);
  const state = useTooltipTriggerState({ delay: 500, closeDelay: 0 });
  const latest = useRef(state);
  useEffect(() => {
    latest.current = state;
  });
  useEffect(() => {
    const scope = new Scope();
    const letGo = () => {
      owner.current?.removeAttribute('aria-describedby');
      owner.current = null;
    };
    const leave = () => {
      letGo();
      latest.current.close(true);
    };
    const turnTo = (element: HTMLElement, isAtOnce: boolean) => {
      if (owner.current !== element) letGo();
      owner.current = element;
      setTip(tipOf(element));
      setTurn((turn) => turn + 1);
      // One that is shown moves; only another is waited for.
      if (!latest.current.isOpen) latest.current.open(isAtOnce);
    };
    scope.listen<PointerEvent>(document, 'pointerover', ({ target, pointerType }) => {
      if (pointerType === 'touch' || (target instanceof Element && target.closest('[role="tooltip"]'))) return;
      const element = tippedAround(target);
      if (element === owner.current) return;
      if (element !== null) turnTo(element, false);
      else if (owner.current?.matches(':focus-visible') !== true) leave();
    });
    scope.listen(document, 'focusin', ({ target }) => {
      const element = tippedAround(target);
      if (element?.matches(':focus-visible') === true) turnTo(element, true);
      else if (!owner.current?.matches(':hover')) leave();
    });
    scope.listen(document, 'focusout', ({ target }) => {
      if (owner.current !== null && tippedAround(target) === owner.current) leave();
    });
    scope.listen(document, 'pointerdown', leave, { capture: true });
    scope.listen(document, 'click', leave, { capture: true });
    scope.listen(document.documentElement, 'pointerleave', leave);
    scope.listen<KeyboardEvent>(
      document,
      'keydown',
      ({ key }) => {
        if (key === 'Escape') leave();
      },
      { capture: true },
    );
    scope.add(
      onTipChange((element) => {
        if (element !== owner.current) return;
        // It may only be changing: what takes its place is told in the same turn.
        queueMicrotask(() => {
          const now = tipOf(element);
          if (element !== owner.current) return;
          if (now === null || !element.isConnected) leave();
          else setTip(now);
        });
      }),
    );
    return () => {
      scope.dispose();
    };
  }, []);
  const isShown = state.isOpen && tip !== null;
  useEffect(() => {
    // What only says the name once more describes nothing.
    const element = owner.current;
    if (isShown && element !== null && element.ariaLabel !== tip.text) element.setAttribute('aria-describedby', id);
  }, [isShown, tip, turn]);
  if (!isShown) return null;
  return (
    <TooltipTriggerStateContext value={state}>
      <Tooltip key={turn} triggerRef={owner} className={css['tip'] ?? ''} placement={tip.placement ?? 'top'} offset={6}>
        <span id={id}>{tip.text}</span>
        {tip.shortcut && <Keys shortcut={tip.shortcut} isOnInk />}
      </Tooltip>
    </TooltipTriggerStateContext>
  );
}
