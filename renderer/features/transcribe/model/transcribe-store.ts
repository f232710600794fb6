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

/** A file that was not taken, until the person hides it. */
export interface RefusedFile {
  readonly key: number;
  readonly name: string;
  readonly failure: Failure;
}

/** How the next files are to be transcribed. */
export interface NextFiles {
  readonly language: SpeechLanguage;
  readonly includeSpeakers: boolean;
}

/** Dropped files whose names tell of the same language; what tells of none goes with the language of the next files. */
export interface SpokenGroup {
  readonly language: SpeechLanguage;
  readonly files: readonly File[];
}

/** What lies over the list, at most one thing at a time. */
export type Overlay =
  | { readonly tag: 'none' }
  | { readonly tag: 'languages'; readonly groups: readonly SpokenGroup[]; readonly next: NextFiles }
  | { readonly tag: 'cancel-many'; readonly jobIds: readonly string[]; readonly endedIds: readonly string[] }
  | { readonly tag: 'menu' | 'details' | 'cancel-question' | 'charge-question' | 'export'; readonly jobId: string };

/** How far adding files is, as main tells it. */
export interface AddingStep {
  readonly doneCount: number;
  readonly totalCount: number;
}

/** Names of dropped files are asked for so many at a time. */
const namedAtOnce = 200;

export interface TranscribeState {
  /** Files and folders that were given and are being looked at or added. */
  readonly addingCount: number;
  /** How far that is, where it takes long enough to be told. */
  readonly addingStep: AddingStep | null;
  /** What a person's stop of it led to, until it is hidden. */
  readonly stoppedAdding: { readonly addedCount: number; readonly leftCount: number } | null;
  /** Files that were in the queue already and not added again, until the notice of it is hidden. */
  readonly repeated: { readonly files: AddedFiles['repeated']; readonly count: number } | null;
  readonly refused: readonly RefusedFile[];
  /** Left out too, but too many to be named. */
  readonly unnamedCount: number;
  /** Why the last add came to nothing as a whole, or why an action on a row was refused. */
  readonly failure: Failure | null;
  readonly overlay: Overlay;
  readonly selectedIds: ReadonlySet<string>;
  readonly filter: QueueFilter;
  readonly order: QueueOrder;
  /** Takes back the last cancel or removal, while that can be done. */
  readonly undo: (() => void) | null;
}

/** State and commands of one Transcribe screen. Rows themselves live in main and arrive by events. */
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
  /** Shows what was left out of what was added. */
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
     * Takes dropped files and folders; what can't be taken is listed with its reason. With `followsNames` a file whose
     * name tells its language is sent in that one.
     */
    addDropped,

    /**
     * The same; where names tell of several languages it first asks in which to send them, because a recording in the
     * wrong one is charged and comes out wrong.
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

    /** Opens the system's dialog; nothing happens when it is cancelled. */
    addPicked: (from: 'files' | 'folder', next: NextFiles) =>
      whileAdding(0, async () => {
        showAdded(await studio.request('jobs.addPicked', { from, options: { kind: 'transcribe', ...next } }));
      }),

    /** The bundled recordings, each in its own language. */
    addSamples: () =>
      whileAdding(0, async () => {
        showAdded(await studio.request('jobs.addSamples', {}));
      }),

    /** Adds the files once more that were left out because they are in the queue already. */
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

    /** `acceptsNewCharge` only where the button says so. */
    retry: (job: JobView, acceptsNewCharge: boolean) =>
      act(studio.request('jobs.retry', { jobId: job.id, acceptsNewCharge })),
    /** Takes ended rows out of the list; how many, or null when it was refused. */
    remove: async (jobIds: readonly string[]): Promise<number | null> => {
      const [jobId = '', ...others] = jobIds;
      if (others.length === 0) return (await act(studio.request('jobs.remove', { jobId }))) === null ? null : 1;
      return (await act(studio.request('jobs.act', { jobIds: [...jobIds], action: 'remove' })))?.changedCount ?? null;
    },
    /** One request for many rows; answers how many changed and how many of them the service has all the same. */
    actOn: (jobIds: readonly string[], action: RowAction) =>
      act(studio.request('jobs.act', { jobIds: [...jobIds], action })),
    /** Puts rows back that were removed; how many, or null when it was refused. */
    bringBack: async (jobIds: readonly string[]) =>
      (await act(studio.request('jobs.bringBack', { jobIds: [...jobIds] })))?.restoredCount ?? null,
    /** Puts rows before another one; behind all when `beforeId` is null. */
    move: (jobIds: readonly string[], beforeId: string | null) =>
      act(studio.request('jobs.move', { jobIds: [...jobIds], beforeId })),
    runNext: (job: JobView) => act(studio.request('jobs.runNext', { jobId: job.id })),
    changeLanguage: (job: JobView, language: SpeechLanguage) =>
      act(studio.request('jobs.changeLanguage', { jobId: job.id, language })),
    /** The whole text of a finished row as plain text; null when it could not be read. */
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
    /** Answers with the name it was saved under, or null. */
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

    /** Keeps the way back from what was just done; null: there is none any more. */
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
    /** How far the adding is, as main tells it. */
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
