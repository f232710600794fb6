import type { Failure } from '../../../shared/result/failure.ts';
import type { Result } from '../../../shared/result/result.ts';
import type { StudioClient } from '../../bridge/client.ts';
import type { AddedFiles, JobOptions } from '../../bridge/types.ts';

export interface AllRefused {
  readonly count: number;
  readonly failures: readonly Failure[];
}

export interface AddingStep {
  readonly doneCount: number;
  readonly totalCount: number;
}

export interface AddingState {
  readonly addingCount: number;
  readonly addingStep: AddingStep | null;
  readonly stoppedAdding: { readonly addedCount: number; readonly leftCount: number } | null;
  readonly repeated: { readonly files: AddedFiles['repeated']; readonly count: number } | null;
  readonly cutShort: readonly string[];
  readonly refused: readonly { readonly key: number; readonly name: string; readonly failure: Failure }[];
  readonly unnamedCount: number;
  readonly failure: Failure | null;
}

export const nothingAdding: AddingState = {
  addingCount: 0,
  addingStep: null,
  stoppedAdding: null,
  repeated: null,
  cutShort: [],
  refused: [],
  unnamedCount: 0,
  failure: null,
};

interface AddingStore {
  getState(): AddingState;
  setState(change: (state: AddingState) => Partial<AddingState>): void;
}

const namedAtOnce = 200;

export function createAdding(studio: StudioClient, store: AddingStore) {
  let lastKey = 0;
  let runningAdds = 0;
  const set = (change: Partial<AddingState>) => store.setState(() => change);
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
    store.setState(({ addingCount }) => ({
      addingCount: addingCount + count,
      failure: null,
      stoppedAdding: null,
      repeated: null,
    }));
    runningAdds += 1;
    try {
      return await add();
    } finally {
      runningAdds -= 1;
      store.setState(({ addingCount }) => ({ addingCount: addingCount - count, addingStep: null }));
    }
  };

  return {
    /** What was rejected, if that is all there is to see. `followsNames`: the name points to the language. */
    addDropped: (dropped: readonly File[], options: JobOptions, followsNames = false): Promise<AllRefused | null> =>
      whileAdding(dropped.length, async () => {
        const tokens: string[] = [];
        const unreadable: { readonly name: string; readonly failure: Failure }[] = [];
        for (let from = 0; from < dropped.length; from += namedAtOnce) {
          const some = dropped.slice(from, from + namedAtOnce);
          const answers = await Promise.all(
            some.map(async (file) => ({ file, token: await studio.fileTokenFor(file) })),
          );
          unreadable.push(
            ...answers.flatMap(({ file, token }) => (token.ok ? [] : [{ name: file.name, failure: token.error }])),
          );
          tokens.push(...answers.flatMap(({ token }) => (token.ok ? [token.value] : [])));
        }
        refuse(unreadable);
        const failures = unreadable.map(({ failure }) => failure);
        if (tokens.length === 0) return { count: failures.length, failures };
        const added = await studio.request('jobs.addDropped', { tokens, options, addsRepeats: false, followsNames });
        showAdded(added);
        if (!added.ok || added.value.addedCount + added.value.leftCount + added.value.repeatedCount > 0) return null;
        const { refused, refusedCount } = added.value;
        return {
          count: failures.length + refusedCount,
          failures: [...failures, ...refused.map(({ failure }) => failure)],
        };
      }),
    addPicked: (from: 'files' | 'folder', options: JobOptions) =>
      whileAdding(0, async () => {
        showAdded(await studio.request('jobs.addPicked', { from, options }));
      }),
    addSamples: () =>
      whileAdding(0, async () => {
        showAdded(await studio.request('jobs.addSamples', {}));
      }),
    addRepeated: async (options: JobOptions) => {
      const tokens = store.getState().repeated?.files.map(({ token }) => token) ?? [];
      set({ repeated: null });
      if (tokens.length === 0) return;
      await whileAdding(tokens.length, async () => {
        showAdded(await studio.request('jobs.addDropped', { tokens, options, addsRepeats: true }));
      });
    },
    hideCutShort: () => set({ cutShort: [] }),
    hideRepeated: () => set({ repeated: null }),
    hideAllRefused: () => set({ refused: [], unnamedCount: 0 }),
    showAdding: (addingStep: AddingStep) => {
      if (runningAdds > 0) set({ addingStep });
    },
    stopAdding: () => studio.request('files.stopAdding', {}),
    hideStopped: () => set({ stoppedAdding: null }),
    hideFailure: () => set({ failure: null }),
    /** Null when it was refused, with the reason in the state. */
    act: async <T>(answer: Promise<Result<T>>): Promise<T | null> => {
      set({ failure: null });
      const result = await answer;
      if (result.ok) return result.value;
      set({ failure: result.error });
      return null;
    },
  };
}
