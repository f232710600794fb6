import type { StudioClient } from './client.ts';

type Save = () => Promise<boolean>;

const saves = new Set<Save>();

export function saveBeforeLeaving(save: Save): () => void {
  saves.add(save);
  return () => saves.delete(save);
}

export async function saveEverything(): Promise<boolean> {
  const saved = await Promise.all([...saves].map((save) => save().catch(() => false)));
  return saved.every(Boolean);
}

/** A page that is being closed can't send anything, so main waits for this answer. */
export function answerLeaving(studio: StudioClient): void {
  studio.subscribe('window.leaving', () => {
    // Some fields take over what was typed when they are left.
    const focused = document.activeElement;
    if (focused instanceof HTMLElement) {
      focused.blur();
      // The user may stay and type on.
      focused.focus({ preventScroll: true });
    }
    void saveEverything().then((isSaved) => studio.request('window.saved', { isSaved }));
  });
}
