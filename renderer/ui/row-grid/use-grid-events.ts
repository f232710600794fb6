import { useCallback, useLayoutEffect, useRef } from 'react';
import { Scope } from '../../lib/scope.ts';
import { rowForKey, rowForTyped, rowsBetween } from './grid-keys.ts';
import type { MenuPoint } from '../menu.tsx';
import type { ActiveRow } from './use-active-row.ts';

/** The selected rows; the parent owns the set. */
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
  /** `at`: where the right click was, null for a key. */
  readonly onMenu?: (item: T, at: MenuPoint | null) => void;
  readonly onKey?: (event: KeyboardEvent, item: T) => boolean;
}

const typedForgottenMs = 800;
const controls = 'button:not(:disabled), a[href], input:not(:disabled), select:not(:disabled)';

const rowOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[role="row"]') : null;
const isModified = (event: KeyboardEvent) => event.ctrlKey || event.metaKey || event.altKey;

/**
 * Listens on the grid's own element, so that rows have no listeners and a row's portal content (its menu) is not
 * mistaken for the row. Returns a function that starts listening, which returns one that stops.
 */
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
    /** Left and right move from the row through its controls and back. */
    const walkControls = (event: KeyboardEvent, row: HTMLElement): boolean => {
      if (isModified(event) || (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft')) return false;
      const stops = [row, ...row.querySelectorAll<HTMLElement>(controls)];
      const at = stops.indexOf(event.target as HTMLElement);
      stops[(at + (event.key === 'ArrowRight' ? 1 : -1) + stops.length) % stops.length]?.focus();
      return true;
    };
    /** Tab skips all rows at once: the browser searches for the next stop from our last one, or from the first. */
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
        // Where a press only marks the row, it marks that row alone, as in the lists of files of every system.
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
      // React focuses a row again that it moved, before the rows of now are known here: not by its place.
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
    return () => {
      scope.dispose();
    };
  }, []);
}
