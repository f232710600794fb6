import { useCallback } from 'react';
import { listenIn } from '../lib/listen-in.ts';
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

/** One layer shows the tips of all, so that a row of buttons needs no tooltip each. */
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
      return () => setTip(element, null);
    },
    [also, text, shortcut, placement],
  );
}

export const tipOf = (element: Element): Tip | null => tips.get(element) ?? null;

export function tippedAround(target: EventTarget | null): HTMLElement | null {
  for (let element = target instanceof Element ? target : null; element !== null; element = element.parentElement)
    if (tips.has(element) && element instanceof HTMLElement) return element;
  return null;
}

export const onTipChange = listenIn(listeners);
