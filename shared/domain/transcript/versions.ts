import type { PackedChange } from './packed.ts';

export interface RevisionNote {
  readonly number: number;
  readonly atMs: number;
  readonly label: string;
  readonly name: string | null;
}

export interface Version {
  readonly revision: number;
  /** `before`: just before a large edit; `session`: the end of an editing session; `service`: the first result. */
  readonly kind: 'now' | 'named' | 'before' | 'session' | 'service';
  /** When the text was last changed to this; Unix milliseconds. Null for the first result. */
  readonly atMs: number | null;
  readonly name: string | null;
  readonly label: string | null;
  /** Saved edits since the version before it, without those that were undone; undoing past that version counts too. */
  readonly editCount: number;
}

export const largeEdits = [
  'replace-all',
  'listen-again',
  'restore',
  'conflict',
  'delete',
  'silences',
  'convert',
] as const;

/** A longer pause ends an editing session. */
const sittingMs = 30 * 60_000;

/** More than anybody looks through; older edits count towards the oldest listed version. */
const mostVersions = 300;

/** The versions of a text, derived from its saved edits, newest first; the first result is always the last one. */
export function listVersions(revisions: readonly RevisionNote[]): readonly Version[] {
  const versions: Version[] = [];
  let edits = noEdits;
  for (const [at, { number, atMs, name, label }] of revisions.entries()) {
    edits = withEdit(edits, label);
    const next = revisions[at + 1];
    const kind = kindOf({ atMs, name, label }, next);
    if (kind === null) continue;
    versions.push({
      revision: number,
      kind,
      atMs,
      name,
      label: kind === 'before' ? (next?.label ?? null) : null,
      editCount: edits.done + edits.undone + edits.lost,
    });
    edits = noEdits;
  }
  const service = { revision: 0, kind: 'service', atMs: null, name: null, label: null, editCount: 0 } as const;
  if (versions.length === 0) return [{ ...service, kind: 'now' }, service];
  return [...versions.slice(-mostVersions).toReversed(), service];
}

/** `undone`: edits of before the last version that were undone since; `lost`: those of them that can't be redone. */
const noEdits = { done: 0, undone: 0, lost: 0 };

function withEdit({ done, undone, lost }: typeof noEdits, label: string): typeof noEdits {
  // What was done and undone since the version is no change of the text.
  if (label === 'undo') return done > 0 ? { done: done - 1, undone, lost } : { done, undone: undone + 1, lost };
  if (label === 'redo' && undone > 0) return { done, undone: undone - 1, lost };
  // A redo puts back what was done; anything else ends redoing.
  return label === 'redo' ? { done: done + 1, undone, lost } : { done: done + 1, undone: 0, lost: lost + undone };
}

function kindOf(
  { atMs, name, label }: Omit<RevisionNote, 'number'>,
  next: RevisionNote | undefined,
): Version['kind'] | null {
  if (next === undefined) return 'now';
  if (name !== null) return 'named';
  // Consecutive large edits of the same kind count as one.
  if (largeEdits.some((one) => one === next.label) && next.label !== label) return 'before';
  return next.atMs - atMs > sittingMs ? 'session' : null;
}

/** A saved edit with what takes it back. */
export interface SavedStep {
  readonly label: string;
  readonly forward: PackedChange;
  readonly backward: PackedChange;
}

/**
 * The steps of a text that can be undone, from its last saved edits in order. What was undone is gone from them; an
 * undo that took back something else ends them, because what was before it no longer leads to the text.
 */
export function stepsToUndo(saved: readonly SavedStep[]): readonly SavedStep[] {
  let done: SavedStep[] = [];
  for (const step of saved) {
    if (step.label !== 'undo') {
      done.push(step);
      continue;
    }
    const wanted = outcomeOf(step.forward);
    let back: PackedChange = [];
    let from = done.length;
    do {
      from -= 1;
      back = [...back, ...(done[from]?.backward ?? [])];
    } while (from > 0 && outcomeOf(back) !== wanted);
    done = outcomeOf(back) === wanted ? done.slice(0, Math.max(0, from)) : [];
  }
  return done;
}

/** What a change leaves: of the same segments, the last text counts. */
function outcomeOf(change: PackedChange): string {
  const steps = change.filter(({ type }) => type !== 'duration');
  if (!steps.every((step) => step.type === 'set')) return JSON.stringify(steps);
  const left = new Map(steps.flatMap(({ segments }) => segments).map((segment) => [segment.id, segment]));
  return JSON.stringify([...left].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
