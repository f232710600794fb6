import { useLayoutEffect, useRef, type RefObject } from 'react';

interface PlacedRow {
  readonly key: string;
  readonly start: number;
}

/**
 * Rows that got another place slide there, so that the eye keeps them: a file that is done goes down the list and is not
 * lost. What is farther away than the list is high jumps, and so does everything where motion is reduced. A row that got
 * or lost the heading above it has another height than before: `measure` takes the heights of drawn rows over at once and
 * answers whether one was another. The rows are then placed anew before anybody sees them.
 */
export function useSlidingRows(
  grid: RefObject<HTMLElement | null>,
  items: unknown,
  rows: readonly PlacedRow[],
  measure: () => boolean,
): void {
  const before = useRef<{ readonly items: unknown; readonly starts: ReadonlyMap<string, number> } | null>(null);
  useLayoutEffect(() => {
    const starts = new Map(rows.map(({ key, start }) => [key, start]));
    const last = before.current;
    const isOrderNew =
      last !== null && last.items !== items && rows.some(({ key, start }) => last.starts.get(key) !== start);
    if (isOrderNew && measure()) return;
    before.current = { items, starts };
    // Scrolling measures rows and thereby moves others, which should not be animated.
    if (last === null || last.items === items || grid.current === null) return;
    const height = grid.current.clientHeight;
    const moved = rows.flatMap(({ key, start }) => {
      const from = last.starts.get(key);
      return from === undefined || from === start || Math.abs(from - start) > height ? [] : [{ key, from, start }];
    });
    if (moved.length === 0) return;
    const { transitionDuration, transitionTimingFunction: easing } = getComputedStyle(grid.current);
    const duration = Number.parseFloat(transitionDuration) * 1000;
    if (!(duration > 0)) return;
    for (const { key, from, start } of moved) {
      const row = grid.current.querySelector(`[data-key="${CSS.escape(key)}"]`);
      const frames = [from - start, 0].map((by) => ({ transform: `translateY(${String(by)}px)` }));
      row?.animate(frames, { duration, easing, composite: 'add' });
    }
  });
}
