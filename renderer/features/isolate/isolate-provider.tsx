import { createContext, useContext, useEffect, useRef, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { createStore, useStore } from 'zustand';
import { modeOf } from '../../../shared/domain/modes.ts';
import type { StudioClient } from '../../bridge/client.ts';
import { useJobs, useSettings, useSettingsNow } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import type { RequestOutput, Settings } from '../../bridge/types.ts';
import { useCommands } from '../../lib/commands.tsx';
import { IsolateRecordings } from '../../parts/files/use-file-drop.ts';
import { isCancellable } from '../../parts/jobs/job-order.ts';
import { createJobsStore, nextIsolations } from '../../parts/jobs/jobs-store.ts';

interface IsolateState {
  /** The opened result. It changes only when the user opens or closes one, or takes the one on offer. */
  readonly shownAudioId: string | null;
  /** The result of the only recording that was added; it opens by itself once that moves nothing under the pointer. */
  readonly offeredAudioId: string | null;
}

/** State and commands of the Isolate section, beside those of its list. */
function createIsolateStore(studio: StudioClient, settingsNow: () => Settings) {
  const store = createStore<IsolateState>(() => ({ shownAudioId: null, offeredAudioId: null }));
  const list = createJobsStore(studio, 'isolate', settingsNow);
  return {
    ...store,
    list,
    ask: list.ask,
    addSample: () => list.ask('isolation.addSample', nextIsolations(settingsNow())),
    show: (shownAudioId: string | null) => store.setState({ shownAudioId, offeredAudioId: null }),
    offer: (offeredAudioId: string) => {
      if (store.getState().shownAudioId === null) store.setState({ offeredAudioId });
    },
    /** Goes to the row if it is listed already; null when it was refused. */
    goToListed: (added: RequestOutput<'isolation.addWhole'> | null) => {
      if (added === null) return null;
      if (!added.isListed || added.jobId === null) return { jobId: added.jobId, listedId: null };
      list.goTo({ jobId: added.jobId, opens: false });
      return { jobId: null, listedId: added.jobId };
    },
  };
}

type IsolateStore = ReturnType<typeof createIsolateStore>;

const IsolateContext = createContext<IsolateStore | null>(null);

export function useIsolate(): IsolateStore {
  const store = useContext(IsolateContext);
  if (store === null) throw new Error('useIsolate outside of IsolateProvider');
  return store;
}

export function useIsolateState<T>(select: (state: IsolateState) => T): T {
  return useStore(useIsolate(), select);
}

/** Wraps all screens, so that files being added are still there when the user returns to the section. */
export function IsolateProvider({ children }: { readonly children: ReactNode }) {
  const studio = useStudio();
  const settingsNow = useSettingsNow();
  const [store] = useState(() => createIsolateStore(studio, settingsNow));
  useEffect(() => studio.subscribe('files.adding', store.list.showAdding), [studio, store]);
  return (
    <IsolateContext value={store}>
      <SingleResult />
      <IsolateCommands>{children}</IsolateCommands>
    </IsolateContext>
  );
}

/** Offers the result of a recording that was isolated alone; those of several are left to the list, also on a retry. */
function SingleResult() {
  const store = useIsolate();
  const { jobs } = useJobs();
  const worked = useRef(new Set<string>());
  const ofSeveral = useRef(new Set<string>());
  useEffect(() => {
    const unended = jobs.filter((job) => job.kind === 'isolate' && isCancellable(job));
    for (const { id } of unended) worked.current.add(id);
    if (unended.length > 0) return;
    const ids = [...worked.current];
    worked.current.clear();
    if (ids.length > 1) for (const id of ids) ofSeveral.current.add(id);
    const state = jobs.find(({ id }) => id === ids[0] && !ofSeveral.current.has(id))?.state;
    if (state?.tag === 'done' && state.audioId !== undefined) store.offer(state.audioId);
  }, [jobs, store]);
  return null;
}

function IsolateCommands({ children }: { readonly children: ReactNode }) {
  const { list, addSample } = useIsolate();
  const [, navigate] = useLocation();
  const { mode } = useSettings();
  // Added and rejected files are shown on this screen.
  const onScreen = (run: () => Promise<unknown>) => () => {
    navigate('/isolate');
    void run();
  };
  useCommands({
    'isolate.files': onScreen(() => list.addPicked('files')),
    'isolate.sample': modeOf(mode).isPractice && onScreen(addSample),
  });
  return <IsolateRecordings value={(files) => onScreen(() => list.addDropped(files))()}>{children}</IsolateRecordings>;
}
