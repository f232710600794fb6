import { createContext, useCallback, useContext, useMemo } from 'react';
import { useLocation } from 'wouter';
import { useStore } from 'zustand';
import { modeOf } from '../../../shared/domain/modes.ts';
import { useJobs, useJobsNow, useSettings, useSettingsNow } from '../../bridge/live-state.tsx';
import type { JobOptions } from '../../bridge/types.ts';
import { pathWords } from '../../lib/path-words.ts';
import { useText } from '../../lib/text.ts';
import { useUndoKey } from '../../lib/use-undo-key.ts';
import { useUndoNotice } from '../../ui/notices.ts';
import { useToast } from '../../ui/toast.tsx';
import { useRestoreTranscript } from '../transcripts/transcripts-query.ts';
import { isHidden, isPerhapsAtService, isRemovable } from './job-order.ts';
import type { JobsState, JobsStore } from './jobs-store.ts';

export const JobsContext = createContext<ReturnType<typeof useListActions> | null>(null);

/** The list of jobs around, and what concerns more than one of its rows. */
export function useJobList() {
  const list = useContext(JobsContext);
  if (list === null) throw new Error('useJobList outside of JobsProvider');
  return list;
}

export const useJobsState = <T>(select: (state: JobsState) => T): T => useStore(useJobList().store, select);

export function useNextTranscripts(): () => Extract<JobOptions, { readonly kind: 'transcribe' }> {
  const settingsNow = useSettingsNow();
  return () => {
    const { speechLanguage: language, includeSpeakers } = settingsNow();
    return { kind: 'transcribe', language, includeSpeakers };
  };
}

export function useNextIsolations(): () => Extract<JobOptions, { readonly kind: 'isolate' }> {
  const settingsNow = useSettingsNow();
  return () => {
    const { restoresSpeech, restorationModel, isolatesExcerpts: isExcerpt } = settingsNow();
    const model = restoresSpeech && restorationModel !== '' ? { restorationModel } : {};
    return { kind: 'isolate', restoresSpeech, isExcerpt, ...model };
  };
}

/** The rows of this list, in no order. */
export function useListedJobs() {
  const { of } = useJobList().store;
  const { jobs, ...read } = useJobs();
  const listed = useMemo(() => jobs.filter(({ kind }) => kind === of), [jobs, of]);
  return { ...read, jobs: listed };
}

/** Undoes the last step in this list, also by its key; null when there is none. */
export function useUndoLast(): (() => void) | null {
  const { store } = useJobList();
  const canUndo = useJobsState(({ undos }) => undos.length > 0);
  const undo = canUndo ? () => store.getState().undos.at(-1)?.() : null;
  useUndoKey(undo);
  return undo;
}

export function useListActions(store: JobsStore) {
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

function useOfferUndo(store: JobsStore): (text: string, undo: () => Promise<unknown>) => void {
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

/** Removes rows with a notice that can undo it; what they made stays in the library. `textOf` says how many. */
function useRemoveRows(store: JobsStore) {
  const t = useText();
  const showToast = useToast();
  const offerUndo = useOfferUndo(store);
  const jobsNow = useJobsNow();
  return useCallback(
    (jobIds: readonly string[], textOf?: (count: number) => string) => {
      const wanted = new Set(jobIds);
      const removed = jobsNow().filter(({ id }) => wanted.has(id));
      const bringBack = async () => {
        const count = await store.bringBack(removed);
        if (count !== null) showToast({ text: count === 0 ? t('cleaning.late') : t('cleaning.undone', { count }) });
      };
      const textFor = (count: number) => {
        const name = removed[0]?.name ?? '';
        if (removed.every(isHidden))
          return count === 1 ? t('isolate.hidden', { name }) : t('isolate.hiddenMany', { count });
        const hasText = removed.some(({ state }) => state.tag === 'done' && state.transcriptId !== undefined);
        return [
          count === 1 ? t('transcribe.removedOne', { name }) : t('transcribe.removed', { count }),
          ...(hasText ? [t('transcribe.textsStay', { count })] : []),
        ].join('. ');
      };
      void store.remove(removed).then((count) => {
        if (count !== null && count > 0) offerUndo((textOf ?? textFor)(count), bringBack);
      });
    },
    [store, t, showToast, offerUndo, jobsNow],
  );
}

/** Cancels rows and shows a notice. Rows that the service does not have can be restored; the notice names the rest. */
function useCancelRows(store: JobsStore, removeRows: (jobIds: readonly string[]) => void) {
  const t = useText();
  const showToast = useToast();
  const offerUndo = useOfferUndo(store);
  const jobsNow = useJobsNow();
  const isLocal = modeOf(useSettings().mode).origin === 'local';
  /** The user confirmed. The rows of `endedIds` are removed with it, and the same undo restores them. */
  const cancelNow = useCallback(
    (jobIds: readonly string[], endedIds: readonly string[] = []) => {
      const cancel = async () => {
        const ended = jobsNow().filter(({ id }) => endedIds.includes(id));
        const done = await store.actOn(jobIds, 'cancel');
        if (done === null) return;
        const { changedCount, acceptedCount } = done;
        const removedCount = (await store.remove(ended)) ?? 0;
        if (changedCount + removedCount === 0) return;
        const text = [
          removedCount === 0
            ? t('transcribe.cancelMany.done', { count: changedCount })
            : t('transcribe.deletedMany', { count: changedCount + removedCount }),
          ...(acceptedCount > 0 && !isLocal ? [t('transcribe.cancelMany.atService', { count: acceptedCount })] : []),
        ].join('. ');
        const undo = async () => {
          if (acceptedCount < changedCount) await store.actOn(jobIds, 'undo-cancel');
          if (removedCount > 0) await store.bringBack(ended);
        };
        if (acceptedCount === changedCount && removedCount === 0) showToast({ text });
        else offerUndo(text, undo);
      };
      void cancel();
    },
    [store, t, showToast, offerUndo, isLocal, jobsNow],
  );
  /** Asks for confirmation if the service may already have some of the recordings. */
  const cancelRows = useCallback(
    (jobIds: readonly string[], endedIds: readonly string[] = []) => {
      const wanted = new Set(jobIds);
      const isRisky = jobsNow().some((job) => wanted.has(job.id) && isPerhapsAtService(job) !== 'no');
      if (isRisky) store.show({ tag: 'cancel-question', jobIds, endedIds });
      else cancelNow(jobIds, endedIds);
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
