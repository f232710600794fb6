import { createStore } from 'zustand/vanilla';
import {
  applyChange,
  joinChanges,
  type Change,
  type EditRefusal,
} from '../../../../shared/domain/transcript/change.ts';
import { lengthBeside } from '../../../../shared/domain/transcript/open-end.ts';
import { packChange } from '../../../../shared/domain/transcript/packed.ts';
import type { Transcript } from '../../../../shared/domain/transcript/transcript.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import type { Result } from '../../../../shared/result/result.ts';
import type { StudioClient } from '../../../bridge/client.ts';
import { Scope } from '../../../lib/scope.ts';

export interface Caret {
  readonly segmentId: string;
  readonly offset: number;
}

export interface HistoryEntry {
  readonly label: string;
  readonly forward: Change;
  readonly backward: Change;
  readonly caretBefore: Caret | null;
  readonly caretAfter: Caret | null;
  /** Consecutive entries with the same key are one step. */
  readonly mergeKey: string | null;
  readonly atMs: number;
  /** The app changed what was typed last: a step of its own, as long as nothing is typed behind it. */
  readonly isCorrection: boolean;
}

export interface History {
  readonly past: readonly HistoryEntry[];
  readonly future: readonly HistoryEntry[];
}

export const emptyHistory: History = { past: [], future: [] };

/** How many steps are kept; older ones are still among the versions. */
export const mostSteps = 2_000;

/** A longer pause begins a new step. */
export const pauseMs = 1_000;

export function entryToExtend({ past, future }: History, mergeKey: string | null, nowMs: number): HistoryEntry | null {
  const last = past.at(-1);
  return last !== undefined &&
    future.length === 0 &&
    mergeKey !== null &&
    last.mergeKey === mergeKey &&
    nowMs - last.atMs <= pauseMs
    ? last
    : null;
}

/** Editing goes on after a correction, which is one step with what was typed before it from now on. */
export function takeInCorrection(history: History): History {
  const [typed, correction] = history.past.slice(-2);
  if (typed === undefined || correction?.isCorrection !== true) return history;
  const joined = { ...joinedEntry(typed, correction), isCorrection: false };
  return { ...history, past: [...history.past.slice(0, -2), joined] };
}

const joinedEntry = (first: HistoryEntry, second: HistoryEntry): HistoryEntry => ({
  ...second,
  forward: joinChanges(first.forward, second.forward),
  backward: joinChanges(second.backward, first.backward),
  caretBefore: first.caretBefore,
});

/** Records an edit. Undone edits can't be redone after that. */
export function recordEntry(history: History, entry: HistoryEntry): History {
  const last = entryToExtend(history, entry.mergeKey, entry.atMs);
  if (last === null) return { past: [...history.past.slice(-(mostSteps - 1)), entry], future: [] };
  return { past: [...history.past.slice(0, -1), joinedEntry(last, entry)], future: [] };
}

export const replaceEntry = ({ past }: History, entry: HistoryEntry): History => ({
  past: [...past.slice(0, -1), entry],
  future: [],
});

export const endStep = (history: History): History => {
  const last = history.past.at(-1);
  return last === undefined || last.mergeKey === null
    ? history
    : { ...history, past: [...history.past.slice(0, -1), { ...last, mergeKey: null }] };
};

export function undoStep({
  past,
  future,
}: History): { readonly history: History; readonly entry: HistoryEntry } | null {
  const entry = past.at(-1);
  return entry === undefined ? null : { history: { past: past.slice(0, -1), future: [...future, entry] }, entry };
}

export function redoStep({
  past,
  future,
}: History): { readonly history: History; readonly entry: HistoryEntry } | null {
  const last = future.at(-1);
  if (last === undefined) return null;
  // A redone step is complete.
  const entry = { ...last, mergeKey: null };
  return { history: { past: [...past, entry], future: future.slice(0, -1) }, entry };
}

/** The steps of an earlier run of the app come before those of this one. */
export const recallSteps = (
  { past, future }: History,
  steps: readonly Pick<HistoryEntry, 'label' | 'forward' | 'backward'>[],
): History => ({
  past: [
    ...steps.map((step) => ({
      ...step,
      caretBefore: null,
      caretAfter: null,
      mergeKey: null,
      atMs: Number.NEGATIVE_INFINITY,
      isCorrection: false,
    })),
    ...past,
  ].slice(-mostSteps),
  future,
});

interface NewEdit {
  readonly label: string;
  readonly change: Change;
  readonly mergeKey: string | null;
}

/** `stale`: somebody else changed the text; nothing more is saved. */
type Saving = 'saved' | 'saving' | 'failed' | 'stale';

export interface DocumentState {
  readonly transcript: Transcript;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly saving: Saving;
  readonly failure: Failure | null;
  /** Where the caret is to be put after the last step; a new object each time. */
  readonly caret: Caret | null;
  readonly toReveal: readonly string[];
  readonly isTyped: boolean;
  readonly savedRevision: number;
}

interface EditOptions {
  readonly isTyped?: boolean;
  /** Steps in a row with the same key are one, done anew from where the first one began. */
  readonly mergeKey?: string | null;
  readonly caretBefore?: Caret | null;
  readonly caretAfter?: Caret | null;
  readonly isCorrection?: boolean;
}

interface Edited {
  readonly id: string;
  readonly transcript: Transcript;
  readonly revision: number;
}

const usualClock = {
  now: () => performance.now(),
  after: (ms: number, run: () => void): (() => void) => new Scope().after(ms, run),
};

export type TextDocument = ReturnType<typeof createTextDocument>;

const saveAfterMs = 800;
const saveAgainMs = 5_000;

export function createTextDocument(
  { id, transcript, revision }: Edited,
  studio: Pick<StudioClient, 'request'>,
  { now, after } = usualClock,
) {
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
  let waiting: NewEdit[] = [];
  let cancelTimer: (() => void) | null = null;
  let inFlight: Promise<void> = Promise.resolve();

  const show = (next: Transcript, caret: Caret | null, isTyped = false, toReveal: readonly string[] = []) =>
    store.setState({
      transcript: next,
      isTyped,
      saving: store.getState().saving === 'stale' ? 'stale' : 'saving',
      canUndo: history.past.length > 0,
      canRedo: history.future.length > 0,
      ...(caret === null ? {} : { caret: { ...caret } }),
      ...(toReveal.length === 0 ? {} : { toReveal }),
    });

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
    const saved = await studio.request('transcripts.edit', {
      transcriptId: id,
      baseRevision: store.getState().savedRevision,
      edits: edits.map(({ label, change }) => ({ label, change: packChange(change) })),
    });
    if (saved.ok && saved.value.revision !== null) {
      store.setState({ savedRevision: saved.value.revision });
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
    /** One step of undoing. Null when it was done, else why it was not. */
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
    /** Steps of before this run of the app, which led to the text that this began with. */
    recall: (steps: Parameters<typeof recallSteps>[1]) => {
      history = recallSteps(history, steps);
      store.setState({ canUndo: history.past.length > 0 });
    },
    undo: () => step('undo'),
    redo: () => step('redo'),
    /** Where the latest edit is that was not undone and whose segment is still there. */
    lastEdit: (): Caret | null => {
      const ids = new Set(store.getState().transcript.segments.map(({ id }) => id));
      const places = history.past.toReversed().map(placeOf);
      return places.find((place) => place !== null && ids.has(place.segmentId)) ?? null;
    },
    endStep: () => {
      history = endStep(history);
    },
    /** From now on no step makes the text shorter; main stores its length. */
    setRecordingLength: (recordingMs: number) => {
      const { transcript: now } = store.getState();
      leastMs = Math.round(recordingMs);
      history = endStep(history);
      const durationMs = lengthBeside(now, recordingMs);
      if (durationMs === now.durationMs) return;
      store.setState({ transcript: { ...now, durationMs } });
    },
    /** Resolves when main has answered for all that was not saved. */
    flush,
  });
}

const changedBy = (change: Change): readonly string[] =>
  change
    .flatMap((step) => (step.type === 'set' ? step.segments : step.type === 'splice' ? step.inserted : []))
    .map(({ id }) => id);

function placeOf({ forward, caretAfter }: HistoryEntry): Caret | null {
  const [segmentId] = changedBy(forward);
  return caretAfter ?? (segmentId === undefined ? null : { segmentId, offset: 0 });
}
