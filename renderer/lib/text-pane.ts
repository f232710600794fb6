/** What scrolls the text of the open transcript; null while none is shown. */
export const textPane = (): HTMLElement | null => document.querySelector<HTMLElement>('[data-pane="text"] > section');

/** Gives the keys to the text of the open transcript. */
export const focusTextPane = (): void => textPane()?.focus({ preventScroll: true });
