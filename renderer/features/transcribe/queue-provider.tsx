import { FileX2 } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { bulkStep } from '../../../shared/domain/jobs/batch-progress.ts';
import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import { modeOf } from '../../../shared/domain/modes.ts';
import { useJobsFact, useJobsNow, useQueue, useSettings, useSettingsNow } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useFolderChoice } from '../../bridge/use-settings-change.ts';
import { useCommands } from '../../lib/commands.tsx';
import { useFailureText } from '../../lib/failure-text.ts';
import { useText } from '../../lib/text.ts';
import { TakeRecordings } from '../../parts/files/use-file-drop.ts';
import { isFreeToRetry } from '../../parts/jobs/job-actions.ts';
import { useJobList } from '../../parts/jobs/jobs-context.ts';
import { JobsProvider } from '../../parts/jobs/jobs-provider.tsx';
import { createJobsStore, type AllRefused, type JobsStore } from '../../parts/jobs/jobs-store.ts';
import { failureShownForMs, useToast } from '../../ui/toast.tsx';

/** Wraps all screens, so that each can act on recordings and rows. */
export function QueueProvider({ children }: { readonly children: ReactNode }) {
  const studio = useStudio();
  const [, navigate] = useLocation();
  const settingsNow = useSettingsNow();
  const [store] = useState(() => createJobsStore(studio, 'transcribe', settingsNow));
  const takeRecordings = useAddFromElsewhere(store);
  useEffect(
    () => studio.subscribe('transcript.wanted', ({ transcriptId }) => navigate(`/transcripts/${transcriptId}`)),
    [studio, navigate],
  );
  useEffect(() => studio.subscribe('files.adding', store.showAdding), [studio, store]);
  return (
    <JobsProvider store={store}>
      <TakeRecordings value={(files) => void takeRecordings(files)}>
        <QueueCommands />
        {children}
      </TakeRecordings>
    </JobsProvider>
  );
}

/** Adding that takes longer shows its progress in the queue. */
const unseenAddingMs = 3000;

/** Adds recordings from another screen and shows the queue, unless the user left that screen or all are rejected. */
function useAddFromElsewhere(store: JobsStore) {
  const [, navigate] = useLocation();
  const t = useText();
  const words = useFailureText();
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
    const { hash } = window.location;
    let isDecided = false;
    const showQueue = () => {
      if (!isDecided && window.location.hash === hash) navigate('/');
      isDecided = true;
    };
    const timer = setTimeout(showQueue, unseenAddingMs);
    const rejected = await store.drop(files);
    clearTimeout(timer);
    if (rejected === null) showQueue();
    // The queue says why each of them was rejected.
    if (rejected === null || window.location.hash === '#/') return;
    showToast({
      text: textOf(rejected),
      icon: FileX2,
      shownForMs: failureShownForMs,
      action: { text: t('transcribe.refused.show'), onPress: () => navigate('/') },
    });
  };
}

const hasRetriable = (jobs: readonly JobView[]) => jobs.some(isFreeToRetry);
const hasBlocked = (jobs: readonly JobView[]) => jobs.some(({ state }) => state.tag === 'blocked');

function QueueCommands() {
  const { store, goOn } = useJobList();
  const jobsNow = useJobsNow();
  const canRetry = useJobsFact(hasRetriable);
  const isBlocked = useJobsFact(hasBlocked);
  const [location, navigate] = useLocation();
  const { mode } = useSettings();
  const { isHeld } = useQueue();
  const isLocal = modeOf(mode).origin === 'local';
  const step = useJobsFact((jobs) => (isHeld ? 'held' : (bulkStep(jobs, isLocal)?.step ?? 'none')));
  const sendAll = () => void goOn(bulkStep(jobsNow(), isLocal)?.jobIds ?? []);
  const choose = useFolderChoice();
  // Added and rejected files are shown on the queue's screen.
  const onQueue = (run: () => void) => () => {
    if (location !== '/') navigate('/');
    run();
  };
  const retryFailed = () => {
    const failedIds = jobsNow().flatMap((job) => (isFreeToRetry(job) ? job.id : []));
    void store.actOn(failedIds, 'retry');
  };
  useCommands({
    'files.add': onQueue(() => void store.addPicked('files')),
    'folder.add': onQueue(() => void store.addPicked('folder')),
    'folder.watch': () => void choose('watch'),
    'samples.add': modeOf(mode).isPractice && onQueue(() => void store.addSamples()),
    'queue.retryFailed': canRetry && retryFailed,
    'queue.pause': step === 'pause' && (() => void store.ask('jobs.hold', { isHeld: true })),
    'queue.send': step === 'send' && sendAll,
    'queue.goOn': step === 'held' ? () => void store.ask('jobs.hold', { isHeld: false }) : step === 'go-on' && sendAll,
    'queue.resume': isBlocked && (() => void store.ask('jobs.resumeQueue', {})),
    'key.enter': mode === 'service' && (() => void store.ask('connection.enterKey', {})),
  });
  return null;
}
