import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { CancelRows } from './use-cancel-rows.ts';
import type { TranscribeState, TranscribeStore } from './model/transcribe-store.ts';

/** What a row can request beyond the store, such as leaving the screen. */
export interface TranscribeActions extends CancelRows {
  readonly store: TranscribeStore;
  readonly openTranscript: (transcriptId: string) => void;
  /** Restores it from the trash and opens it. */
  readonly restoreTranscript: (transcriptId: string) => void;
  readonly openIsolated: (audioId: string) => void;
  readonly openSettings: () => void;
  readonly askAbout: (transcriptId: string) => void;
  readonly findInLibrary: (words: string) => void;
  /** Removes ended rows and offers to undo that for a while. */
  readonly removeRows: (jobIds: readonly string[]) => void;
}

export const TranscribeContext = createContext<TranscribeActions | null>(null);

export function useTranscribe(): TranscribeActions {
  const actions = useContext(TranscribeContext);
  if (actions === null) throw new Error('useTranscribe outside of QueueProvider');
  return actions;
}

export const useTranscribeState = <T>(select: (state: TranscribeState) => T): T =>
  useStore(useTranscribe().store, select);
