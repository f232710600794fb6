import { createStore } from 'zustand/vanilla';
import type { RowAction } from '../../../../shared/domain/jobs/job-view.ts';
import type { SpeechLanguage } from '../../../../shared/domain/languages.ts';
import type { Result } from '../../../../shared/result/result.ts';
import type { StudioClient } from '../../../bridge/client.ts';
import { Scope } from '../../../lib/scope.ts';
import { createAdding, nothingAdding, type AddingState } from '../../../parts/files/adding.ts';

export const isolateOrders = ['state', 'name', 'length', 'added'] as const;
export type IsolateOrder = (typeof isolateOrders)[number];

/** Rows that can be brought back together for a time; gone from the state when they were, or can't be any more. */
interface HiddenTogether {
  readonly jobIds: readonly string[];
  readonly undoMs: number;
}

export interface IsolateState extends AddingState {
  readonly menuOf: string | null;
  readonly cancelling: string | null;
  /** The opened result. It changes only when the user opens or closes one, or takes the one on offer. */
  readonly shownAudioId: string | null;
  /** The result of the only recording that was added; it opens by itself once that moves nothing under the pointer. */
  readonly offeredAudioId: string | null;
  readonly hidden: readonly HiddenTogether[];
  readonly selectedIds: ReadonlySet<string>;
  readonly order: IsolateOrder;
  /** The row that the user went to last; `opens`: its result is opened as soon as it is done. */
  readonly wanted: { readonly jobId: string; readonly opens: boolean } | null;
}

export interface IsolateOptions {
  readonly restoresSpeech: boolean;
  readonly restorationModel?: string;
  readonly isExcerpt: boolean;
}

/** State and commands of the Isolate section. The rows themselves live in main and arrive by events. */
export function createIsolateStore(studio: StudioClient) {
  const store = createStore<IsolateState>(() => ({
    ...nothingAdding,
    menuOf: null,
    cancelling: null,
    order: 'state',
    hidden: [],
    selectedIds: new Set(),
    shownAudioId: null,
    wanted: null,
    offeredAudioId: null,
  }));
  const adding = createAdding(studio, store);
  const { act } = adding;
  const wanted = (options: IsolateOptions) => ({ kind: 'isolate' as const, ...options });

  const scope = new Scope();
  const forget = (jobIds: readonly string[]) => {
    const isMeant = (one: HiddenTogether) => one.jobIds.some((id) => jobIds.includes(id));
    store.setState(({ hidden }) => ({ hidden: hidden.filter((one) => !isMeant(one)) }));
  };
  const unhide = async (jobIds: readonly string[]) => {
    forget(jobIds);
    for (const jobId of jobIds) await act(studio.request('isolation.unhide', { jobId }));
  };

  const goTo = (wanted: IsolateState['wanted']) => store.setState({ wanted });
  const addUnlessListed = async (answer: Promise<Result<{ jobId: string | null; isListed: boolean }>>) => {
    const added = await act(answer);
    if (added === null) return null;
    if (!added.isListed || added.jobId === null) return { jobId: added.jobId, listedId: null };
    goTo({ jobId: added.jobId, opens: false });
    return { jobId: null, listedId: added.jobId };
  };

  return {
    ...store,
    ...adding,
    goTo,
    addDropped: (dropped: readonly File[], options: IsolateOptions) => adding.addDropped(dropped, wanted(options)),
    addPicked: (from: 'files' | 'folder', options: IsolateOptions) => adding.addPicked(from, wanted(options)),
    addRepeated: (options: IsolateOptions) => adding.addRepeated(wanted(options)),
    show: (shownAudioId: string | null) => store.setState({ shownAudioId, offeredAudioId: null }),
    offer: (offeredAudioId: string) => {
      if (store.getState().shownAudioId === null) store.setState({ offeredAudioId });
    },
    sortBy: (order: IsolateOrder) => store.setState({ order }),
    split: (jobId: string) => act(studio.request('isolation.split', { jobId })),
    addExcerpt: (audioId: string, startMs: number) =>
      addUnlessListed(studio.request('isolation.addExcerpt', { audioId, startMs })),
    addWhole: (audioId: string) => addUnlessListed(studio.request('isolation.addWhole', { audioId })),
    addVariant: (audioId: string, { restorationModel }: IsolateOptions) =>
      addUnlessListed(
        studio.request('isolation.addVariant', {
          audioId,
          ...(restorationModel === undefined ? {} : { restorationModel }),
        }),
      ),
    useAsRecording: (audioId: string, transcriptId: string) =>
      act(studio.request('isolation.useAsRecording', { audioId, transcriptId })),
    useOriginal: (transcriptId: string) => act(studio.request('isolation.useOriginal', { transcriptId })),
    saveJoined: (audioId: string, format: 'wav' | 'flac' | 'mp3') =>
      act(studio.request('isolation.saveJoined', { audioId, format })),
    addSample: ({ isExcerpt: _none, ...options }: IsolateOptions) =>
      act(studio.request('isolation.addSample', options)),
    actOn: (jobIds: readonly string[], action: RowAction) =>
      act(studio.request('jobs.act', { jobIds: [...jobIds], action })),
    select: (selectedIds: ReadonlySet<string>) => store.setState({ selectedIds }),
    /** Accepts a new charge only if the retry needs one; the button says so. */
    retryAll: (jobIds: readonly string[]) => act(studio.request('isolation.retry', { jobIds: [...jobIds] })),
    /** Pass `acceptsNewCharge` only if the button says so. */
    retry: (jobId: string, acceptsNewCharge: boolean) => act(studio.request('jobs.retry', { jobId, acceptsNewCharge })),
    openEarlier: async (jobId: string) => {
      if ((await act(studio.request('jobs.copyResult', { jobId }))) !== null) goTo({ jobId, opens: true });
    },
    showRecording: (jobId: string) => act(studio.request('jobs.showRecording', { jobId })),
    locate: (jobId: string) => act(studio.request('jobs.locate', { jobId })),
    enterKey: () => act(studio.request('connection.enterKey', {})),
    hide: async (wanted: readonly string[]): Promise<HiddenTogether | null> => {
      const jobIds: string[] = [];
      let undoMs = 0;
      for (const jobId of wanted) {
        const done = await act(studio.request('isolation.hide', { jobId }));
        if (done === null) break;
        jobIds.push(jobId);
        undoMs = done.undoMs;
      }
      if (jobIds.length === 0) return null;
      const together = { jobIds, undoMs };
      store.setState(({ hidden, selectedIds }) => ({
        hidden: [...hidden, together],
        selectedIds: new Set([...selectedIds].filter((id) => !jobIds.includes(id))),
      }));
      scope.after(undoMs, () => forget(jobIds));
      return together;
    },
    unhide,
    undoHide: async () => {
      const last = store.getState().hidden.at(-1);
      if (last !== undefined) await unhide(last.jobIds);
    },
    prepare: (audioId: string, formats: ('mp3' | 'wav' | 'flac' | 'ogg' | 'original')[]) =>
      act(studio.request('isolation.prepare', { audioId, formats })),
    save: (audioId: string, format: 'mp3' | 'wav' | 'flac' | 'ogg' | 'original') =>
      act(studio.request('isolation.save', { audioId, format })),
    reveal: (revealToken: string) => act(studio.request('exports.reveal', { revealToken })),
    transcribe: (audioId: string, speech: { readonly language: SpeechLanguage; readonly includeSpeakers: boolean }) =>
      act(studio.request('isolation.transcribe', { audioId, ...speech })),
    showMenu: (menuOf: string | null) => store.setState({ menuOf }),
    askCancel: (cancelling: string | null) => store.setState({ cancelling }),
  };
}

export type IsolateStore = ReturnType<typeof createIsolateStore>;
