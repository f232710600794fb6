import { createStore } from 'zustand/vanilla';
import { languageInName } from '../../../../shared/domain/imports/guess-language.ts';
import type { RowAction, JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { speechLanguages, type SpeechLanguage } from '../../../../shared/domain/languages.ts';
import type { StudioClient } from '../../../bridge/client.ts';
import { createAdding, nothingAdding, type AddingState, type AllRefused } from '../../../parts/files/adding.ts';
import type { QueueFilter, QueueOrder } from './queue-order.ts';

export interface NextFiles {
  readonly language: SpeechLanguage;
  readonly includeSpeakers: boolean;
}

export type Overlay =
  | { readonly tag: 'none' }
  | {
      readonly tag: 'languages';
      /** Files whose names point to no language have that of the next files. */
      readonly groups: readonly { readonly language: SpeechLanguage; readonly files: readonly File[] }[];
      readonly next: NextFiles;
    }
  | { readonly tag: 'cancel-many'; readonly jobIds: readonly string[]; readonly endedIds: readonly string[] }
  | { readonly tag: 'menu' | 'details' | 'cancel-question' | 'charge-question' | 'export'; readonly jobId: string };

export interface TranscribeState extends AddingState {
  readonly overlay: Overlay;
  readonly selectedIds: ReadonlySet<string>;
  readonly filter: QueueFilter;
  readonly order: QueueOrder;
  readonly undos: readonly (() => void)[];
}

/** State and commands of the Transcribe screen. The rows themselves live in main and arrive by events. */
export function createTranscribeStore(studio: StudioClient) {
  const store = createStore<TranscribeState>(() => ({
    ...nothingAdding,
    overlay: { tag: 'none' },
    selectedIds: new Set(),
    filter: 'all',
    order: 'queue',
    undos: [],
  }));
  const adding = createAdding(studio, store);
  const { act } = adding;
  const addDropped = (dropped: readonly File[], next: NextFiles, followsNames = false) =>
    adding.addDropped(dropped, { kind: 'transcribe', ...next }, followsNames);

  return {
    ...store,
    ...adding,

    /** With `followsNames` a file is sent in the language its name points to. */
    addDropped,

    /** Asks first if names point to several languages: a wrong language is charged and comes out wrong. */
    drop: async (dropped: readonly File[], next: NextFiles): Promise<AllRefused | null> => {
      if (new Set(dropped.flatMap(({ name }) => languageInName(name) ?? [])).size < 2) return addDropped(dropped, next);
      const byLanguage = Object.groupBy(dropped, ({ name }) => languageInName(name) ?? next.language);
      const groups = speechLanguages.flatMap((language) => {
        const files = byLanguage[language];
        return files === undefined ? [] : [{ language, files }];
      });
      store.setState({ overlay: { tag: 'languages', next, groups } });
      return null;
    },

    addPicked: (from: 'files' | 'folder', next: NextFiles) => adding.addPicked(from, { kind: 'transcribe', ...next }),
    addRepeated: (next: NextFiles) => adding.addRepeated({ kind: 'transcribe', ...next }),

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
    bringBack: async (jobIds: readonly string[]) =>
      (await act(studio.request('jobs.bringBack', { jobIds: [...jobIds] })))?.restoredCount ?? null,
    move: (jobIds: readonly string[], beforeId: string | null) =>
      act(studio.request('jobs.move', { jobIds: [...jobIds], beforeId })),
    runNext: (job: JobView) => act(studio.request('jobs.runNext', { jobId: job.id })),
    changeLanguage: (job: JobView, language: SpeechLanguage) =>
      act(studio.request('jobs.changeLanguage', { jobId: job.id, language })),
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
    saveRawAnswer: async (job: JobView) =>
      (await act(studio.request('jobs.saveRawAnswer', { jobId: job.id })))?.savedAs ?? null,

    select: (selectedIds: ReadonlySet<string>) => store.setState({ selectedIds }),
    filterBy: (filter: QueueFilter) => store.setState({ filter, selectedIds: new Set() }),
    sortBy: (order: QueueOrder) => store.setState({ order }),

    keepUndo: (undo: () => void) => store.setState(({ undos }) => ({ undos: [...undos, undo] })),
    forgetUndo: (undo: () => void) => store.setState(({ undos }) => ({ undos: undos.filter((one) => one !== undo) })),

    show: (overlay: Overlay) => store.setState({ overlay }),
    hide: () => store.setState({ overlay: { tag: 'none' } }),
  };
}

export type TranscribeStore = ReturnType<typeof createTranscribeStore>;
