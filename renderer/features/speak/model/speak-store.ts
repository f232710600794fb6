import { createStore, type StoreApi } from 'zustand/vanilla';
import { isUnsentForNow } from '../../../../shared/domain/failures/network-fault.ts';
import type { SpeechLanguage } from '../../../../shared/domain/languages.ts';
import {
  chargedCharacters,
  requestIdentity,
  type SpeechBlock,
  type SpeechDefaults,
  requestOf,
  foreignBlocks,
  type SpeechRequest,
} from '../../../../shared/domain/speech/blocks.ts';
import { withFit, titleOf, type SpeechDocument, pauseAfter } from '../../../../shared/domain/speech/speech-document.ts';
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
import { applyReadings, findReadings, type Pronunciation } from '../../../../shared/domain/speech/find-readings.ts';
import type { SpeechPlayer, SpeechPart } from '../../../audio/speech-player.ts';
import type { StudioClient } from '../../../bridge/client.ts';
import type { ShownTake } from '../../../bridge/types.ts';
import { Scope } from '../../../lib/scope.ts';
import {
  blockStatus,
  measuredPace,
  requestToSend,
  withTakes,
  type BlockStatus,
  isDoubtful,
  isReady,
} from './block-status.ts';
import {
  initialState,
  type SpeakOptions,
  type SpeakState,
  untouched,
  type Pronunciations,
  type BeginOptions,
  type BlockWork,
} from './speak-state.ts';

const saveAfterMs = 300;
const lookAfterMs = 150;
/** Typing, or dragging one slider, within this time is one undo step. */
const stepMs = 1200;
type Change = 'typing' | 'speed' | 'choice' | 'pronunciations';
const mostSteps = 200;
const mostRecent = 8;
/** A long text at a speed of its own has two requests for each sentence, more than one question takes. */
const soughtAtOnce = 10_000;

function lostIn(before: SpeechDocument, after: SpeechDocument): SpeakState['lostReading'] {
  if (before.text === after.text) return null;
  const now = new Map(after.blocks.map((block) => [block.id, block]));
  const lost = before.blocks.find(({ id, readAs }) => readAs !== null && now.get(id)?.readAs === null);
  return lost === undefined || lost.readAs === null ? null : { blockId: lost.id, readAs: lost.readAs };
}

const heardSpeed = ({ status: { take, tempo } }: BlockOrder): number => (take?.speed ?? 1) * tempo;

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
    const answer = await studio.request('speak.save', { document });
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

  const look = async () => {
    cancelLook = null;
    const { document, requests } = get();
    const speedOf = (index: number) => document?.blocks[index]?.speed ?? document?.defaults.speed ?? 1;
    const wanted = requests
      .flatMap((request, index) =>
        speedOf(index) === 1 ? [request] : [request, { ...request, speed: speedOf(index) }],
      )
      .filter((request) => !asked.has(requestIdentity(request)) && request.voiceId !== '');
    if (wanted.length === 0) return;
    for (const request of wanted) asked.add(requestIdentity(request));
    for (let from = 0; from < wanted.length; from += soughtAtOnce) {
      const found = await studio.request('speak.findTakes', { requests: wanted.slice(from, from + soughtAtOnce) });
      if (found.ok) addTakes(found.value.takes);
      else asked = new Set();
    }
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

  /** What was typed into a sentence and would divide or join sentences; it waits until the sentence is left. */
  let typed: { readonly id: string; readonly words: string } | null = null;
  const keepTyped = () => {
    if (typed === null) return;
    const { id, words } = typed;
    typed = null;
    const { document } = get();
    if (document !== null) change(withWords(document, id, words, newId));
  };

  const step = (from: 'steps' | 'undone', to: 'steps' | 'undone') => {
    keepTyped();
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

  const accept = async (answer: ReturnType<typeof studio.request<'speak.open'>>): Promise<boolean> => {
    const opened = await answer;
    if (!opened.ok) {
      set({ status: get().document === null ? 'failed' : 'ready', failure: opened.error });
      return false;
    }
    const { document, documents, takes, pronunciations, voiceMarks } = opened.value;
    asked = new Set();
    typed = null;
    show(document as SpeechDocument, {
      ...untouched,
      status: 'ready',
      failure: null,
      documents,
      marks: voiceMarks,
      takes: new Map(takes.map((take) => [take.id, take])),
      pronunciations: pronunciations as Pronunciations,
      textRevision: get().textRevision + 1,
    });
    return true;
  };
  /** A text that can't be saved isn't left for another one. */
  const leave = async (): Promise<boolean> => {
    generation.stop();
    if (get().document === null) return true;
    keepTyped();
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

  const edit = (next: (document: SpeechDocument) => SpeechDocument, kind?: Change) => {
    keepTyped();
    const { document } = get();
    if (document !== null) change(next(document), kind);
  };
  const patchDocument = (patch: Partial<SpeechDocument>, kind?: Change) =>
    edit((document) => ({ ...document, ...patch }), kind);
  const patchBlock = (id: string, patch: Partial<SpeechBlock>) => {
    const isTyped = patch.readAs !== undefined || patch.comment !== undefined;
    const isSlid = patch.speed !== undefined || patch.pauseMs !== undefined;
    edit(
      ({ blocks, ...rest }) => ({
        ...rest,
        blocks: blocks.map((block) => (block.id === id ? { ...block, ...patch } : block)),
      }),
      isTyped ? 'typing' : isSlid ? 'speed' : 'choice',
    );
  };

  const generation = createGeneration(studio, player, store, addTakes);
  let started = { speeds: new Map<string, number>(), end: 0 };

  /** Ends before the first block without audio; at the start of a text such blocks are passed over. */
  const play = (
    from: number,
    { count = Infinity, fromMs = 0 }: { readonly count?: number; readonly fromMs?: number } = {},
  ) => {
    const isSilent = ({ status }: BlockOrder) => status.take === null;
    const wanted = ordersFrom(get(), from, count);
    const firstHeard = from === 0 && count > 1 ? wanted.findIndex((one) => !isSilent(one)) : 0;
    const orders = wanted.slice(Math.max(0, firstHeard));
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

  /** Sends nothing while it is open which voice reads a block: it would be paid for twice. */
  const speak = (from = 0, { count = Infinity, ...options }: SpeakOptions = {}) => {
    keepTyped();
    const wanted = ordersFrom(get(), from, count);
    const begin = wanted.findIndex((one) => isMissing(one, options));
    if (begin === -1) return play(from, { count });
    const orders = wanted.slice(begin);
    const [first] = orders;
    set({ held: null, gapId: null });
    if (first === undefined || !hasOpenQuestion(orders, options)) {
      started = { speeds: new Map(orders.map((one) => [one.blockId, heardSpeed(one)])), end: from + count };
      return generation.begin(orders, options);
    }
    generation.stop();
    set({ held: { blockId: first.blockId, options: { count: count - begin, ...options } } });
  };

  const setMarks = (patch: Partial<VoiceMarks>) => {
    const marks = { ...get().marks, ...patch };
    set({ marks });
    void studio.request('speak.saveVoiceMarks', { favourites: [...marks.favourites], recent: [...marks.recent] });
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
      return defaults !== undefined && accept(studio.request('speak.create', { defaults }));
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
    editBlock(id: string, words: string) {
      if (typed?.id === id) typed = null;
      edit((document) => withWords(document, id, words, newId));
    },
    /** While a sentence is typed in. What would divide or join sentences waits until it is left. */
    typeInBlock(id: string, words: string) {
      if (typed?.id !== id) keepTyped();
      typed = null;
      const { document } = get();
      if (document === null || words.trim() === '') return;
      const next = withWords(document, id, words, newId);
      if (next.blocks.length === document.blocks.length) change(next, 'typing');
      else typed = { id, words };
    },
    keepTyped,
    split: (where: Parameters<typeof withSplit>[1]) => edit((document) => withSplit(document, where, newId)),
    merge: (id: string) => edit((document) => withMerge(document, id, newId)),
    importText: (imported: ImportedText, where: Parameters<typeof withImport>[2]) =>
      edit((document) => withImport(document, imported, where, { newId, pace: measuredPace(get().takes.values()) })),
    /** What the imported text will be charged for when it is spoken. */
    charactersOf(imported: ImportedText): number {
      const { document, pronunciations } = get();
      if (document === null) return 0;
      return chargedCharacters(
        requestsFor(withImport(document, imported, 'whole', { newId, pace: undefined }), pronunciations),
      );
    },
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
    /** The service answers again: what could not be sent to it is as if it had not been asked for. */
    forgetUnsent: () => {
      const { work, orderFailure } = get();
      set({
        work: new Map([...work].filter(([, one]) => one.kind !== 'failed' || !isUnsentForNow(one.failure))),
        orderFailure: orderFailure !== null && isUnsentForNow(orderFailure) ? null : orderFailure,
      });
    },
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
      return studio.request('speak.savePronunciations', { pronunciations });
    },
    toggleFavourite(voiceId: string) {
      const { favourites } = get().marks;
      const others = favourites.filter((id) => id !== voiceId);
      setMarks({ favourites: others.length < favourites.length ? others : [...favourites, voiceId] });
    },
    markRecent: (voiceId: string) =>
      setMarks({ recent: [voiceId, ...get().marks.recent.filter((id) => id !== voiceId)].slice(0, mostRecent) }),
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

/** The requests for the blocks of a document. Unchanged sentences are not processed again with every key. */
function createRequestReader() {
  let own: readonly Pronunciation[] = [];
  let shared: Pronunciations = {};
  let spoken = new Map<string, string>();
  return (document: SpeechDocument, everywhere: Pronunciations): readonly SpeechRequest[] => {
    if (document.pronunciations !== own || everywhere !== shared) spoken = new Map();
    own = document.pronunciations;
    shared = everywhere;
    return document.blocks.map((block) =>
      requestOf(block, document.defaults, (text, language) => {
        const key = `${language}\n${text}`;
        const known = spoken.get(key);
        if (known !== undefined) return known;
        const list = [...own, ...(shared[language] ?? [])];
        const read = applyReadings(text, findReadings(text, language, list));
        spoken.set(key, read);
        return read;
      }),
    );
  };
}

interface BlockOrder {
  readonly blockId: string;
  readonly request: SpeechRequest;
  readonly status: BlockStatus;
  readonly pauseMs: number;
  readonly startMs: number | null;
  readonly isOpen: boolean;
}

function ordersFrom(state: SpeakState, from: number, count: number): readonly BlockOrder[] {
  const { document, requests } = state;
  if (document === null) return [];
  const open = new Set(foreignBlocks(document.blocks, document.defaults).flatMap(({ ids }) => ids));
  return document.blocks.slice(from, from + count).flatMap((block, offset) => {
    const wanted = requests[from + offset];
    if (wanted === undefined) return [];
    const status = blockStatus(block, wanted, state);
    const request = requestToSend(block, wanted, state);
    const pauseMs = pauseAfter(block, document);
    const startMs = block.slot?.startMs ?? null;
    return [{ blockId: block.id, request, status, pauseMs, startMs, isOpen: open.has(block.id) }];
  });
}

const isMissing = ({ status }: BlockOrder, { isNewTake, sendsAgain }: BeginOptions) =>
  isNewTake === true || (!isReady(status.state) && (sendsAgain === true || !isDoubtful(status)));

/** Whether something would be sent of which it is still open which voice reads it. */
const hasOpenQuestion = (orders: readonly BlockOrder[], options: BeginOptions): boolean =>
  orders.some((order) => order.isOpen && isMissing(order, options));

const partOf = ({ blockId, status, pauseMs, startMs }: BlockOrder, isAwaited: boolean): SpeechPart => ({
  id: blockId,
  url: isAwaited ? null : (status.take?.mediaUrl ?? null),
  tempo: status.tempo,
  pauseMs,
  startMs,
});

function createGeneration(
  studio: StudioClient,
  player: SpeechPlayer,
  store: StoreApi<SpeakState>,
  /** `chosenFor`: the block whose current take they become. */
  addTakes: (takes: readonly ShownTake[], chosenFor: string) => void,
) {
  let endOrder: (() => void) | null = null;
  let number = 0;
  let heard = 0;

  const setWork = (blockId: string, work: BlockWork | null) => {
    const next = new Map(store.getState().work);
    if (work === null) next.delete(blockId);
    else next.set(blockId, work);
    store.setState({ work: next });
  };
  /** Unsent blocks are no longer waited for; sent ones still arrive, and are paid for. */
  const endWaiting = () => {
    const next = new Map([...store.getState().work].filter(([, work]) => work.kind !== 'waiting'));
    store.setState({ work: next, isGenerating: false });
  };

  const order = async (missing: readonly BlockOrder[], options: BeginOptions) => {
    number += 1;
    const own = number;
    heard = own;
    const isCurrent = () => own === number;
    const isHeard = () => own === heard;
    const sent = new Set<string>();
    store.setState({
      isGenerating: true,
      orderFailure: null,
      work: new Map([
        ...[...store.getState().work].filter(([, work]) => work.kind === 'generating'),
        ...missing.map(({ blockId }): [string, BlockWork] => [blockId, { kind: 'waiting' }]),
      ]),
    });
    const opened = await studio.open('speak.generate', {
      orders: missing.map(({ blockId, request }) => ({ blockId, request })),
      isNewTake: options.isNewTake === true,
      sendsAgain: options.sendsAgain === true,
    });
    if (!opened.ok) {
      if (!isCurrent()) return;
      if (isHeard()) for (const { blockId } of missing) player.finish(blockId, null);
      endWaiting();
      store.setState({ orderFailure: opened.error });
      return;
    }
    const stream = opened.value;
    if (isCurrent()) endOrder = stream.finish;
    else stream.finish();
    const left = new Set(missing.map(({ blockId }) => blockId));
    // A stopped order is read to its end: what it had sent is charged, so it is kept.
    for await (const message of stream.incoming) {
      const { blockId } = message;
      switch (message.kind) {
        case 'begun':
          sent.add(blockId);
          setWork(blockId, { kind: 'generating' });
          break;
        case 'sound':
          if (isHeard()) player.push(blockId, message.pcm);
          break;
        case 'made':
          left.delete(blockId);
          sent.delete(blockId);
          setWork(blockId, null);
          addTakes([message.take], blockId);
          if (isHeard()) player.finish(blockId, message.take.mediaUrl);
          break;
        case 'failed':
          left.delete(blockId);
          sent.delete(blockId);
          setWork(blockId, { kind: 'failed', failure: message.failure });
          if (isHeard()) player.finish(blockId, null);
          break;
      }
    }
    const ended = await stream.ended;
    for (const blockId of sent) setWork(blockId, null);
    if (!isCurrent()) return;
    endOrder = null;
    if (isHeard()) for (const blockId of left) player.finish(blockId, null);
    endWaiting();
    if (!ended.ok) store.setState({ orderFailure: ended.error });
  };

  const halt = () => {
    number += 1;
    heard = 0;
    endOrder?.();
    endOrder = null;
    endWaiting();
  };

  return {
    begin(blocks: readonly BlockOrder[], options: BeginOptions = {}) {
      halt();
      const missing = blocks.filter((one) => isMissing(one, options));
      const heard = blocks.filter((one) => isMissing(one, options) || isReady(one.status.state));
      player.start(heard.map((one) => partOf(one, isMissing(one, options))));
      void order(missing, options);
    },
    /** Plays what exists of these blocks, `fromMs` into the first. What was ordered before is still received. */
    play(blocks: readonly BlockOrder[], fromMs: number) {
      heard = 0;
      const parts = blocks.map((one) => partOf(one, false));
      if (parts.length === 0) player.stop();
      else player.start(parts, fromMs);
    },
    /** Sends nothing more and stops playback; what was sent is kept when it arrives. */
    stop() {
      halt();
      player.stop();
    },
  };
}
