import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { Scope } from '../../lib/scope.ts';
import type { MenuPoint } from '../menu.tsx';

const rowsBetween = <T>(rows: readonly T[], one: number, other: number): readonly T[] =>
  rows.slice(Math.min(one, other), Math.max(one, other) + 1);

export interface RowSelection {
  readonly ids: ReadonlySet<string>;
  readonly onChange: (ids: ReadonlySet<string>) => void;
}

interface GridEvents<T extends { readonly id: string }> {
  readonly items: readonly T[];
  readonly labelOf: (item: T) => string;
  readonly selection: RowSelection | undefined;
  readonly active: ActiveRow;
  readonly scrollTo: (index: number) => void;
  readonly rowsInView: () => number;
  readonly onOpen: (item: T) => void;
  readonly onPress?: (item: T) => void;
  readonly onMenu?: (item: T, at: MenuPoint | null) => void;
  readonly onKey?: (event: KeyboardEvent, item: T) => boolean;
}

const typedForgottenMs = 800;
const controls = 'button:not(:disabled), a[href], input:not(:disabled), select:not(:disabled)';

const rowOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[role="row"]') : null;
const isModified = (event: KeyboardEvent) => event.ctrlKey || event.metaKey || event.altKey;

/** On the grid itself: rows need no listeners, and what a row shows in a portal is not the row. */
export function useGridEvents<T extends { readonly id: string }>(
  now: GridEvents<T>,
): (grid: HTMLElement) => () => void {
  const latest = useRef(now);
  useLayoutEffect(() => {
    latest.current = now;
  });
  return useCallback((grid: HTMLElement) => {
    const scope = new Scope();
    const typed = { text: '', atMs: 0 };
    let anchor: string | null = null;
    let isPassing = false;

    const indexOf = (target: EventTarget | null) => Number(rowOf(target)?.dataset['index'] ?? -1);
    const moveTo = (index: number) => {
      const { active, scrollTo } = latest.current;
      scrollTo(index);
      active.moveTo(index, true);
    };
    const select = (ids: ReadonlySet<string>) => latest.current.selection?.onChange(ids);
    const toggle = (item: T) => {
      const ids = new Set(latest.current.selection?.ids);
      if (!ids.delete(item.id)) ids.add(item.id);
      anchor = item.id;
      select(ids);
    };
    const extendTo = (index: number, from: number) => {
      const { items } = latest.current;
      const start = items.findIndex(({ id }) => id === anchor);
      if (start < 0) anchor = items[from]?.id ?? null;
      select(new Set(rowsBetween(items, start < 0 ? from : start, index).map(({ id }) => id)));
    };
    const selectByKey = (event: KeyboardEvent, item: T): boolean => {
      const { selection, items } = latest.current;
      if (selection === undefined) return false;
      if (event.key === ' ') toggle(item);
      else if (event.code === 'KeyA' && (event.ctrlKey || event.metaKey)) select(new Set(items.map(({ id }) => id)));
      else if (event.key === 'Escape' && selection.ids.size > 0) {
        anchor = null;
        select(new Set());
      } else return false;
      return true;
    };
    const findTyped = (event: KeyboardEvent, from: number): boolean => {
      if (isModified(event) || event.key.length !== 1) return false;
      const isOngoing = event.timeStamp - typed.atMs < typedForgottenMs;
      if (event.key === ' ' && (!isOngoing || typed.text === '')) return false;
      typed.text = isOngoing ? typed.text + event.key : event.key;
      typed.atMs = event.timeStamp;
      const { items, labelOf } = latest.current;
      const found = rowForTyped(items.map(labelOf), typed.text, from);
      if (found !== null) moveTo(found);
      return true;
    };
    const walkControls = (event: KeyboardEvent, row: HTMLElement): boolean => {
      if (isModified(event) || (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft')) return false;
      const stops = [row, ...row.querySelectorAll<HTMLElement>(controls)];
      const at = stops.indexOf(event.target as HTMLElement);
      stops[(at + (event.key === 'ArrowRight' ? 1 : -1) + stops.length) % stops.length]?.focus();
      return true;
    };
    /** The browser searches for the next stop from our last one, or from the first. */
    const passRows = (event: KeyboardEvent) => {
      const stops = grid.querySelectorAll<HTMLElement>(`${controls}, [role="row"][tabindex="0"]`);
      isPassing = true;
      (event.shiftKey ? grid : stops.item(stops.length - 1)).focus({ preventScroll: true });
      isPassing = false;
    };

    scope.listen<KeyboardEvent>(grid, 'keydown', (event) => {
      if (event.defaultPrevented) return;
      const row = rowOf(event.target);
      const from = indexOf(row);
      const { items, onKey, onOpen, rowsInView, scrollTo, selection } = latest.current;
      const item = items[from];
      if (row === null || item === undefined) return;
      if (event.key === 'Tab') {
        passRows(event);
        return;
      }
      const isOnRow = event.target === row;
      const to = rowForKey(event, from, items.length, rowsInView());
      if (to !== null) {
        moveTo(to);
        if (event.shiftKey && selection !== undefined) extendTo(to, from);
      } else if (walkControls(event, row)) {
        // Moved.
      } else if (event.key === 'Delete' && event.repeat) {
        // A key that is held takes away one row, not those that follow it.
      } else if (onKey?.(event, item) === true) {
        // Taken by the holder.
      } else if (!isOnRow) {
        return;
      } else if (event.key === 'Enter' && !isModified(event)) {
        if (!event.repeat) {
          // The row may have moved or been scrolled out of view; what opens beside it must be visible.
          scrollTo(from);
          onOpen(item);
        }
      } else if (!findTyped(event, from) && !selectByKey(event, item)) {
        return;
      }
      event.preventDefault();
    });

    scope.listen<MouseEvent>(grid, 'click', (event) => {
      const { items, selection, onOpen, onPress } = latest.current;
      const index = indexOf(event.target);
      const item = items[index];
      if (item === undefined || (event.target as Element).closest(`${controls}, [data-heading]`)) return;
      const press = onPress ?? onOpen;
      // The click's action may render the page again, and not every click focuses a row.
      latest.current.active.moveTo(index, true);
      if (selection === undefined) press(item);
      else if (event.shiftKey) extendTo(index, index);
      else if (event.ctrlKey || event.metaKey) {
        // Where a click only marks the row, that row starts the selection.
        const isFirst = onPress !== undefined && selection.ids.size === 0 && anchor !== null && anchor !== item.id;
        if (isFirst && anchor !== null) select(new Set([anchor, item.id]));
        else toggle(item);
      } else if (selection.ids.size > 0 && onPress === undefined) toggle(item);
      else {
        // It marks that row alone, as in the lists of files of every system.
        if (selection.ids.size > 0) select(new Set());
        anchor = item.id;
        press(item);
      }
    });
    scope.listen<MouseEvent>(grid, 'dblclick', (event) => {
      const { items, onOpen, onPress } = latest.current;
      const item = items[indexOf(event.target)];
      if (item !== undefined && onPress !== undefined && !(event.target as Element).closest(controls)) onOpen(item);
    });
    scope.listen<MouseEvent>(grid, 'contextmenu', (event) => {
      const { items, onMenu, scrollTo } = latest.current;
      const index = indexOf(event.target);
      const item = items[index];
      if (item === undefined || onMenu === undefined) return;
      event.preventDefault();
      if (event.button !== 2) scrollTo(index);
      // The menu key has no place of its own.
      onMenu(item, event.button === 2 || event.ctrlKey ? { x: event.clientX, y: event.clientY } : null);
    });

    scope.listen<FocusEvent>(grid, 'focusin', (event) => {
      if (isPassing) return;
      const { active, items } = latest.current;
      const isEntering = !(event.relatedTarget instanceof Node && grid.contains(event.relatedTarget));
      active.setFocusWithin(true);
      grid.tabIndex = -1;
      // React focuses again a row that it moved, before the rows of now are known: not by its place.
      const key = rowOf(event.target)?.dataset['key'];
      const index = items.findIndex(({ id }) => id === key);
      const isByKeys = event.target instanceof Element && event.target.matches(':focus-visible');
      if (index < 0 || (isEntering && isByKeys && event.target !== rowOf(event.target) && index !== active.index)) {
        moveTo(active.index);
      } else {
        active.moveTo(index, false);
      }
    });
    // Not `focusout`: a removed row has not lost the focus to another element.
    const leave = (event: Event) => {
      if (event.target instanceof Node && grid.contains(event.target)) return;
      latest.current.active.setFocusWithin(false);
      grid.tabIndex = 0;
    };
    scope.listen(document, 'focusin', leave);
    scope.listen(document, 'pointerdown', leave, { capture: true });
    return () => scope.dispose();
  }, []);
}

type GridKey = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** Rows count from 0; null when the key moves nowhere. `page`: the number of visible rows. */
function rowForKey(event: GridKey, from: number, rowCount: number, page: number): number | null {
  if (event.altKey || rowCount === 0) return null;
  const last = rowCount - 1;
  const step = Math.max(1, page - 1);
  const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: step, PageUp: -step };
  const by = steps[event.key];
  if (event.key === 'Home') return 0;
  if (event.key === 'End') return last;
  return by === undefined || event.ctrlKey || event.metaKey ? null : Math.max(0, Math.min(last, from + by));
}

/** Wraps around; repeating a single letter moves on. */
function rowForTyped(labels: readonly string[], typed: string, from: number): number | null {
  const wanted = typed.toLocaleLowerCase();
  const found = labels.flatMap((label, row) => (label.toLocaleLowerCase().startsWith(wanted) ? [row] : []));
  const starts = wanted.length === 1 ? from + 1 : from;
  return found.find((row) => row >= starts) ?? found[0] ?? null;
}

type ActiveRow = ReturnType<typeof useActiveRow>;

export interface GridItem {
  readonly id: string;
  /** It is still listed elsewhere: the keyboard stays in its place. */
  readonly isGone?: boolean;
}

interface Active {
  readonly id: string;
  readonly index: number;
  readonly isGone: boolean;
  readonly insteadOf?: string;
}

/** What follows a removed row takes its focus, so that the keyboard never falls out of the list. */
export function useActiveRow(items: readonly GridItem[], grid: RefObject<HTMLElement | null>) {
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
    moveTo: (to: number, withFocus: boolean) => {
      const item = items[to];
      if (item === undefined || (!withFocus && active?.id === item.id)) return;
      isWanted.current = withFocus;
      setActive({ id: item.id, index: to, isGone: item.isGone === true });
    },
    setFocusWithin: (isWithin: boolean) => {
      isFocusWithin.current = isWithin;
    },
  };
}

function follow(active: Active, items: readonly GridItem[]): Active | null {
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
