import { useCallback } from 'react';
import { useJobsNow } from '../../bridge/live-state.tsx';
import { useText } from '../../lib/text.ts';
import { useToast } from '../../ui/toast.tsx';
import { useUndoNotice } from '../../ui/notices.ts';
import { isTwin } from './model/selectors.ts';
import type { TranscribeStore } from './model/transcribe-store.ts';

const undoMs = 20_000;

/** Shows what was done with a button to undo it, which the undo key does too. */
export function useOfferUndo(store: TranscribeStore): (text: string, undo: () => Promise<unknown>) => void {
  const showUndo = useUndoNotice();
  return useCallback(
    (text, undo) => {
      let isTaken = false;
      const once = () => {
        if (isTaken) return;
        isTaken = true;
        hide();
        store.forgetUndo(once);
        void undo();
      };
      store.keepUndo(once);
      // Clears the selection, because its bar would cover the notice.
      store.select(new Set());
      const hide = showUndo({ text, shownForMs: undoMs, undo: once });
    },
    [store, showUndo],
  );
}

/** Removes rows from the list and shows a notice with undo; their transcripts stay in the library. */
export function useRemoveRows(store: TranscribeStore): (jobIds: readonly string[]) => void {
  const t = useText();
  const showToast = useToast();
  const offerUndo = useOfferUndo(store);
  const jobsNow = useJobsNow();
  return useCallback(
    (jobIds) => {
      const removed = jobsNow().filter(({ id }) => jobIds.includes(id));
      const bringBack = async () => {
        const count = await store.bringBack(jobIds);
        if (count === null) return;
        // Removing a row cancelled its question, so undo asks it again; nothing is sent.
        const asked = removed.filter(isTwin).map(({ id }) => id);
        if (asked.length > 0) await store.actOn(asked, 'undo-cancel');
        showToast({ text: count === 0 ? t('cleaning.late') : t('cleaning.undone', { count }) });
      };
      const remove = async () => {
        const count = await store.remove(jobIds);
        if (count === null || count === 0) return;
        const hasText = removed.some(({ state }) => state.tag === 'done' && state.transcriptId !== undefined);
        const said = [
          count === 1
            ? t('transcribe.removedOne', { name: removed[0]?.name ?? '' })
            : t('transcribe.removed', { count }),
          ...(hasText ? [t('transcribe.textsStay', { count })] : []),
        ];
        offerUndo(said.join('. '), bringBack);
      };
      void remove();
    },
    [store, t, showToast, offerUndo, jobsNow],
  );
}
