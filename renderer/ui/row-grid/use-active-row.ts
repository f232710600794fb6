import { useLayoutEffect, useRef, useState, type RefObject } from 'react';

export interface ActiveRow {
  /** The row with the tab stop, counted from 0; -1 in an empty list. */
  readonly index: number;
  readonly moveTo: (index: number, withFocus: boolean) => void;
  readonly setFocusWithin: (isWithin: boolean) => void;
}

interface Item {
  readonly id: string;
  readonly isGone?: boolean;
}

interface Active {
  readonly id: string;
  readonly index: number;
  readonly isGone: boolean;
  /** The row that it takes over from, which is elsewhere in the list now. */
  readonly insteadOf?: string;
}

/**
 * One row is the tab stop and stays the same row wherever it moves. When it is removed, or moves because it is gone, the
 * row in its place follows, with the focus if it had it, so that the keyboard never falls out of the list.
 */
export function useActiveRow(items: readonly Item[], grid: RefObject<HTMLElement | null>): ActiveRow {
  const [active, setActive] = useState<Active | null>(null);
  const isFocusWithin = useRef(false);
  const isWanted = useRef(false);
  const current = active === null ? null : follow(active, items);
  if (current !== active) setActive(current);
  const index = current?.index ?? (items.length > 0 ? 0 : -1);

  useLayoutEffect(() => {
    const isLost = isFocusWithin.current && document.activeElement === document.body;
    const isOnGone =
      current?.insteadOf !== undefined &&
      document.activeElement?.closest<HTMLElement>('[role="row"]')?.dataset['key'] === current.insteadOf;
    if (!isWanted.current && !isLost && !isOnGone) return;
    const row = grid.current?.querySelector<HTMLElement>(`[data-index="${String(index)}"]`);
    if (!row) return;
    isWanted.current = false;
    row.focus({ preventScroll: true });
  });

  return {
    index,
    moveTo: (to, withFocus) => {
      const item = items[to];
      if (item === undefined || (!withFocus && active?.id === item.id)) return;
      isWanted.current = withFocus;
      setActive({ id: item.id, index: to, isGone: item.isGone === true });
    },
    setFocusWithin: (isWithin) => {
      isFocusWithin.current = isWithin;
    },
  };
}

function follow(active: Active, items: readonly Item[]): Active | null {
  const moved = items[active.index]?.id === active.id ? active.index : items.findIndex(({ id }) => id === active.id);
  const isGone = items[moved]?.isGone === true;
  const hasLeft = moved >= 0 && moved !== active.index && isGone && !active.isGone;
  if (moved >= 0 && !hasLeft)
    return moved === active.index && isGone === active.isGone ? active : { ...active, index: moved, isGone };
  const index = Math.min(active.index, items.length - 1);
  const next = items[index];
  return next === undefined
    ? null
    : { id: next.id, index, isGone: next.isGone === true, ...(hasLeft && { insteadOf: active.id }) };
}
