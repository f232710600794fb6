import { createStore, type StoreApi } from 'zustand/vanilla';
import type { SpeechLanguage } from '../../../../shared/domain/languages.ts';
import { requestIdentity, type SpeechBlock, type SpeechDefaults } from '../../../../shared/domain/speech/blocks.ts';
import { withFit } from '../../../../shared/domain/speech/slots.ts';
import { titleOf, type SpeechDocument } from '../../../../shared/domain/speech/speech-document.ts';
import {
  withDefaults,
  withImport,
  withMerge,
  withOtherVoice,
  withSplit,
  withText,
  withWords,
  type ImportedText,
} from '../../../../shared/domain/speech/edit-document.ts';
import type { VoiceMarks } from '../../../../shared/domain/speech/voices.ts';
import type { SpeechPlayer } from '../../../audio/speech-player.ts';
import type { StudioClient } from '../../../bridge/client.ts';
import type { ShownTake } from '../../../bridge/types.ts';
import { Scope } from '../../../lib/scope.ts';
import { blockStatus, measuredPace, withTakes, type BlockStatus } from './block-status.ts';
import { initialState, type SpeakOptions, type SpeakState } from './speak-state.ts';
import { createRequestReader, type Pronunciations } from './request-reader.ts';
import { createGeneration, type BlockOrder, hasOpenQuestion, isMissing, ordersFrom } from './generation.ts';

const saveAfterMs = 300;
const lookAfterMs = 150;
/** Typing, or dragging one slider, within this time is one undo step. */
const stepMs = 1200;
interface PlayOptions {
  /** How many sentences, by default all that follow. */
  readonly count?: number;
  /** Into the first sentence, milliseconds. */
  readonly fromMs?: number;
}
type Change = 'typing' | 'speed' | 'choice' | 'pronunciations';
const mostSteps = 200;

/** A reading that a sentence has no more after its words changed. */
function lostIn(before: SpeechDocument, after: SpeechDocument): SpeakState['lostReading'] {
  if (before.text === after.text) return null;
  const now = new Map(after.blocks.map((block) => [block.id, block]));
  const lost = before.blocks.find(({ id, readAs }) => readAs !== null && now.get(id)?.readAs === null);
  return lost === undefined || lost.readAs === null ? null : { blockId: lost.id, readAs: lost.readAs };
}

/** The speed at which its take is heard. */
const heardSpeed = ({ request, status: { take, tempo } }: BlockOrder): number =>
  take === null ? request.speed : take.speed * tempo;

export type SpeakStore = ReturnType<typeof createSpeakStore>;

/** The open text, the state of its blocks, and its commands. Lives as long as the window. */
export function createSpeakStore(studio: StudioClient, player: SpeechPlayer, newId = () => crypto.randomUUID()) {
  const store: StoreApi<SpeakState> = createStore<SpeakState>(() => initialState);
  const scope = new Scope();
  const { getState: get, setState: set } = store;
  const requestsFor = createRequestReader();
  let asked = new Set<string>();
  let cancelSave: (() => void) | null = null;
  let cancelLook: (() => void) | null = null;
  let cancelHear: (() => void) | null = null;
  let last: { readonly kind: Change; readonly atMs: number } = { kind: 'choice', atMs: 0 };

  const save = async () => {
    cancelSave?.();
    cancelSave = null;
    const { document } = get();
    if (document === null) return;
    set({ saving: 'saving' });
    const answer = await studio.request('speak.save', { document: document as never });
    if (get().document !== document) return;
    if (!answer.ok) return set({ saving: answer.error });
    const line = { id: document.id, title: titleOf(document), updatedAtMs: Date.now() };
    const others = get().documents.filter(({ id }) => id !== document.id);
    set({ saving: 'saved', failure: null, documents: [line, ...others] });
  };

  const saveSoon = () => {
    cancelSave?.();
    cancelSave = scope.after(saveAfterMs, () => void save());
  };

  /** What plays goes on at a new speed as soon as the slider rests. */
  const hearSoon = () => {
    cancelHear?.();
    cancelHear = scope.after(saveAfterMs, () => {
      if (player.getState().status === 'playing') resume();
    });
  };

  /** Asks for existing takes of contents that were not looked up yet. */
  const look = async () => {
    cancelLook = null;
    const wanted = get().requests.filter((request) => !asked.has(requestIdentity(request)) && request.voiceId !== '');
    if (wanted.length === 0) return;
    for (const request of wanted) asked.add(requestIdentity(request));
    const found = await studio.request('speak.findTakes', { requests: [...wanted] });
    if (found.ok) addTakes(found.value.takes);
    else asked = new Set();
  };

  const show = (document: SpeechDocument, more: Partial<SpeakState> = {}) => {
    set({ ...more, document, requests: requestsFor(document, more.pronunciations ?? get().pronunciations) });
    cancelLook ??= scope.after(lookAfterMs, () => void look());
  };

  /** Every change goes through here: it is shown, saved, and can be undone. */
  const change = (document: SpeechDocument, kind: Change = 'choice') => {
    const before = get().document;
    if (before === null || document === before) return;
    const now = performance.now();
    const isSameStep = kind !== 'choice' && kind === last.kind && now - last.atMs <= stepMs;
    const { steps } = get();
    last = { kind, atMs: now };
    if (kind === 'speed') hearSoon();
    show(document, {
      saving: 'saving',
      held: null,
      gapId: null,
      lostReading: lostIn(before, document) ?? get().lostReading,
      steps: isSameStep ? steps : [...steps, before].slice(-mostSteps),
      undone: [],
      ...(kind === 'typing' || document.text === before.text ? {} : { textRevision: get().textRevision + 1 }),
    });
    saveSoon();
  };

  /** Takes the latest text from one list and leaves the shown one in the other. */
  const step = (from: 'steps' | 'undone', to: 'steps' | 'undone') => {
    const { document: shown, textRevision, [from]: left, [to]: kept } = get();
    const document = left.at(-1);
    if (document === undefined || shown === null) return;
    last = { kind: 'choice', atMs: 0 };
    const lists = { [from]: left.slice(0, -1), [to]: [...kept, shown] };
    show(document, { ...lists, saving: 'saving', held: null, textRevision: textRevision + 1 });
    saveSoon();
  };

  const addTakes = (came: readonly ShownTake[], chosenFor?: string) => {
    const { takes, byIdentity, blocks } = withTakes(get(), came, chosenFor);
    set({ takes, byIdentity });
    const { document } = get();
    if (document === null || blocks.every((block, index) => block === document.blocks[index])) return;
    show({ ...document, blocks }, { saving: 'saving' });
    cancelSave ??= scope.after(saveAfterMs, () => void save());
  };

  /** Shows the text that came. Says whether it did: a text that is open stays open otherwise. */
  const accept = async (answer: ReturnType<typeof studio.request<'speak.open'>>): Promise<boolean> => {
    const opened = await answer;
    if (!opened.ok) {
      set({ status: get().document === null ? 'failed' : 'ready', failure: opened.error });
      return false;
    }
    const { document, documents, takes, pronunciations, voiceMarks } = opened.value;
    asked = new Set();
    const byId = new Map(takes.map((take) => [take.id, take] as const));
    show(document as SpeechDocument, {
      status: 'ready',
      failure: null,
      documents,
      marks: voiceMarks,
      takes: byId,
      byIdentity: new Map(),
      pronunciations: pronunciations as Pronunciations,
      work: new Map(),
      held: null,
      gapId: null,
      lostReading: null,
      saving: 'saved',
      steps: [],
      undone: [],
      textRevision: get().textRevision + 1,
    });
    return true;
  };
  /** A text that can't be saved isn't left for another one. */
  const leave = async (): Promise<boolean> => {
    generation.stop();
    if (get().document === null) return true;
    if (get().saving !== 'saved') await save();
    // What changed meanwhile is saved too.
    while (get().saving === 'saving' && get().document !== null) await save();
    const { saving } = get();
    if (typeof saving === 'object') set({ failure: saving });
    return saving === 'saved';
  };

  const statusOf = (index: number): BlockStatus | null => {
    const { document, requests } = get();
    const block = document?.blocks[index];
    const request = requests[index];
    return block === undefined || request === undefined ? null : blockStatus(block, request, get());
  };

  const patchDocument = (patch: Partial<SpeechDocument>, kind?: Change) => {
    const { document } = get();
    if (document !== null) change({ ...document, ...patch }, kind);
  };
  const patchBlock = (id: string, patch: Partial<SpeechBlock>) => {
    const { document } = get();
    if (document === null) return;
    const isSlid = patch.speed !== undefined || patch.pauseMs !== undefined;
    patchDocument(
      { blocks: document.blocks.map((block) => (block.id === id ? { ...block, ...patch } : block)) },
      patch.readAs !== undefined || patch.comment !== undefined ? 'typing' : isSlid ? 'speed' : 'choice',
    );
  };
  /** Changes the text that is open. */
  const edit = (next: (document: SpeechDocument) => SpeechDocument, kind?: Change) => {
    const { document } = get();
    if (document !== null) change(next(document), kind);
  };

  const generation = createGeneration({ studio, player, store, addTakes });
  /** What was started last: the speed of each sentence, and the sentence that it ends before. */
  let started = { speeds: new Map<string, number>(), end: 0 };

  /**
   * Plays what exists from this block on, and ends before the first that has no audio; nothing is ever sent. From the
   * beginning of a text, what has no audio yet is passed over.
   */
  const play = (from: number, { count = Infinity, fromMs = 0 }: PlayOptions = {}) => {
    const isSilent = ({ status }: BlockOrder) => status.take === null;
    const wanted = ordersFrom(get(), from, count);
    const begin =
      from === 0 && count > 1
        ? Math.max(
            0,
            wanted.findIndex((one) => !isSilent(one)),
          )
        : 0;
    const orders = wanted.slice(begin);
    const gap = orders.findIndex(isSilent);
    set({ held: null, gapId: orders[gap]?.blockId ?? null });
    started = { speeds: new Map(orders.map((one) => [one.blockId, heardSpeed(one)])), end: from + count };
    generation.play(gap === -1 ? orders : orders.slice(0, gap), fromMs);
  };

  /** Goes on, after a pause or while it plays, at the same words and at the speed that was chosen meanwhile. */
  const resume = () => {
    const { document, isGenerating } = get();
    const { heardId, heardMs } = player.getState();
    const { speeds, end } = started;
    const index = document?.blocks.findIndex(({ id }) => id === heardId) ?? -1;
    const orders = index < 0 || isGenerating ? [] : ordersFrom(get(), index, end - index);
    const factorOf = (one: BlockOrder) => heardSpeed(one) / (speeds.get(one.blockId) ?? heardSpeed(one));
    const [first] = orders;
    if (first === undefined || orders.every((one) => Math.abs(factorOf(one) - 1) < 0.001)) player.resume();
    else play(index, { count: end - index, fromMs: heardMs / factorOf(first) });
  };

  /**
   * Generates what has no audio from this block on, and plays from there. Nothing is sent as long as it is open in which
   * language, and by which voice, one of them is read: it would be paid for again after the answer.
   */
  const speak = (from = 0, { count = Infinity, ...options }: SpeakOptions = {}) => {
    const wanted = ordersFrom(get(), from, count);
    const begin = wanted.findIndex((one) => isMissing(one, options));
    if (begin === -1) return play(from, { count });
    const orders = wanted.slice(begin);
    const [first] = orders;
    set({ held: null, gapId: null });
    if (first === undefined || !hasOpenQuestion(orders, options)) {
      const speedOf = (one: BlockOrder) => (isMissing(one, options) ? one.request.speed : heardSpeed(one));
      started = { speeds: new Map(orders.map((one) => [one.blockId, speedOf(one)])), end: from + count };
      return generation.begin(orders, options);
    }
    generation.stop();
    set({ held: { blockId: first.blockId, options: { count: count - begin, ...options } } });
  };

  return Object.assign(store, {
    /** Saves everything; false when that failed. Nothing more is generated. */
    leave,
    load: () => accept(studio.request('speak.open', { documentId: null })),
    open: async (documentId: string) => (await leave()) && accept(studio.request('speak.open', { documentId })),
    /** Says whether the new text is open: false leaves the former one there, which must not be written over. */
    async create() {
      if (!(await leave())) return false;
      const defaults = get().document?.defaults;
      return defaults !== undefined && accept(studio.request('speak.create', { defaults: defaults as never }));
    },
    async remove() {
      const { document } = get();
      if (document === null) return;
      generation.stop();
      cancelSave?.();
      cancelSave = null;
      const removed = await studio.request('speak.remove', { documentId: document.id });
      if (!removed.ok) {
        set({ orderFailure: removed.error });
        saveSoon();
        return;
      }
      set({ document: null, saving: 'saved' });
      await accept(studio.request('speak.open', { documentId: null }));
    },
    undo: () => step('steps', 'undone'),
    redo: () => step('undone', 'steps'),
    /** The text field undoes the latest typing by itself, and keeps the cursor. */
    isTypedLast: () => last.kind === 'typing' && last.atMs > 0,
    setText: (text: string, { isTyping }: { readonly isTyping: boolean }) =>
      edit((document) => withText(document, text, newId), isTyping ? 'typing' : 'choice'),
    editBlock: (id: string, words: string) => edit((document) => withWords(document, id, words, newId)),
    split: (where: Parameters<typeof withSplit>[1]) => edit((document) => withSplit(document, where, newId)),
    merge: (id: string) => edit((document) => withMerge(document, id, newId)),
    importText: (imported: ImportedText, where: Parameters<typeof withImport>[2]) =>
      edit((document) => withImport(document, imported, where, { newId, pace: measuredPace(get().takes.values()) })),
    /** Sentences that turned out longer than their time get the speed that fits. */
    fitToTimes() {
      const takeOf = (index: number) => {
        const { take = null, tempo = 1 } = statusOf(index) ?? {};
        return take?.durationMs == null ? null : { durationMs: take.durationMs / tempo, speed: take.speed * tempo };
      };
      edit((document) => ({ ...document, blocks: withFit(document.blocks, document.defaults.speed, takeOf) }));
    },
    patchDocument,
    patchBlock,
    setDefaults: (patch: Partial<SpeechDefaults>) =>
      edit(
        (document) => withDefaults(document, patch, newId),
        patch.speed !== undefined && patch.voiceId === undefined ? 'speed' : 'choice',
      ),
    /** Gives the last lost reading back to its sentence, or forgets it. */
    answerLostReading(isKept: boolean) {
      const { lostReading } = get();
      if (isKept && lostReading !== null) patchBlock(lostReading.blockId, { readAs: lostReading.readAs });
      set({ lostReading: null });
    },
    /** Sets the voice of a text without one; not an undoable change. */
    setFirstVoice(voiceId: string) {
      const { document } = get();
      if (document === null) return;
      show({ ...document, defaults: { ...document.defaults, voiceId } }, { saving: 'saving' });
      saveSoon();
    },
    setOtherVoice: (language: SpeechLanguage, voiceId: string) =>
      edit((document) => withOtherVoice(document, language, voiceId)),
    /**
     * Answers which voice reads a language ('': the same as the rest), or that the whole text is in it. What was held
     * back is spoken then, unless another language is still open.
     */
    answerLanguage(language: SpeechLanguage, voiceId: string, isWhole = false) {
      const { held } = get();
      edit((document) =>
        isWhole ? withDefaults(document, { language, voiceId }, newId) : withOtherVoice(document, language, voiceId),
      );
      if (held === null) return;
      const at = get().document?.blocks.findIndex(({ id }) => id === held.blockId) ?? -1;
      if (at >= 0) speak(at, held.options);
    },
    setPronunciations(pronunciations: Pronunciations) {
      const { document } = get();
      set({ pronunciations });
      if (document !== null) show(document);
      return studio.request('speak.savePronunciations', { pronunciations: pronunciations as never });
    },
    setMarks(marks: VoiceMarks) {
      set({ marks });
      void studio.request('speak.saveVoiceMarks', { favourites: [...marks.favourites], recent: [...marks.recent] });
    },
    statusOf,
    addTakes,
    play,
    resume,
    speak,
    stop() {
      set({ held: null, gapId: null });
      generation.stop();
    },
    save,
    /** Subscribes to generations that end outside an order; unsubscribing saves what is not saved yet. */
    listen() {
      const stop = studio.subscribe('speak.takeChanged', ({ take }) => addTakes([take]));
      return () => {
        stop();
        generation.stop();
        if (cancelSave !== null) void save();
      };
    },
  });
}
