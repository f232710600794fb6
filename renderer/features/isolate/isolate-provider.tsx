import { useEffect, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useSettings } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useCommands } from '../../lib/commands.tsx';
import { IsolateRecordings } from '../../parts/files/use-file-drop.ts';
import { IsolateContext, useIsolate, useIsolateOptions } from './isolate-context.ts';
import { createIsolateStore } from './model/isolate-store.ts';

/** Wraps all screens, so that files being added are still there when the user returns to the section. */
export function IsolateProvider({ children }: { readonly children: ReactNode }) {
  const studio = useStudio();
  const [store] = useState(() => createIsolateStore(studio));
  useEffect(() => studio.subscribe('files.adding', store.showAdding), [studio, store]);
  return (
    <IsolateContext value={store}>
      <IsolateCommands>{children}</IsolateCommands>
    </IsolateContext>
  );
}

function IsolateCommands({ children }: { readonly children: ReactNode }) {
  const store = useIsolate();
  const [, navigate] = useLocation();
  const { mode } = useSettings();
  const options = useIsolateOptions();
  useCommands({
    'isolate.files': () => {
      navigate('/isolate');
      void store.addPicked('files', options);
    },
    'isolate.sample':
      mode === 'practice' &&
      (() => {
        navigate('/isolate');
        void store.addSample(options);
      }),
  });
  const isolate = (files: readonly File[]) => {
    navigate('/isolate');
    void store.addDropped(files, options);
  };
  return <IsolateRecordings value={isolate}>{children}</IsolateRecordings>;
}
