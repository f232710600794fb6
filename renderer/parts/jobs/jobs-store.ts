import { createStore } from 'zustand/vanilla';
import { languageInName } from '../../../shared/domain/imports/guess-language.ts';
import type { JobView, RowAction } from '../../../shared/domain/jobs/job-view.ts';
import { speechLanguages, type SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { Result } from '../../../shared/result/result.ts';
import type { StudioClient } from '../../bridge/client.ts';
import type { AddedFiles, JobOptions, RequestInput, Settings } from '../../bridge/types.ts';
import { isHidden, isTwin, type JobFilter, type JobOrder } from './job-order.ts';

export type Overlay =
  | { readonly tag: 'none' }
  | {
      readonly tag: 'languages';
      /** Files whose names point to no language have that of the next files. */
      readonly groups: readonly { readonly language: SpeechLanguage; readonly files: readonly File[] }[];
    }
  | { readonly tag: 'cancel-question'; readonly jobIds: readonly string[]; readonly endedIds: readonly string[] }
  | { readonly tag: 'export'; readonly jobIds: readonly string[] }
  | { readonly tag: 'menu' | 'details' | 'charge-question'; readonly jobId: string };

export interface AllRefused {
  readonly count: number;
  readonly failures: readonly Failure[];
}

const nothing = {
  overlay: { tag: 'none' } as Overlay,
  selectedIds: new Set() as ReadonlySet<string>,
  filter: 'all' as JobFilter,
  order: 'queue' as JobOrder,
  undos: [] as readonly (() => void)[],
  /** The row to scroll to; `opens`: its isolated audio is opened as soon as it is done. */
  wanted: null as { readonly jobId: string; readonly opens: boolean } | null,
  addingCount: 0,
  addingStep: null as { readonly doneCount: number; readonly totalCount: number } | null,
  stoppedAdding: null as { readonly addedCount: number; readonly leftCount: number } | null,
  repeated: null as { readonly files: AddedFiles['repeated']; readonly count: number } | null,
  cutShort: [] as readonly string[],
  refused: [] as readonly { readonly key: number; readonly name: string; readonly failure: Failure }[],
  unnamedCount: 0,
  failure: null as Failure | null,
};

export type JobsState = Readonly<typeof nothing>;

const namedAtOnce = 200;

const idsOf = (jobs: readonly JobView[]): string[] => jobs.map(({ id }) => id);

/** How the next recordings are isolated. */
export const nextIsolations = ({ restoresSpeech, restorationModel }: Settings) => ({
  restoresSpeech,
  ...(restoresSpeech && restorationModel !== '' && { restorationModel }),
});

/** State and commands of a list of jobs. The rows themselves live in main and arrive by events. */
export function createJobsStore(studio: StudioClient, of: JobView['kind'], settingsNow: () => Settings) {
  const store = createStore<JobsState>(() => nothing);
  const set = (change: Partial<JobsState>) => store.setState(change);
  const nextOptions = (): JobOptions => {
    const settings = settingsNow();
    const { speechLanguage: language, includeSpeakers, isolatesExcerpts: isExcerpt } = settings;
    return of === 'isolate'
      ? { kind: of, isExcerpt, ...nextIsolations(settings) }
      : { kind: of, language, includeSpeakers };
  };
  /** Null when it was refused, with the reason in the state. */
  const act = async <T>(answer: Promise<Result<T>>): Promise<T | null> => {
    set({ failure: null });
    const result = await answer;
    if (result.ok) return result.value;
    set({ failure: result.error });
    return null;
  };
  const ask = <M extends Parameters<StudioClient['request']>[0]>(method: M, input: RequestInput<M>) =>
    act(studio.request(method, input));
  const actOn = (jobIds: readonly string[], action: RowAction) => ask('jobs.act', { jobIds: [...jobIds], action });

  let lastKey = 0;
  let runningAdds = 0;
  const refuse = (files: readonly { readonly name: string; readonly failure: Failure }[], allCount = files.length) => {
    const added = files.map((file) => {
      lastKey += 1;
      return { ...file, key: lastKey };
    });
    store.setState(({ refused, unnamedCount }) => ({
      refused: [...refused, ...added],
      unnamedCount: unnamedCount + Math.max(0, allCount - files.length),
    }));
  };
  const showAdded = (added: Result<AddedFiles>) => {
    if (!added.ok) {
      set({ failure: added.error });
      return;
    }
    const { refused, refusedCount, addedCount, leftCount, repeated, repeatedCount, cutShort } = added.value;
    refuse(refused, refusedCount);
    if (leftCount > 0) set({ stoppedAdding: { addedCount, leftCount } });
    set({ cutShort });
    if (repeatedCount > 0) set({ repeated: { files: repeated, count: repeatedCount } });
  };
  const whileAdding = async <T>(count: number, add: () => Promise<T>): Promise<T> => {
    const { addingCount } = store.getState();
    set({ addingCount: addingCount + count, failure: null, stoppedAdding: null, repeated: null });
    runningAdds += 1;
    try {
      return await add();
    } finally {
      runningAdds -= 1;
      set({ addingCount: store.getState().addingCount - count, addingStep: null });
    }
  };
  /** What was rejected, if that is all there is to see. `followsNames`: the name points to the language. */
  const addDropped = (
    dropped: readonly File[],
    { followsNames = false, ...chosen }: { readonly followsNames?: boolean; readonly language?: SpeechLanguage } = {},
  ): Promise<AllRefused | null> =>
    whileAdding(dropped.length, async () => {
      const tokens: string[] = [];
      const unreadable: { readonly name: string; readonly failure: Failure }[] = [];
      for (let from = 0; from < dropped.length; from += namedAtOnce) {
        const some = dropped.slice(from, from + namedAtOnce);
        const answers = await Promise.all(some.map(async (file) => ({ file, token: await studio.fileTokenFor(file) })));
        for (const { file, token } of answers)
          if (token.ok) tokens.push(token.value);
          else unreadable.push({ name: file.name, failure: token.error });
      }
      refuse(unreadable);
      const failures = unreadable.map(({ failure }) => failure);
      if (tokens.length === 0) return { count: failures.length, failures };
      const options = { ...nextOptions(), ...chosen };
      const added = await studio.request('jobs.addDropped', { tokens, options, addsRepeats: false, followsNames });
      showAdded(added);
      if (!added.ok || added.value.addedCount + added.value.leftCount + added.value.repeatedCount > 0) return null;
      const { refused, refusedCount } = added.value;
      return {
        count: failures.length + refusedCount,
        failures: [...failures, ...refused.map(({ failure }) => failure)],
      };
    });

  return {
    ...store,
    of,
    ask,

    addDropped,
    /** Asks first if names point to several languages: a wrong language is charged and comes out wrong. */
    drop: async (dropped: readonly File[]): Promise<AllRefused | null> => {
      if (new Set(dropped.flatMap(({ name }) => languageInName(name) ?? [])).size < 2) return addDropped(dropped);
      const { speechLanguage } = settingsNow();
      const byLanguage = Object.groupBy(dropped, ({ name }) => languageInName(name) ?? speechLanguage);
      const groups = speechLanguages.flatMap((language) => {
        const files = byLanguage[language];
        return files === undefined ? [] : [{ language, files }];
      });
      set({ overlay: { tag: 'languages', groups } });
      return null;
    },
    addPicked: (from: 'files' | 'folder') =>
      whileAdding(0, async () => {
        showAdded(await studio.request('jobs.addPicked', { from, options: nextOptions() }));
      }),
    addSamples: () =>
      whileAdding(0, async () => {
        showAdded(await studio.request('jobs.addSamples', {}));
      }),
    addRepeated: async () => {
      const tokens = store.getState().repeated?.files.map(({ token }) => token) ?? [];
      set({ repeated: null });
      if (tokens.length === 0) return;
      await whileAdding(tokens.length, async () => {
        showAdded(await studio.request('jobs.addDropped', { tokens, options: nextOptions(), addsRepeats: true }));
      });
    },
    showAdding: (addingStep: JobsState['addingStep']) => {
      if (runningAdds > 0) set({ addingStep });
    },
    stopAdding: () => studio.request('files.stopAdding', {}),
    dismiss: (part: 'cutShort' | 'repeated' | 'stoppedAdding' | 'failure') => set({ [part]: nothing[part] }),
    dismissRefused: () => set({ refused: [], unnamedCount: 0 }),

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
      const asked = idsOf(jobs.filter(isTwin));
      if (asked.length > 0) await actOn(asked, 'undo-cancel');
      return count + restored.restoredCount;
    },

    select: (selectedIds: ReadonlySet<string>) => set({ selectedIds }),
    filterBy: (filter: JobFilter) => set({ filter, selectedIds: new Set() }),
    sortBy: (order: JobOrder) => set({ order }),
    goTo: (wanted: JobsState['wanted']) => set({ wanted }),

    keepUndo: (undo: () => void) => store.setState(({ undos }) => ({ undos: [...undos, undo] })),
    forgetUndo: (undo: () => void) => store.setState(({ undos }) => ({ undos: undos.filter((one) => one !== undo) })),

    show: (overlay: Overlay) => set({ overlay }),
    hide: () => set({ overlay: { tag: 'none' } }),
  };
}

export type JobsStore = ReturnType<typeof createJobsStore>;
