import { Captions, Download } from 'lucide-react';
import { createContext, useContext, useMemo } from 'react';
import { useLocation } from 'wouter';
import { useStore } from 'zustand';
import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import { modeOf } from '../../../shared/domain/modes.ts';
import { useJobs, useJobsNow, useSettings } from '../../bridge/live-state.tsx';
import type { RequestOutput } from '../../bridge/types.ts';
import { pathWords } from '../../lib/path-words.ts';
import { useText } from '../../lib/text.ts';
import { useUndoKey } from '../../lib/use-undo-key.ts';
import { useUndoNotice } from '../../ui/notices.ts';
import { useToast } from '../../ui/toast.tsx';
import { useRestoreTranscript } from '../transcripts/transcripts-query.ts';
import { beforeAfterStep, hasTranscript, isHidden, isPerhapsAtService, isRemovable, lineOf } from './job-order.ts';
import type { JobsState, JobsStore } from './jobs-store.ts';

export const JobsContext = createContext<ReturnType<typeof useListActions> | null>(null);

/** The list of jobs around, and what concerns more than one of its rows. */
export function useJobList() {
  const list = useContext(JobsContext);
  if (list === null) throw new Error('useJobList outside of JobsProvider');
  return list;
}

export const useJobsState = <T>(select: (state: JobsState) => T): T => useStore(useJobList().store, select);

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

const undoMs = 20_000;

export function useListActions(store: JobsStore) {
  const t = useText();
  const [, navigate] = useLocation();
  const showToast = useToast();
  const showUndo = useUndoNotice();
  const restore = useRestoreTranscript();
  const jobsNow = useJobsNow();
  const { mode, speechLanguage: language, includeSpeakers } = useSettings();
  const isLocal = modeOf(mode).origin === 'local';
  return useMemo(() => {
    const jobsOf = (jobIds: readonly string[]) => {
      const wanted = new Set(jobIds);
      return jobsNow().filter(({ id }) => wanted.has(id));
    };
    const openTranscript = (transcriptId: string) => navigate(`/transcripts/${transcriptId}`);
    const offerUndo = (text: string, undo: () => Promise<unknown>) => {
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
    };
    const removedText = (removed: readonly JobView[], count: number) => {
      const name = removed[0]?.name ?? '';
      if (removed.every(isHidden))
        return count === 1 ? t('isolate.hidden', { name }) : t('isolate.hiddenMany', { count });
      return [
        count === 1 ? t('transcribe.removedOne', { name }) : t('transcribe.removed', { count }),
        ...(removed.some(hasTranscript) ? [t('transcribe.textsStay', { count })] : []),
      ].join('. ');
    };
    /** With a notice that can undo it; what the rows made stays in the library. `textOf` says how many. */
    const removeRows = (jobIds: readonly string[], textOf?: (count: number) => string) => {
      const removed = jobsOf(jobIds);
      const bringBack = async () => {
        const count = await store.bringBack(removed);
        if (count !== null) showToast({ text: count === 0 ? t('deletion.late') : t('cleaning.undone', { count }) });
      };
      void store.remove(removed).then((count) => {
        if (count !== null && count > 0) offerUndo(textOf?.(count) ?? removedText(removed, count), bringBack);
      });
    };
    /**
     * The user confirmed. Rows that the service does not have can be restored; the notice names the rest. The rows of
     * `endedIds` are removed with it, and the same undo restores them.
     */
    const cancelNow = async (jobIds: readonly string[], endedIds: readonly string[] = []) => {
      const ended = jobsOf(endedIds);
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
    /** Asks for confirmation if the service may already have some of the recordings. */
    const cancelRows = (jobIds: readonly string[], endedIds: readonly string[] = []) => {
      const isRisky = jobsOf(jobIds).some((job) => isPerhapsAtService(job) !== 'no');
      if (isRisky) store.show({ tag: 'cancel-question', jobIds, endedIds });
      else void cancelNow(jobIds, endedIds);
    };
    /** Asks first about what costs something; what the user then does not want is cancelled. */
    const goOn = async (jobIds: readonly string[]) => {
      const { cancelledIds: ids = [] } = (await store.actOn(jobIds, 'go-on')) ?? {};
      if (ids.length > 0)
        offerUndo(t('transcribe.cancelMany.done', { count: ids.length }), () => store.actOn(ids, 'undo-cancel'));
    };
    return {
      store,
      goOn,
      removeRows,
      cancelNow,
      cancelRows,
      deleteRows: (jobIds: readonly string[]) => {
        const rows = jobsOf(jobIds);
        const ended = rows.filter(isRemovable).map(({ id }) => id);
        const open = rows.filter((job) => !isRemovable(job)).map(({ id }) => id);
        if (open.length > 0) cancelRows(open, ended);
        else if (ended.length > 0) removeRows(ended);
      },
      moveRow: async ({ id, name }: JobView, step: -1 | 1) => {
        const line = lineOf(jobsNow());
        const beforeId = beforeAfterStep(line, id, step);
        if (beforeId === undefined || (await store.ask('jobs.move', { jobIds: [id], beforeId })) === null) return;
        const place = line.findIndex((job) => job.id === id) + 1 + step;
        showToast({ text: t('transcribe.actions.moved', { name, place }) });
      },
      /** Says what was saved and offers to show it. */
      showSaved: (saved: RequestOutput<'isolation.save'> | null) => {
        if (saved === null || saved.savedAs === null) return;
        const { revealToken } = saved;
        const show = () => void (revealToken !== null && store.ask('exports.reveal', { revealToken }));
        showToast({
          icon: Download,
          text: t('isolate.results.saved', { name: saved.savedAs }),
          ...(revealToken !== null && { action: { text: t('isolate.results.show'), onPress: show } }),
        });
      },
      /** In the language of the next files. */
      transcribeIsolated: async (audioId: string, name: string) => {
        const added = await store.ask('isolation.transcribe', { audioId, language, includeSpeakers });
        if (added === null || added.jobId === null) return;
        showToast({
          icon: Captions,
          text: t('isolate.transcribing', { name, language: t(`common.languageNames.${language}`) }),
          action: { text: t('jobs.openQueue'), onPress: () => navigate('/') },
        });
      },
      openSettings: () => navigate('/settings/connection'),
      askAbout: (transcriptId: string) => navigate(`/ask/about/${encodeURIComponent(transcriptId)}`),
      findInLibrary: (words: string) => navigate(`/library/search/${pathWords(words)}`),
      openIsolated: (audioId: string) => navigate(`/isolate/${audioId}`),
      openTranscript,
      // If restoring fails, the screen of the transcript reports it and offers to retry.
      restoreTranscript: (transcriptId: string) => void restore(transcriptId).then(() => openTranscript(transcriptId)),
    };
  }, [store, t, navigate, showToast, showUndo, restore, jobsNow, isLocal, language, includeSpeakers]);
}
