import { useCallback } from 'react';
import { useJobsNow } from '../../bridge/live-state.tsx';
import { useText } from '../../lib/text.ts';
import { useToast } from '../../ui/toast.tsx';
import { isPerhapsAtService } from './model/selectors.ts';
import type { TranscribeStore } from './model/transcribe-store.ts';
import { useOfferUndo } from './use-remove-rows.ts';

export interface CancelRows {
  /** Asks first where the service may already have some of them. */
  readonly cancelRows: (jobIds: readonly string[]) => void;
  /** The answer was yes. */
  readonly cancelNow: (jobIds: readonly string[]) => void;
}

/** Cancels rows and says so. What the service has not got can be taken back; the rest is told. */
export function useCancelRows(store: TranscribeStore): CancelRows {
  const t = useText();
  const showToast = useToast();
  const offerUndo = useOfferUndo(store);
  const jobsNow = useJobsNow();
  const cancelNow = useCallback(
    (jobIds: readonly string[]) => {
      const cancel = async () => {
        const done = await store.actOn(jobIds, 'cancel');
        if (done === null || done.changedCount === 0) return;
        const { changedCount, acceptedCount } = done;
        const text = [
          t('transcribe.cancelMany.done', { count: changedCount }),
          ...(acceptedCount > 0 ? [t('transcribe.cancelMany.atService', { count: acceptedCount })] : []),
        ].join('. ');
        if (acceptedCount === changedCount) showToast({ text });
        else offerUndo(text, () => store.actOn(jobIds, 'undo-cancel'));
      };
      void cancel();
    },
    [store, t, showToast, offerUndo],
  );
  const cancelRows = useCallback(
    (jobIds: readonly string[]) => {
      const wanted = new Set(jobIds);
      const isRisky = jobsNow().some((job) => wanted.has(job.id) && isPerhapsAtService(job) !== 'no');
      if (!isRisky) cancelNow(jobIds);
      else if (jobIds.length === 1) store.show({ tag: 'cancel-question', jobId: jobIds[0] ?? '' });
      else store.show({ tag: 'cancel-many', jobIds });
    },
    [store, jobsNow, cancelNow],
  );
  return { cancelRows, cancelNow };
}
