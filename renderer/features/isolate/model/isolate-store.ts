import { createStore } from 'zustand/vanilla';
import type { StudioClient } from '../../../bridge/client.ts';
import type { RequestOutput } from '../../../bridge/types.ts';
import { createJobsStore } from '../../../parts/jobs/jobs-store.ts';

export interface IsolateState {
  /** The opened result. It changes only when the user opens or closes one, or takes the one on offer. */
  readonly shownAudioId: string | null;
  /** The result of the only recording that was added; it opens by itself once that moves nothing under the pointer. */
  readonly offeredAudioId: string | null;
}

/** State and commands of the Isolate section, beside those of its list. */
export function createIsolateStore(studio: StudioClient) {
  const store = createStore<IsolateState>(() => ({ shownAudioId: null, offeredAudioId: null }));
  const list = createJobsStore(studio, 'isolate');
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

export type IsolateStore = ReturnType<typeof createIsolateStore>;
