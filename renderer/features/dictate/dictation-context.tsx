import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { useSettings } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useCommands } from '../../lib/commands.tsx';
import { playCue } from './model/cues.ts';
import { createDictationStore, type DictationState, type DictationStore } from './model/dictation-store.ts';

const DictationContext = createContext<DictationStore | null>(null);

export function useDictation(): DictationStore {
  const value = useContext(DictationContext);
  if (value === null) throw new Error('useDictation outside of DictationProvider');
  return value;
}

export const useDictationState = <T,>(select: (state: DictationState) => T): T =>
  useStore(useDictation().store, select);

/** Stands around all screens: recording goes on whichever section is shown. */
export function DictationProvider({ children }: { readonly children: ReactNode }) {
  const studio = useStudio();
  const [dictation] = useState(() => createDictationStore(studio));
  const { dictationLanguage, dictationMode, dictationDevice, dictationSounds } = useSettings();
  useEffect(() => dictation.follow(), [dictation]);
  useEffect(
    () =>
      dictation.store.subscribe(({ phase }, { phase: before }) => {
        if (!dictationSounds || phase === before) return;
        if (phase === 'recording') playCue('start');
        if (before === 'recording') playCue('stop');
      }),
    [dictation, dictationSounds],
  );
  const toggle = useMemo(
    () => ({
      'dictation.toggle': () => {
        if (dictation.store.getState().phase !== 'idle') dictation.stop();
        else
          void dictation.start({
            language: dictationLanguage,
            mode: dictationMode === 'hold' ? 'toggle' : dictationMode,
            device: dictationDevice,
          });
      },
    }),
    [dictation, dictationLanguage, dictationMode, dictationDevice],
  );
  useCommands(toggle);
  return <DictationContext value={dictation}>{children}</DictationContext>;
}
