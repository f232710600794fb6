const focusable = 'button:not([disabled]), [href], input:not([disabled]), [tabindex="0"], textarea, select';

/** The control that had the focus when a pane was left. */
const lastFocused = new WeakMap<Element, HTMLElement>();

/**
 * Moves the focus to the next or previous pane. Panes mark themselves with `data-pane` and stand in the page in focus
 * order; the control that had the focus there takes it again, or else the first one.
 */
export function movePane(step: 1 | -1): void {
  const panes = [...document.querySelectorAll<HTMLElement>('[data-pane]')].filter(
    (pane) => pane.querySelector(focusable) !== null && pane.closest('[inert], [aria-hidden="true"]') === null,
  );
  const active = document.activeElement;
  const here = panes.findIndex((pane) => pane.contains(active));
  const current = panes[here];
  if (current && active instanceof HTMLElement) lastFocused.set(current, active);
  const next = panes[here === -1 ? (step === 1 ? 0 : panes.length - 1) : (here + step + panes.length) % panes.length];
  const remembered = next && lastFocused.get(next);
  const target = remembered?.isConnected === true ? remembered : next?.querySelector<HTMLElement>(focusable);
  target?.focus();
}
