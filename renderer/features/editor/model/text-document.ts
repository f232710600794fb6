import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  applyChange,
  joinChanges,
  type Change,
  type EditRefusal,
} from '../../../../shared/domain/transcript/change.ts';
import {
  emptyHistory,
  endStep,
  entryToExtend,
  recordEntry,
  redoStep,
  replaceEntry,
  takeInCorrection,
  undoStep,
  type Caret,
  type HistoryEntry,
} from '../../../../shared/domain/transcript/history.ts';
import { lengthBeside } from '../../../../shared/domain/transcript/open-end.ts';
import type { Transcript } from '../../../../shared/domain/transcript/transcript.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import type { Result } from '../../../../shared/result/result.ts';

export interface NewEdit {
  readonly label: string;
  readonly change: Change;
}

/** Whether everything that was typed is on disk. `stale`: somebody else changed the text; nothing more is saved. */
export type Saving = 'saved' | 'saving' | 'failed' | 'stale';

export interface DocumentState {
  readonly transcript: Transcript;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly saving: Saving;
  readonly failure: Failure | null;
  /** Where the caret is to be put after the last step; a new object each time. */
  readonly caret: Caret | null;
  /** The segments that undoing or redoing changed, if it left no caret among them; a new array each time. */
  readonly toReveal: readonly string[];
  /** The last change is on the page already, because the page is where it was typed. */
  readonly isTyped: boolean;
  /** The revision on disk that everything up to the last save stands at. */
  readonly savedRevision: number;
}

export interface EditOptions {
  /** What it does to the text is on the page already. */
  readonly isTyped?: boolean;
  /** Steps in a row with the same key are one, done anew from where the first one began. */
  readonly mergeKey?: string | null;
  readonly caretBefore?: Caret | null;
  readonly caretAfter?: Caret | null;
  /** The app changes what was typed last; see `HistoryEntry`. */
  readonly isCorrection?: boolean;
}

/** The transcript that is being edited: every change is applied here at once and saved soon after. */
export interface TextDocument extends StoreApi<DocumentState> {
  /** Does what an operation says, as one step of undoing. Null when it was done, else why it was not. */
  readonly edit: (
    label: string,
    operation: (transcript: Transcript) => Result<Change, EditRefusal>,
    options?: EditOptions,
  ) => EditRefusal | null;
  readonly undo: () => void;
  readonly redo: () => void;
  /** Where the latest edit is that was not undone and whose segment is still there; null for none. */
  readonly lastEdit: () => Caret | null;
  /** Ends the step that is under way: what is typed next is one of its own. */
  readonly endStep: () => void;
  /**
   * What was typed into a segment in other letters than it is shown in is shown in these from now on; nothing is
   * stored.
   */
  readonly settle: (segmentId: string) => void;
  /**
   * The text is as long as its recording from now on, or longer where something is after its end. This is no step of
   * undoing, and no step makes it shorter; it is stored by main.
   */
  readonly setRecordingLength: (recordingMs: number) => void;
  /** Sends what is not saved yet; resolves when main has answered for all of it. */
  readonly flush: () => Promise<void>;
}

export interface DocumentPorts {
  /** Saves edits of the text at a revision; the new revision, or null when it is at another one. */
  readonly save: (baseRevision: number, edits: readonly NewEdit[]) => Promise<Result<number | null>>;
  readonly now: () => number;
  /** Runs something later, and can be called off. */
  readonly after: (ms: number, run: () => void) => () => void;
}

/** An edit is on its way to the disk this long after it, however fast others follow. */
const saveAfterMs = 800;
const saveAgainMs = 5_000;

export function createTextDocument(
  transcript: Transcript,
  revision: number,
  { save, now, after }: DocumentPorts,
): TextDocument {
  const store = createStore<DocumentState>(() => ({
    transcript,
    canUndo: false,
    canRedo: false,
    saving: 'saved',
    failure: null,
    caret: null,
    toReveal: [],
    isTyped: false,
    savedRevision: revision,
  }));
  let history = emptyHistory;
  let leastMs = 0;
  let waiting: (NewEdit & { readonly mergeKey: string | null })[] = [];
  let cancelTimer: (() => void) | null = null;
  let inFlight: Promise<void> = Promise.resolve();

  /** One step of the store for all of a change, so that what is drawn of it is drawn once. */
  const show = (next: Transcript, caret: Caret | null, isTyped = false, toReveal: readonly string[] = []) => {
    store.setState({
      transcript: next,
      isTyped,
      saving: store.getState().saving === 'stale' ? 'stale' : 'saving',
      canUndo: history.past.length > 0,
      canRedo: history.future.length > 0,
      ...(caret === null ? {} : { caret: { ...caret } }),
      ...(toReveal.length === 0 ? {} : { toReveal }),
    });
  };

  const queue = (label: string, change: Change, mergeKey: string | null) => {
    const last = waiting.at(-1);
    if (last !== undefined && mergeKey !== null && last.mergeKey === mergeKey)
      waiting[waiting.length - 1] = { label, mergeKey, change: joinChanges(last.change, change) };
    else waiting.push({ label, mergeKey, change });
    if (store.getState().saving === 'stale') return;
    cancelTimer ??= after(saveAfterMs, () => void flush());
  };

  async function send(): Promise<void> {
    const edits = waiting;
    if (edits.length === 0 || store.getState().saving === 'stale') return;
    waiting = [];
    const saved = await save(
      store.getState().savedRevision,
      edits.map(({ label, change }) => ({ label, change })),
    );
    if (saved.ok && saved.value !== null) {
      store.setState({ savedRevision: saved.value });
      if (waiting.length === 0) store.setState({ saving: 'saved', failure: null });
      return;
    }
    if (saved.ok) {
      store.setState({ saving: 'stale' });
      return;
    }
    // Nothing of it was saved, so all of it goes once more, before what came after it.
    waiting = [...edits, ...waiting];
    store.setState({ saving: 'failed', failure: saved.error });
    cancelTimer ??= after(saveAgainMs, () => void flush());
  }

  function flush(): Promise<void> {
    cancelTimer?.();
    cancelTimer = null;
    inFlight = inFlight.then(send);
    return inFlight;
  }

  /** Steps that were made before a recording was attached know nothing of its length. */
  const beside = (change: Change): Change =>
    change.map((one) => (one.type === 'duration' ? { ...one, durationMs: Math.max(one.durationMs, leastMs) } : one));

  const step = (direction: 'undo' | 'redo') => {
    const found = direction === 'undo' ? undoStep(history) : redoStep(history);
    if (found === null) return;
    const { entry } = found;
    const change = beside(direction === 'undo' ? entry.backward : entry.forward);
    const applied = applyChange(store.getState().transcript, change);
    if (!applied.ok) return;
    ({ history } = found);
    const { transcript: next } = applied.value;
    const caret = direction === 'undo' ? entry.caretBefore : entry.caretAfter;
    // What comes back may end after a recording that was attached since.
    const durationMs = lengthBeside(next, next.durationMs);
    queue(direction, durationMs === next.durationMs ? change : [...change, { type: 'duration', durationMs }], null);
    show({ ...next, durationMs }, caret, false, caret === null ? changedBy(change) : []);
  };

  return Object.assign(store, {
    edit(
      label: string,
      operation: (transcript: Transcript) => Result<Change, EditRefusal>,
      {
        mergeKey = null,
        caretBefore = null,
        caretAfter = null,
        isTyped = false,
        isCorrection = false,
      }: EditOptions = {},
    ): EditRefusal | null {
      const current = store.getState().transcript;
      const atMs = now();
      const continued = takeInCorrection(history);
      const extended = entryToExtend(continued, mergeKey, atMs);
      const begun = extended === null ? null : applyChange(current, extended.backward);
      const base = begun?.ok === true ? begun.value.transcript : current;
      const change = operation(base);
      const isBackAtStart = !change.ok && change.error === 'nothing-to-change' && extended !== null;
      if (!change.ok && !isBackAtStart) return change.error;
      const forward = change.ok ? beside(change.value) : [];
      const applied = applyChange(base, forward);
      if (!applied.ok) return applied.error;
      const entry: HistoryEntry = {
        label,
        forward,
        backward: applied.value.inverse,
        caretBefore: extended?.caretBefore ?? caretBefore,
        caretAfter,
        mergeKey,
        atMs,
        isCorrection,
      };
      history = extended === null ? recordEntry(continued, entry) : replaceEntry(continued, entry);
      queue(label, extended === null ? forward : joinChanges(extended.backward, forward), mergeKey);
      show(applied.value.transcript, null, isTyped);
      return null;
    },
    undo: () => {
      step('undo');
    },
    redo: () => {
      step('redo');
    },
    lastEdit: () => {
      const ids = new Set(store.getState().transcript.segments.map(({ id }) => id));
      const places = history.past.toReversed().map(placeOf);
      return places.find((place) => place !== null && ids.has(place.segmentId)) ?? null;
    },
    endStep: () => {
      history = endStep(history);
    },
    settle: () => undefined,
    setRecordingLength: (recordingMs: number) => {
      const { transcript: now } = store.getState();
      leastMs = Math.round(recordingMs);
      history = endStep(history);
      const durationMs = lengthBeside(now, recordingMs);
      if (durationMs === now.durationMs) return;
      store.setState({ transcript: { ...now, durationMs } });
    },
    flush,
  });
}

/** The segments that are other ones, or new, after a change. */
const changedBy = (change: Change): readonly string[] =>
  change
    .flatMap((step) => (step.type === 'set' ? step.segments : step.type === 'splice' ? step.inserted : []))
    .map(({ id }) => id);

/** Where an edit ended; without a caret, at the first segment that it changed. */
function placeOf({ forward, caretAfter }: HistoryEntry): Caret | null {
  const [segmentId] = changedBy(forward);
  return caretAfter ?? (segmentId === undefined ? null : { segmentId, offset: 0 });
}
