/** The part of a key press that moves between rows. */
export interface GridKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/**
 * The target row of a key from row `from`, both counted from 0; null when the key moves nowhere. `page` is the number
 * of visible rows.
 */
export function rowForKey(event: GridKey, from: number, rowCount: number, page: number): number | null {
  if (event.altKey || rowCount === 0) return null;
  const last = rowCount - 1;
  const isJump = event.ctrlKey || event.metaKey;
  const step = Math.max(1, page - 1);
  switch (event.key) {
    case 'ArrowDown':
      return isJump ? null : Math.min(last, from + 1);
    case 'ArrowUp':
      return isJump ? null : Math.max(0, from - 1);
    case 'PageDown':
      return isJump ? null : Math.min(last, from + step);
    case 'PageUp':
      return isJump ? null : Math.max(0, from - step);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}

/** The rows between two, in either order, both included. */
export const rowsBetween = <T>(rows: readonly T[], one: number, other: number): readonly T[] =>
  rows.slice(Math.min(one, other), Math.max(one, other) + 1);

/**
 * The next row whose label begins with the typed text, starting at `from` and wrapping around; repeating a single
 * letter moves on. Null when there is none.
 */
export function rowForTyped(labels: readonly string[], typed: string, from: number): number | null {
  const wanted = typed.toLocaleLowerCase();
  const found = labels.flatMap((label, row) => (label.toLocaleLowerCase().startsWith(wanted) ? [row] : []));
  const starts = wanted.length === 1 ? from + 1 : from;
  return found.find((row) => row >= starts) ?? found[0] ?? null;
}
