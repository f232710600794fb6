import { useCallback } from 'react';
import { useText } from '../../lib/text.ts';
import { useToast } from '../../ui/toast.tsx';
import type { TranscribeStore } from './model/transcribe-store.ts';

const undoMs = 20_000;

/** Takes rows out of the list and says so, with the way back; what they led to stays in the library. */
export function useRemoveRows(store: TranscribeStore): (jobIds: readonly string[]) => void {
  const t = useText();
  const showToast = useToast();
  return useCallback(
    (jobIds) => {
      const bringBack = async () => {
        const count = await store.bringBack(jobIds);
        if (count === null) return;
        showToast({ text: count === 0 ? t('cleaning.late') : t('cleaning.undone', { count }) });
      };
      const remove = async () => {
        const count = await store.remove(jobIds);
        if (count === null || count === 0) return;
        showToast({
          text: t('cleaning.removed', { count }),
          shownForMs: undoMs,
          action: { text: t('cleaning.undo'), onPress: () => void bringBack() },
        });
      };
      void remove();
    },
    [store, t, showToast],
  );
}
