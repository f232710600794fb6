import { createStore } from 'zustand/vanilla';
import { languageInName } from '../../../../shared/domain/imports/guess-language.ts';
import type { RowAction } from '../../../../shared/domain/jobs/queue-view.ts';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { speechLanguages, type SpeechLanguage } from '../../../../shared/domain/languages.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import type { Result } from '../../../../shared/result/result.ts';
import type { StudioClient } from '../../../bridge/client.ts';
import type { AddedFiles } from '../../../bridge/types.ts';
import type { QueueFilter, QueueOrder } from './queue-order.ts';

/** A file that was rejected, listed until the user hides it. */
export interface RefusedFile {
  readonly key: number;
  readonly name: string;
  readonly failure: Failure;
}

/** The options of the next files. */
export interface NextFiles {
  readonly language: SpeechLanguage;
  readonly includeSpeakers: boolean;
}

/**
 * Dropped files whose names point to the same language; files whose names point to none get the language of the next
 * files.
 */
export interface SpokenGroup {
  readonly language: SpeechLanguage;
  readonly files: readonly File[];
}

/** The dialog over the list; at most one is open. */
export type Overlay =
  | { readonly tag: 'none' }
  | { readonly tag: 'languages'; readonly groups: readonly SpokenGroup[]; readonly next: NextFiles }
  | { readonly tag: 'cancel-many'; readonly jobIds: readonly string[]; readonly endedIds: readonly string[] }
  | { readonly tag: 'menu' | 'details' | 'cancel-question' | 'charge-question' | 'export'; readonly jobId: string };

/** The progress of adding files, as main reports it. */
export interface AddingStep {
  readonly doneCount: number;
  readonly totalCount: number;
}

/** The names of dropped files are sent to main in chunks of this size. */
const namedAtOnce = 200;

export interface TranscribeState {
  /** The number of files and folders being examined or added. */
  readonly addingCount: number;
  /** The progress, if it takes long enough to be reported. */
  readonly addingStep: AddingStep | null;
  /** The result of stopping it, until the user hides it. */
  readonly stoppedAdding: { readonly addedCount: number; readonly leftCount: number } | null;
  /** Skipped files that the queue already has, until the user hides the notice. */
  readonly repeated: { readonly files: AddedFiles['repeated']; readonly count: number } | null;
  readonly refused: readonly RefusedFile[];
  /** Files that were skipped as well but are too many to be named. */
  readonly unnamedCount: number;
  /** Why adding failed as a whole, or why an action on a row was refused. */
  readonly failure: Failure | null;
  readonly overlay: Overlay;
  readonly selectedIds: ReadonlySet<string>;
  readonly filter: QueueFilter;
  readonly order: QueueOrder;
  /** Undoes the last cancellation or removal while that is possible. */
  readonly undo: (() => void) | null;
}

/** State and commands of the Transcribe screen. The rows themselves live in main and arrive by events. */
export function createTranscribeStore(studio: StudioClient) {
  const store = createStore<TranscribeState>(() => ({
    addingCount: 0,
    addingStep: null,
    stoppedAdding: null,
    repeated: null,
    refused: [],
    unnamedCount: 0,
    failure: null,
    overlay: { tag: 'none' },
    selectedIds: new Set(),
    filter: 'all',
    order: 'queue',
    undo: null,
  }));
  let lastKey = 0;
  let runningAdds = 0;

  const refuse = (files: readonly { readonly name: string; readonly failure: Failure }[]) => {
    if (files.length === 0) return;
    const added = files.map((file) => {
      lastKey += 1;
      return { ...file, key: lastKey };
    });
    store.setState(({ refused }) => ({ refused: [...refused, ...added] }));
  };
  const fail = (failure: Failure) => {
    store.setState({ failure });
  };
  const whileAdding = async (count: number, add: () => Promise<void>) => {
    store.setState((state) => ({
      addingCount: state.addingCount + count,
      failure: null,
      stoppedAdding: null,
      repeated: null,
    }));
    runningAdds += 1;
    await add();
    runningAdds -= 1;
    store.setState((state) => ({ addingCount: state.addingCount - count, addingStep: null }));
  };
  const refuseAll = (files: readonly { readonly name: string; readonly failure: Failure }[], allCount: number) => {
    refuse(files);
    store.setState(({ unnamedCount }) => ({ unnamedCount: unnamedCount + Math.max(0, allCount - files.length) }));
  };
  /** Shows which files were skipped or rejected. */
  const showAdded = (added: Result<AddedFiles>) => {
    if (!added.ok) {
      fail(added.error);
      return;
    }
    const { refused, refusedCount, addedCount, leftCount, repeated, repeatedCount } = added.value;
    refuseAll(refused, refusedCount);
    if (leftCount > 0) store.setState({ stoppedAdding: { addedCount, leftCount } });
    if (repeatedCount > 0) store.setState({ repeated: { files: repeated, count: repeatedCount } });
  };
  const act = async <T>(answer: Promise<Result<T>>): Promise<T | null> => {
    store.setState({ failure: null });
    const result = await answer;
    if (result.ok) return result.value;
    fail(result.error);
    return null;
  };

  const addDropped = (dropped: readonly File[], next: NextFiles, followsNames = false) =>
    whileAdding(dropped.length, async () => {
      const tokens: string[] = [];
      for (let from = 0; from < dropped.length; from += namedAtOnce) {
        const some = dropped.slice(from, from + namedAtOnce);
        const answers = await Promise.all(some.map(async (file) => ({ file, token: await studio.fileTokenFor(file) })));
        refuse(answers.flatMap(({ file, token }) => (token.ok ? [] : [{ name: file.name, failure: token.error }])));
        tokens.push(...answers.flatMap(({ token }) => (token.ok ? [token.value] : [])));
      }
      if (tokens.length === 0) return;
      const options = { kind: 'transcribe', ...next } as const;
      showAdded(await studio.request('jobs.addDropped', { tokens, options, addsRepeats: false, followsNames }));
    });

  return {
    ...store,

    /**
     * Adds dropped files and folders, and lists what is rejected with its reason. With `followsNames` a file is sent in
     * the language its name points to.
     */
    addDropped,

    /**
     * Like `addDropped`, but asks first if the names point to several languages, because a recording sent in the wrong
     * language is charged and comes out wrong.
     */
    drop: (dropped: readonly File[], next: NextFiles) => {
      if (new Set(dropped.flatMap(({ name }) => languageInName(name) ?? [])).size < 2) {
        void addDropped(dropped, next);
        return;
      }
      const byLanguage = Object.groupBy(dropped, ({ name }) => languageInName(name) ?? next.language);
      store.setState({
        overlay: {
          tag: 'languages',
          next,
          groups: speechLanguages.flatMap((language) => {
            const files = byLanguage[language];
            return files === undefined ? [] : [{ language, files }];
          }),
        },
      });
    },

    /** Opens the system dialog; cancelling it changes nothing. */
    addPicked: (from: 'files' | 'folder', next: NextFiles) =>
      whileAdding(0, async () => {
        showAdded(await studio.request('jobs.addPicked', { from, options: { kind: 'transcribe', ...next } }));
      }),

    /** Adds the bundled recordings, each in its own language. */
    addSamples: () =>
      whileAdding(0, async () => {
        showAdded(await studio.request('jobs.addSamples', {}));
      }),

    /** Adds the files that were skipped because they are already in the queue. */
    addRepeated: async (next: NextFiles) => {
      const tokens = store.getState().repeated?.files.map(({ token }) => token) ?? [];
      store.setState({ repeated: null });
      if (tokens.length === 0) return;
      const options = { kind: 'transcribe', ...next } as const;
      await whileAdding(tokens.length, async () => {
        showAdded(await studio.request('jobs.addDropped', { tokens, options, addsRepeats: true }));
      });
    },
    hideRepeated: () => {
      store.setState({ repeated: null });
    },

    /** Pass `acceptsNewCharge` only if the button says so. */
    retry: (job: JobView, acceptsNewCharge: boolean) =>
      act(studio.request('jobs.retry', { jobId: job.id, acceptsNewCharge })),
    /** Removes ended rows from the list; returns how many, or null if the request was refused. */
    remove: async (jobIds: readonly string[]): Promise<number | null> => {
      const [jobId = '', ...others] = jobIds;
      if (others.length === 0) return (await act(studio.request('jobs.remove', { jobId }))) === null ? null : 1;
      return (await act(studio.request('jobs.act', { jobIds: [...jobIds], action: 'remove' })))?.changedCount ?? null;
    },
    /** Sends one request for many rows; returns how many changed and how many of them the service has nevertheless. */
    actOn: (jobIds: readonly string[], action: RowAction) =>
      act(studio.request('jobs.act', { jobIds: [...jobIds], action })),
    /** Restores removed rows; returns how many, or null if the request was refused. */
    bringBack: async (jobIds: readonly string[]) =>
      (await act(studio.request('jobs.bringBack', { jobIds: [...jobIds] })))?.restoredCount ?? null,
    /** Moves rows before another one, or to the end if `beforeId` is null. */
    move: (jobIds: readonly string[], beforeId: string | null) =>
      act(studio.request('jobs.move', { jobIds: [...jobIds], beforeId })),
    runNext: (job: JobView) => act(studio.request('jobs.runNext', { jobId: job.id })),
    changeLanguage: (job: JobView, language: SpeechLanguage) =>
      act(studio.request('jobs.changeLanguage', { jobId: job.id, language })),
    /** The whole transcript of a finished row as plain text; null if it could not be read. */
    readText: async (transcriptId: string) => {
      const made = await act(
        studio.request('exports.render', { transcriptId, format: 'txt', options: {}, source: 'studio', part: 'all' }),
      );
      return made?.kind === 'text' ? made.text : null;
    },
    copyResult: (job: JobView) => act(studio.request('jobs.copyResult', { jobId: job.id })),
    locate: (job: JobView) => act(studio.request('jobs.locate', { jobId: job.id })),
    showRecording: (job: JobView) => act(studio.request('jobs.showRecording', { jobId: job.id })),
    hold: (isHeld: boolean) => act(studio.request('jobs.hold', { isHeld })),
    resumeQueue: () => act(studio.request('jobs.resumeQueue', {})),
    recheckKey: () => act(studio.request('connection.recheckKey', {})),
    enterKey: () => act(studio.request('connection.enterKey', {})),
    /** Returns the name it was saved under, or null. */
    saveRawAnswer: async (job: JobView) =>
      (await act(studio.request('jobs.saveRawAnswer', { jobId: job.id })))?.savedAs ?? null,

    select: (selectedIds: ReadonlySet<string>) => {
      store.setState({ selectedIds });
    },
    filterBy: (filter: QueueFilter) => {
      store.setState({ filter, selectedIds: new Set() });
    },
    sortBy: (order: QueueOrder) => {
      store.setState({ order });
    },

    /** Remembers how to undo the last action; null means it can't be undone. */
    keepUndo: (undo: (() => void) | null) => {
      store.setState({ undo });
    },

    show: (overlay: Overlay) => {
      store.setState({ overlay });
    },
    hide: () => {
      store.setState({ overlay: { tag: 'none' } });
    },
    hideRefused: (key: number) => {
      store.setState(({ refused }) => ({ refused: refused.filter((file) => file.key !== key) }));
    },
    hideAllRefused: () => {
      store.setState({ refused: [], unnamedCount: 0 });
    },
    /** Subscribes to the progress of adding files. */
    showAdding: (addingStep: AddingStep) => {
      if (runningAdds > 0) store.setState({ addingStep });
    },
    stopAdding: () => studio.request('files.stopAdding', {}),
    hideStopped: () => {
      store.setState({ stoppedAdding: null });
    },
    hideFailure: () => {
      store.setState({ failure: null });
    },
  };
}

export type TranscribeStore = ReturnType<typeof createTranscribeStore>;
