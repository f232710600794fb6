import { useCallback } from 'react';
import type { Shortcut } from '../lib/hotkeys.ts';

export interface Tip {
  readonly text: string;
  readonly shortcut?: Shortcut | null;
  readonly placement?: 'top' | 'bottom' | 'left' | 'right' | 'end' | 'start';
}

const tips = new WeakMap<Element, Tip>();
const listeners = new Set<(element: Element) => void>();

function setTip(element: Element, tip: Tip | null): void {
  if (tip === null) tips.delete(element);
  else tips.set(element, tip);
  for (const listen of listeners) listen(element);
}

/**
 * A ref that gives an element a tip while it is mounted. One layer shows the tips of all elements (`TooltipLayer`), so
 * that a row of buttons needs no tooltip each. `also` gets the element too.
 */
export function useTip(
  tip: Tip | null,
  also?: (element: HTMLElement) => void,
): (element: HTMLElement | null) => () => void {
  const { text, shortcut, placement } = tip ?? {};
  return useCallback(
    (element) => {
      if (element === null) return () => undefined;
      also?.(element);
      setTip(
        element,
        text === undefined ? null : { text, ...(shortcut && { shortcut }), ...(placement && { placement }) },
      );
      return () => {
        setTip(element, null);
      };
    },
    [also, text, shortcut, placement],
  );
}

export const tipOf = (element: Element): Tip | null => tips.get(element) ?? null;

/** The element whose tip applies: itself or an ancestor. */
export function tippedAround(target: EventTarget | null): HTMLElement | null {
  for (let element = target instanceof Element ? target : null; element !== null; element = element.parentElement)
    if (tips.has(element) && element instanceof HTMLElement) return element;
  return null;
}

/** Calls back with elements whose tip appears, changes or disappears. */
export function onTipChange(listen: (element: Element) => void): () => void {
  listeners.add(listen);
  return () => listeners.delete(listen);
}
