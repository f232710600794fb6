import { useCallback } from 'react';
import { modeOf } from '../../../shared/domain/modes.ts';
import { useJobsNow, useSettings } from '../../bridge/live-state.tsx';
import { useText } from '../../lib/text.ts';
import { useToast } from '../../ui/toast.tsx';
import { isPerhapsAtService, isRemovable } from './model/selectors.ts';
import type { TranscribeStore } from './model/transcribe-store.ts';
import { useOfferUndo } from './use-remove-rows.ts';

export interface CancelRows {
  /** Asks for confirmation if the service may already have some of the recordings. */
  readonly cancelRows: (jobIds: readonly string[]) => void;
  /** The user confirmed. The rows of `endedIds` are removed with it, and the same undo restores them. */
  readonly cancelNow: (jobIds: readonly string[], endedIds?: readonly string[]) => void;
  /** Removes the rows that have ended and cancels the others. */
  readonly deleteRows: (jobIds: readonly string[]) => void;
}

/** Cancels rows and shows a notice. Rows that the service does not have can be restored; the notice names the rest. */
export function useCancelRows(store: TranscribeStore, removeRows: (jobIds: readonly string[]) => void): CancelRows {
  const t = useText();
  const showToast = useToast();
  const offerUndo = useOfferUndo(store);
  const jobsNow = useJobsNow();
  const isLocal = modeOf(useSettings().mode).origin === 'local';
  const cancelNow = useCallback(
    (jobIds: readonly string[], endedIds: readonly string[] = []) => {
      const cancel = async () => {
        const done = await store.actOn(jobIds, 'cancel');
        if (done === null) return;
        const { changedCount, acceptedCount } = done;
        const removedCount = endedIds.length === 0 ? 0 : ((await store.remove(endedIds)) ?? 0);
        if (changedCount + removedCount === 0) return;
        const text = [
          removedCount === 0
            ? t('transcribe.cancelMany.done', { count: changedCount })
            : t('transcribe.deletedMany', { count: changedCount + removedCount }),
          ...(acceptedCount > 0 && !isLocal ? [t('transcribe.cancelMany.atService', { count: acceptedCount })] : []),
        ].join('. ');
        const undo = async () => {
          if (acceptedCount < changedCount) await store.actOn(jobIds, 'undo-cancel');
          if (removedCount > 0) await store.bringBack(endedIds);
        };
        if (acceptedCount === changedCount && removedCount === 0) showToast({ text });
        else offerUndo(text, undo);
      };
      void cancel();
    },
    [store, t, showToast, offerUndo, isLocal],
  );
  const cancelRows = useCallback(
    (jobIds: readonly string[], endedIds: readonly string[] = []) => {
      const wanted = new Set(jobIds);
      const isRisky = jobsNow().some((job) => wanted.has(job.id) && isPerhapsAtService(job) !== 'no');
      if (!isRisky) cancelNow(jobIds, endedIds);
      else if (jobIds.length === 1 && endedIds.length === 0)
        store.show({ tag: 'cancel-question', jobId: jobIds[0] ?? '' });
      else store.show({ tag: 'cancel-many', jobIds, endedIds });
    },
    [store, jobsNow, cancelNow],
  );
  const deleteRows = useCallback(
    (jobIds: readonly string[]) => {
      const wanted = new Set(jobIds);
      const rows = jobsNow().filter(({ id }) => wanted.has(id));
      const ended = rows.filter(isRemovable).map(({ id }) => id);
      const open = rows.filter((job) => !isRemovable(job)).map(({ id }) => id);
      if (open.length > 0) cancelRows(open, ended);
      else if (ended.length > 0) removeRows(ended);
    },
    [jobsNow, cancelRows, removeRows],
  );
  return { cancelRows, cancelNow, deleteRows };
}
