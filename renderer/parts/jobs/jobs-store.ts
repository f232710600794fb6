import { createStore } from 'zustand/vanilla';
import { languageInName } from '../../../shared/domain/imports/guess-language.ts';
import type { JobView, RowAction } from '../../../shared/domain/jobs/job-view.ts';
import { speechLanguages, type SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { StudioClient } from '../../bridge/client.ts';
import type { JobOptions, RequestInput } from '../../bridge/types.ts';
import { createAdding, nothingAdding, type AddingState, type AllRefused } from '../files/adding.ts';
import { isHidden, isTwin, type JobFilter, type JobOrder } from './job-order.ts';

type NextTranscripts = Extract<JobOptions, { readonly kind: 'transcribe' }>;

export type Overlay =
  | { readonly tag: 'none' }
  | {
      readonly tag: 'languages';
      /** Files whose names point to no language have that of the next files. */
      readonly groups: readonly { readonly language: SpeechLanguage; readonly files: readonly File[] }[];
      readonly next: NextTranscripts;
    }
  | { readonly tag: 'cancel-question'; readonly jobIds: readonly string[]; readonly endedIds: readonly string[] }
  | { readonly tag: 'menu' | 'details' | 'charge-question' | 'export'; readonly jobId: string };

export interface JobsState extends AddingState {
  readonly overlay: Overlay;
  readonly selectedIds: ReadonlySet<string>;
  readonly filter: JobFilter;
  readonly order: JobOrder;
  readonly undos: readonly (() => void)[];
  /** The row to scroll to; `opens`: its isolated audio is opened as soon as it is done. */
  readonly wanted: { readonly jobId: string; readonly opens: boolean } | null;
}

const idsOf = (jobs: readonly JobView[]): string[] => jobs.map(({ id }) => id);

/** State and commands of a list of jobs. The rows themselves live in main and arrive by events. */
export function createJobsStore(studio: StudioClient, of: 'transcribe' | 'isolate') {
  const store = createStore<JobsState>(() => ({
    ...nothingAdding,
    overlay: { tag: 'none' },
    selectedIds: new Set(),
    filter: 'all',
    order: 'queue',
    undos: [],
    wanted: null,
  }));
  const adding = createAdding(studio, store);
  /** Null when it was refused, with the reason in the state. */
  const ask = <M extends Parameters<StudioClient['request']>[0]>(method: M, input: RequestInput<M>) =>
    adding.act(studio.request(method, input));
  const actOn = (jobIds: readonly string[], action: RowAction) => ask('jobs.act', { jobIds: [...jobIds], action });

  return {
    ...store,
    ...adding,
    of,
    ask,

    /** Asks first if names point to several languages: a wrong language is charged and comes out wrong. */
    drop: async (dropped: readonly File[], next: NextTranscripts): Promise<AllRefused | null> => {
      if (new Set(dropped.flatMap(({ name }) => languageInName(name) ?? [])).size < 2)
        return adding.addDropped(dropped, next);
      const byLanguage = Object.groupBy(dropped, ({ name }) => languageInName(name) ?? next.language);
      const groups = speechLanguages.flatMap((language) => {
        const files = byLanguage[language];
        return files === undefined ? [] : [{ language, files }];
      });
      store.setState({ overlay: { tag: 'languages', next, groups } });
      return null;
    },

    /** One request for many rows; returns how many changed and how many of them the service has nevertheless. */
    actOn,
    /** Pass `acceptsNewCharge` only if the user agreed to one. */
    retry: (jobId: string, acceptsNewCharge: boolean) => ask('jobs.retry', { jobId, acceptsNewCharge }),
    /** Returns how many rows left the list, or null if the request was refused. */
    remove: async (jobs: readonly JobView[]): Promise<number | null> => {
      const hidden = idsOf(jobs.filter(isHidden));
      const done = hidden.length === 0 ? { hiddenCount: 0 } : await ask('isolation.hide', { jobIds: hidden });
      if (done === null) return null;
      const count = done.hiddenCount;
      const [first, ...more] = idsOf(jobs.filter((job) => !isHidden(job)));
      if (first === undefined) return count;
      const removed =
        more.length === 0
          ? (await ask('jobs.remove', { jobId: first })) && { changedCount: 1 }
          : await actOn([first, ...more], 'remove');
      return removed === null ? count || null : count + removed.changedCount;
    },
    /** Removing a row cancelled its question, so undo asks it again; nothing is sent. */
    bringBack: async (jobs: readonly JobView[]): Promise<number | null> => {
      const hidden = idsOf(jobs.filter(isHidden));
      const shown = hidden.length === 0 ? null : await ask('isolation.unhide', { jobIds: hidden });
      const count = shown?.restoredCount ?? 0;
      const jobIds = idsOf(jobs.filter((job) => !isHidden(job)));
      const restored = jobIds.length === 0 ? { restoredCount: 0 } : await ask('jobs.bringBack', { jobIds });
      if (restored === null) return count || null;
      const asked = jobs.filter(isTwin).map(({ id }) => id);
      if (asked.length > 0) await actOn(asked, 'undo-cancel');
      return count + restored.restoredCount;
    },

    select: (selectedIds: ReadonlySet<string>) => store.setState({ selectedIds }),
    filterBy: (filter: JobFilter) => store.setState({ filter, selectedIds: new Set() }),
    sortBy: (order: JobOrder) => store.setState({ order }),
    goTo: (wanted: JobsState['wanted']) => store.setState({ wanted }),

    keepUndo: (undo: () => void) => store.setState(({ undos }) => ({ undos: [...undos, undo] })),
    forgetUndo: (undo: () => void) => store.setState(({ undos }) => ({ undos: undos.filter((one) => one !== undo) })),

    show: (overlay: Overlay) => store.setState({ overlay }),
    hide: () => store.setState({ overlay: { tag: 'none' } }),
  };
}

export type JobsStore = ReturnType<typeof createJobsStore>;
