import { useCallback } from 'react';
import type { Shortcut } from '../lib/hotkeys.ts';

export interface Tip {
  readonly text: string;
  readonly shortcut?: Shortcut | null;
  readonly placement?: 'top' | 'bottom' | 'left' | 'right' | 'end' | 'start';
}

const tips = new WeakMap<Element, Tip>();
const listeners = new Set<(element: Element) => void>();

function tell(element: Element, tip: Tip | null): void {
  if (tip === null) tips.delete(element);
  else tips.set(element, tip);
  for (const listen of listeners) listen(element);
}

/**
 * A ref that gives an element its tip for as long as it is in the page. One layer shows the tips of all
 * (`TooltipLayer`), so that a row of buttons costs no tooltip each. `also` is told of the element too.
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
      tell(
        element,
        text === undefined ? null : { text, ...(shortcut && { shortcut }), ...(placement && { placement }) },
      );
      return () => {
        tell(element, null);
      };
    },
    [also, text, shortcut, placement],
  );
}

export const tipOf = (element: Element): Tip | null => tips.get(element) ?? null;

/** Whose tip is shown for something: its own or that of what it is in. */
export function tippedAround(target: EventTarget | null): HTMLElement | null {
  for (let element = target instanceof Element ? target : null; element !== null; element = element.parentElement)
    if (tips.has(element) && element instanceof HTMLElement) return element;
  return null;
}

/** Hears of elements whose tip comes, changes or goes. */
export function onTipChange(listen: (element: Element) => void): () => void {
  listeners.add(listen);
  return () => listeners.delete(listen);
}
