import { createContext, useCallback, useContext, useMemo } from 'react';
import { useLocation } from 'wouter';
import { useStore } from 'zustand';
import { modeOf } from '../../../shared/domain/modes.ts';
import { useJobsNow, useSettings } from '../../bridge/live-state.tsx';
import { pathWords } from '../../lib/path-words.ts';
import { useText } from '../../lib/text.ts';
import { useRestoreTranscript } from '../../parts/transcripts/transcripts-query.ts';
import { useUndoNotice } from '../../ui/notices.ts';
import { useToast } from '../../ui/toast.tsx';
import { isPerhapsAtService, isRemovable, isTwin } from './model/queue-order.ts';
import type { TranscribeState, TranscribeStore } from './model/transcribe-store.ts';

export const TranscribeContext = createContext<ReturnType<typeof useQueueActions> | null>(null);

export function useTranscribe() {
  const actions = useContext(TranscribeContext);
  if (actions === null) throw new Error('useTranscribe outside of QueueProvider');
  return actions;
}

export const useTranscribeState = <T>(select: (state: TranscribeState) => T): T =>
  useStore(useTranscribe().store, select);

export function useQueueActions(store: TranscribeStore) {
  const [, navigate] = useLocation();
  const removeRows = useRemoveRows(store);
  const cancelling = useCancelRows(store, removeRows);
  const restore = useRestoreTranscript();
  return useMemo(
    () => ({
      store,
      removeRows,
      ...cancelling,
      openSettings: () => navigate('/settings/connection'),
      askAbout: (transcriptId: string) => navigate(`/ask/about/${encodeURIComponent(transcriptId)}`),
      findInLibrary: (words: string) => navigate(`/library/search/${pathWords(words)}`),
      openIsolated: (audioId: string) => navigate(`/isolate/${audioId}`),
      openTranscript: (transcriptId: string) => navigate(`/transcripts/${transcriptId}`),
      // If restoring fails, the screen of the transcript reports it and offers to retry.
      restoreTranscript: (transcriptId: string) =>
        void restore(transcriptId).then(() => navigate(`/transcripts/${transcriptId}`)),
    }),
    [store, navigate, removeRows, cancelling, restore],
  );
}

const undoMs = 20_000;

function useOfferUndo(store: TranscribeStore): (text: string, undo: () => Promise<unknown>) => void {
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
function useRemoveRows(store: TranscribeStore): (jobIds: readonly string[]) => void {
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

/** Cancels rows and shows a notice. Rows that the service does not have can be restored; the notice names the rest. */
function useCancelRows(store: TranscribeStore, removeRows: (jobIds: readonly string[]) => void) {
  const t = useText();
  const showToast = useToast();
  const offerUndo = useOfferUndo(store);
  const jobsNow = useJobsNow();
  const isLocal = modeOf(useSettings().mode).origin === 'local';
  /** The user confirmed. The rows of `endedIds` are removed with it, and the same undo restores them. */
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
  /** Asks for confirmation if the service may already have some of the recordings. */
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
  return useMemo(() => ({ cancelRows, cancelNow, deleteRows }), [cancelRows, cancelNow, deleteRows]);
}
