import { joinChanges, type Change } from './change.ts';

/** Where the caret stood, to be put back there. */
export interface Caret {
  readonly segmentId: string;
  readonly offset: number;
}

/** One step of undoing. */
export interface HistoryEntry {
  /** Names what was done, for the menu and for versions. */
  readonly label: string;
  readonly forward: Change;
  readonly backward: Change;
  readonly caretBefore: Caret | null;
  readonly caretAfter: Caret | null;
  /** Entries in a row with the same key are one step, as long as nothing came between them. */
  readonly mergeKey: string | null;
  readonly atMs: number;
}

export interface History {
  readonly past: readonly HistoryEntry[];
  /** What was undone, the next to be done again last. */
  readonly future: readonly HistoryEntry[];
}

export const emptyHistory: History = { past: [], future: [] };

/** So many steps are kept; older ones are still among the versions. */
export const mostSteps = 2_000;

/** A pause longer than this begins a new step. */
export const pauseMs = 1_000;

/** The last entry, when what comes now under `mergeKey` would belong to it. */
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

/** Notes what was done. What had been undone can't be done again after that. */
export function recordEntry(history: History, entry: HistoryEntry): History {
  const last = entryToExtend(history, entry.mergeKey, entry.atMs);
  if (last === null) return { past: [...history.past.slice(-(mostSteps - 1)), entry], future: [] };
  const joined: HistoryEntry = {
    ...entry,
    forward: joinChanges(last.forward, entry.forward),
    backward: joinChanges(entry.backward, last.backward),
    caretBefore: last.caretBefore,
  };
  return { past: [...history.past.slice(0, -1), joined], future: [] };
}

/** Puts another entry in the place of the last one: the same step, done anew from where it began. */
export const replaceEntry = ({ past }: History, entry: HistoryEntry): History => ({
  past: [...past.slice(0, -1), entry],
  future: [],
});

/** Ends the step that is under way, so that whatever comes next is one of its own. */
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
  // What was done again is a step that has ended.
  const entry = { ...last, mergeKey: null };
  return { history: { past: [...past, entry], future: future.slice(0, -1) }, entry };
}
