export const textPane = (): HTMLElement | null => document.querySelector<HTMLElement>('[data-pane="text"] > section');

export const focusTextPane = (): void => textPane()?.focus({ preventScroll: true });

/** From where a transcript was opened, the focus goes to its text, now or soon. */
export function leadIntoText(): void {
  if (textPane() !== null) focusTextPane();
  // A text that comes later takes the focus that nothing has.
  else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}
