import { createContext, useContext } from 'react';
import { createStore, useStore } from 'zustand';
import type { StudioClient } from '../../bridge/client.ts';
import type { RequestOutput, Settings } from '../../bridge/types.ts';
import { createJobsStore } from '../../parts/jobs/jobs-store.ts';

interface IsolateState {
  /** The opened result. It changes only when the user opens or closes one, or takes the one on offer. */
  readonly shownAudioId: string | null;
  /** The result of the only recording that was added; it opens by itself once that moves nothing under the pointer. */
  readonly offeredAudioId: string | null;
}

/** State and commands of the Isolate section, beside those of its list. */
export function createIsolateStore(studio: StudioClient, settingsNow: () => Settings) {
  const store = createStore<IsolateState>(() => ({ shownAudioId: null, offeredAudioId: null }));
  const list = createJobsStore(studio, 'isolate', settingsNow);
  return {
    ...store,
    list,
    ask: list.ask,
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

export const IsolateContext = createContext<IsolateStore | null>(null);

export function useIsolate(): IsolateStore {
  const store = useContext(IsolateContext);
  if (store === null) throw new Error('useIsolate outside of IsolateProvider');
  return store;
}

export const useIsolateState = <T>(select: (state: IsolateState) => T): T => useStore(useIsolate(), select);
