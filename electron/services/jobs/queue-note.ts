import { z } from 'zod';
import { described } from '../../../shared/domain/described.ts';
import type { LibraryStore } from '../library/store.ts';

const schema = described(() => z.object({ isHeld: z.boolean() }));

/** Whether a person had paused the queue when the app ended; a note that can't be read holds nothing up. */
export function wasHeld(store: Pick<LibraryStore, 'note'>): boolean {
  const note = store.note('queue');
  if (!note.ok || note.value === null) return false;
  try {
    const parsed = schema().safeParse(JSON.parse(note.value));
    return parsed.success && parsed.data.isHeld;
  } catch {
    return false;
  }
}
