import { joinChanges, type Change } from './change.ts';

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
