import { FileX2 } from 'lucide-react';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import { useJobs, useJobsFact, useJobsNow, useQueue, useSettings, useSettingsNow } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useCommands } from '../../lib/commands.tsx';
import { useFailureWords } from '../../lib/failure-words.ts';
import { useText } from '../../lib/text.ts';
import { failureShownForMs, useToast } from '../../ui/toast.tsx';
import { pathWords } from '../../lib/path-words.ts';
import { TakeRecordings } from '../../parts/files/use-file-drop.ts';
import { useRestoreTranscript } from '../../parts/transcripts/transcripts-query.ts';
import { isPausable } from './model/queue-order.ts';
import { createTranscribeStore, type TranscribeStore } from './model/transcribe-store.ts';
import { TranscribeContext, useTranscribe, useTranscribeState } from './transcribe-context.ts';
import { type JobActions, isFreeToRetry, useJobActions } from './ui/job-actions.ts';
import { useCancelRows } from './use-cancel-rows.ts';
import { useRemoveRows } from './use-remove-rows.ts';
import { QueueOverlays } from './ui/queue-overlays.tsx';
import type { AllRefused } from '../../parts/files/adding.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { modeOf } from '../../../shared/domain/modes.ts';
import { sortJobs, withTwins } from './model/selectors.ts';
import { type JobLook, useJobLook } from './ui/job-words.ts';

/** Wraps all screens, so that each can act on recordings and rows. */
export function QueueProvider({ children }: { readonly children: ReactNode }) {
  const studio = useStudio();
  const [, navigate] = useLocation();
  const [store] = useState(() => createTranscribeStore(studio));
  const removeRows = useRemoveRows(store);
  const { cancelRows, cancelNow, deleteRows } = useCancelRows(store, removeRows);
  const restore = useRestoreTranscript();
  const actions = useMemo(
    () => ({
      store,
      openSettings: () => {
        navigate('/settings/connection');
      },
      askAbout: (transcriptId: string) => {
        navigate(`/ask/about/${encodeURIComponent(transcriptId)}`);
      },
      findInLibrary: (words: string) => {
        navigate(`/library/search/${pathWords(words)}`);
      },
      removeRows,
      cancelRows,
      cancelNow,
      deleteRows,
      restoreTranscript: (transcriptId: string) => {
        // If restoring fails, the screen of the transcript reports it and offers to retry.
        void restore(transcriptId).then(() => {
          navigate(`/transcripts/${transcriptId}`);
        });
      },
      openIsolated: (audioId: string) => {
        navigate(`/isolate/${audioId}`);
      },
      openTranscript: (transcriptId: string) => {
        navigate(`/transcripts/${transcriptId}`);
      },
    }),
    [store, navigate, removeRows, cancelRows, cancelNow, deleteRows, restore],
  );
  const takeRecordings = useAddFromElsewhere(store);
  // The user clicked a system notification.
  useEffect(
    () =>
      studio.subscribe('transcript.wanted', ({ transcriptId }) => {
        navigate(`/transcripts/${transcriptId}`);
      }),
    [studio, navigate],
  );
  useEffect(() => studio.subscribe('files.adding', store.showAdding), [studio, store]);
  return (
    <TranscribeContext value={actions}>
      <TakeRecordings value={(files) => void takeRecordings(files)}>
        <QueueCommands />
        <Overlays />
        {children}
      </TakeRecordings>
    </TranscribeContext>
  );
}

/** Adding that takes longer shows its progress in the queue. */
const unseenAddingMs = 3000;

/** Adds recordings from another screen and shows the queue, unless the user left that screen or all are rejected. */
function useAddFromElsewhere(store: TranscribeStore) {
  const [, navigate] = useLocation();
  const settingsNow = useSettingsNow();
  const t = useText();
  const words = useFailureWords();
  const showToast = useToast();
  /** The reason that all of several have, or the first one with its file. */
  const textOf = ({ count, failures }: AllRefused): string => {
    const title = t('transcribe.refused.title', { count });
    const reasons = failures.map(words);
    const [first] = reasons;
    if (first === undefined) return title;
    if (count === 1) return first.text;
    const isShared = reasons.length === count && reasons.every((reason) => reason.title === first.title);
    return `${title}. ${isShared ? first.title : first.text}`;
  };
  return async (files: readonly File[]) => {
    const { speechLanguage: language, includeSpeakers } = settingsNow();
    const { hash } = window.location;
    let isDecided = false;
    const showQueue = () => {
      if (!isDecided && window.location.hash === hash) navigate('/');
      isDecided = true;
    };
    const timer = setTimeout(showQueue, unseenAddingMs);
    const rejected = await store.drop(files, { language, includeSpeakers });
    clearTimeout(timer);
    if (rejected === null) showQueue();
    // The queue says why each of them was rejected.
    if (rejected === null || window.location.hash === '#/') return;
    showToast({
      text: textOf(rejected),
      icon: FileX2,
      shownForMs: failureShownForMs,
      action: {
        text: t('transcribe.refused.show'),
        onPress: () => {
          navigate('/');
        },
      },
    });
  };
}

const hasRetriable = (jobs: readonly JobView[]) => jobs.some(isFreeToRetry);
const hasPausable = (jobs: readonly JobView[]) => jobs.some(isPausable);
const hasBlocked = (jobs: readonly JobView[]) => jobs.some(({ state }) => state.tag === 'blocked');

function QueueCommands() {
  const { store } = useTranscribe();
  const jobsNow = useJobsNow();
  const canRetry = useJobsFact(hasRetriable);
  const canPause = useJobsFact(hasPausable);
  const isBlocked = useJobsFact(hasBlocked);
  const [location, navigate] = useLocation();
  const { speechLanguage, includeSpeakers, mode } = useSettings();
  const { isHeld } = useQueue();
  const next = { language: speechLanguage, includeSpeakers };
  // Added and rejected files are shown on the queue's screen.
  const onQueue = (run: () => void) => () => {
    if (location !== '/') navigate('/');
    run();
  };
  useCommands({
    'files.add': onQueue(() => void store.addPicked('files', next)),
    'folder.add': onQueue(() => void store.addPicked('folder', next)),
    'samples.add': modeOf(mode).isPractice && onQueue(() => void store.addSamples()),
    'queue.retryFailed':
      canRetry &&
      (() =>
        void store.actOn(
          jobsNow()
            .filter(isFreeToRetry)
            .map(({ id }) => id),
          'retry',
        )),
    'queue.pause': !isHeld && canPause && (() => void store.hold(true)),
    'queue.goOn': isHeld && (() => void store.hold(false)),
    'queue.resume': isBlocked && (() => void store.resumeQueue()),
    'key.enter': mode === 'service' && (() => void store.enterKey()),
  });
  return null;
}

function Overlays() {
  const { jobs } = useJobs();
  return <QueueOverlays jobs={jobs} />;
}

/** A row of the queue for other screens: its text and its actions. */
export interface QueueRow {
  readonly job: JobView;
  readonly look: JobLook;
  readonly actions: Pick<JobActions, 'main' | 'open' | 'cancel'>;
}

/** The rows in the order of the queue, with their running times computed for `nowMs`. */
export function useQueueRows(): (jobs: readonly JobView[], nowMs: number) => readonly QueueRow[] {
  const lookOf = useJobLook();
  const actionsOf = useJobActions();
  return (jobs, nowMs) =>
    sortJobs(withTwins(jobs, null)).map((job) => {
      const waitMs = job.state.tag === 'retrying' ? Math.max(0, job.state.untilMs - nowMs) : 0;
      return { job, look: lookOf(job, nowMs, waitMs), actions: actionsOf(job) };
    });
}

/** Why the last action on a row was refused, and how to hide that; the queue's screen shows it too. */
export function useQueueRefusal(): { readonly failure: Failure | null; readonly hide: () => void } {
  const { store } = useTranscribe();
  return { failure: useTranscribeState((state) => state.failure), hide: store.hideFailure };
}
