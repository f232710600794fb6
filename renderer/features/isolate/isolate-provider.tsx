import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { modeOf } from '../../../shared/domain/modes.ts';
import { useJobs, useSettings, useSettingsNow } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useCommands } from '../../lib/commands.tsx';
import { IsolateRecordings } from '../../parts/files/use-file-drop.ts';
import { isCancellable } from '../../parts/jobs/job-order.ts';
import { nextIsolations } from '../../parts/jobs/jobs-store.ts';
import { createIsolateStore, IsolateContext, useIsolate } from './isolate-store.ts';

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

export function useAddSample(): () => Promise<unknown> {
  const store = useIsolate();
  const settingsNow = useSettingsNow();
  return () => store.ask('isolation.addSample', nextIsolations(settingsNow()));
}

function IsolateCommands({ children }: { readonly children: ReactNode }) {
  const { list } = useIsolate();
  const [, navigate] = useLocation();
  const { mode } = useSettings();
  const addSample = useAddSample();
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
