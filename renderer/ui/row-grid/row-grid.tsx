import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual';
import {
  memo,
  useCallback,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type CSSProperties,
  type ReactNode,
  useLayoutEffect,
  type RefObject,
} from 'react';
import { cx } from '../../lib/class-names.ts';
import { Scope } from '../../lib/scope.ts';
import { PressedAt, type MenuPoint } from '../menu.tsx';
import css from './row-grid.module.css';

interface GridItem {
  readonly id: string;
  /** It is still listed elsewhere: the keyboard stays in its place. */
  readonly isGone?: boolean;
}

interface RowSelection {
  readonly ids: ReadonlySet<string>;
  readonly onChange: (ids: ReadonlySet<string>) => void;
}

export interface RowGridProps<T extends GridItem> {
  readonly label: string;
  /** An item with the same identity is not rendered again. */
  readonly items: readonly T[];
  readonly labelOf: (item: T) => string;
  /** Must be the same function between renders, or every row renders again. */
  readonly children: (item: T) => ReactNode;
  readonly estimatedRowHeight: number;
  readonly onOpen: (item: T) => void;
  /** Instead of opening; a double click opens then. */
  readonly onPress?: (item: T) => void;
  readonly onActive?: (item: T | null) => void;
  readonly onMenu?: (item: T) => void;
  /** Keys that the grid does not use; true when handled. */
  readonly onKey?: (event: KeyboardEvent, item: T) => boolean;
  readonly selection?: RowSelection;
  /** Scrolled into view when it changes, and when the height of the list does. */
  readonly inSightId?: string | null;
  readonly className?: string | undefined;
  readonly style?: CSSProperties;
}

/** So that a short scroll shows no gap. */
const overscan = 4;
/** CSS pixels below the last row of a scrolling list, so that no notice covers it permanently. */
const noticeRoom = 56;
/** A list this short is whole in the page, for users who read it without the grid's keys. */
const drawnWhole = 20;

/** ARIA's grid: one tab stop, up and down between rows, left and right between their controls. */
export function RowGrid<T extends GridItem>({
  label,
  items,
  labelOf,
  children,
  estimatedRowHeight,
  selection,
  inSightId = null,
  className,
  style,
  onActive,
  onMenu,
  ...events
}: RowGridProps<T>) {
  const grid = useRef<HTMLDivElement>(null);
  const [pressed, setPressed] = useState<{ readonly id: string; readonly at: MenuPoint } | null>(null);
  const active = useActiveRow(items, grid);
  const activeIndex = active.index;
  // oxlint-disable-next-line react/incompatible-library -- its answers change under the same functions; nothing here is memoised on them
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => grid.current,
    // Rows appear with the first render instead of after measuring.
    initialRect: { width: 0, height: window.innerHeight / 2 },
    estimateSize: () => estimatedRowHeight,
    getItemKey: useCallback((index: number) => items[index]?.id ?? index, [items]),
    overscan: items.length > drawnWhole ? overscan : drawnWhole,
    rangeExtractor: useCallback(
      (range: Range) => {
        const indexes = defaultRangeExtractor(range);
        return activeIndex < 0 || indexes.includes(activeIndex)
          ? indexes
          : [...indexes, activeIndex].toSorted((one, other) => one - other);
      },
      [activeIndex],
    ),
  });
  useGridEvents(grid, {
    items,
    labelOf,
    selection,
    active,
    scrollTo: (index) => rows.scrollToIndex(index, { align: 'auto' }),
    rowsInView: () => (rows.range === null ? 1 : rows.range.endIndex - rows.range.startIndex + 1),
    ...(onMenu && {
      onMenu: (item: T, at: MenuPoint | null) => {
        setPressed(at === null ? null : { id: item.id, at });
        onMenu(item);
      },
    }),
    ...events,
  });
  const activeItem = items[activeIndex] ?? null;
  const drawn = rows.getVirtualItems();
  const keepInSight = useEffectEvent(() => {
    const index = items.findIndex(({ id }) => id === inSightId);
    if (index >= 0) rows.scrollToIndex(index, { align: 'auto' });
  });
  const viewHeight = rows.scrollRect?.height;
  const atFirst = useRef(inSightId);
  useEffect(() => {
    if (inSightId === atFirst.current) return;
    atFirst.current = null;
    keepInSight();
  }, [inSightId, viewHeight]);
  const rowsSize = rows.getTotalSize();
  const roomBelow = (rows.scrollRect?.height ?? rowsSize) < rowsSize ? noticeRoom : 0;
  const tellActive = useEffectEvent(() => onActive?.(activeItem));
  useEffect(() => {
    tellActive();
  }, [activeItem]);

  return (
    <div
      ref={grid}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={items.length}
      aria-colcount={1}
      aria-multiselectable={selection === undefined ? undefined : true}
      className={cx(css['grid'], className)}
      style={style}
    >
      <div role="presentation" className={css['rows']} style={{ blockSize: `${String(rowsSize + roomBelow)}px` }}>
        {drawn.map(({ index, start }, at) => {
          const item = items[index];
          return item === undefined ? null : (
            <Row
              key={item.id}
              item={item}
              index={index}
              gapBefore={start - (drawn[at - 1]?.end ?? 0)}
              isLast={index === items.length - 1}
              isTabStop={index === activeIndex}
              isSelected={selection === undefined ? null : selection.ids.has(item.id)}
              label={labelOf(item)}
              draw={children as (item: GridItem) => ReactNode}
              measure={rows.measureElement}
              pressedAt={pressed?.id === item.id ? pressed.at : null}
            />
          );
        })}
      </div>
    </div>
  );
}

interface RowProps {
  readonly item: GridItem;
  readonly index: number;
  /** In the place of rows that are not drawn. The rest lie in the page's flow, so that none covers another. */
  readonly gapBefore: number;
  readonly isLast: boolean;
  readonly isTabStop: boolean;
  readonly isSelected: boolean | null;
  readonly label: string;
  readonly draw: (item: GridItem) => ReactNode;
  readonly measure: (element: HTMLElement | null) => void;
  readonly pressedAt: MenuPoint | null;
}

const Row = memo(function Row({ item, draw, index, measure, ...row }: RowProps) {
  // oxlint-disable jsx-a11y/prefer-tag-over-role -- rows of a table cannot be placed by the list; the pattern is ARIA's grid
  return (
    <div
      ref={measure}
      role="row"
      data-index={index}
      data-key={item.id}
      tabIndex={row.isTabStop ? 0 : -1}
      aria-rowindex={index + 1}
      aria-label={row.label}
      aria-selected={row.isSelected ?? undefined}
      className={cx(css['row'], row.isLast && css['last'])}
      style={{ marginBlockStart: row.gapBefore }}
    >
      <div role="gridcell" aria-colindex={1}>
        <PressedAt value={row.pressedAt}>
          <Content item={item} draw={draw} />
        </PressedAt>
      </div>
    </div>
  );
  // oxlint-enable jsx-a11y/prefer-tag-over-role
});

/** Separate from its row, so that a row that only moves does not render its content again. */
const Content = memo(function Content({ item, draw }: Pick<RowProps, 'item' | 'draw'>) {
  return draw(item);
});

const rowsBetween = <T,>(rows: readonly T[], one: number, other: number): readonly T[] =>
  rows.slice(Math.min(one, other), Math.max(one, other) + 1);

type GridEvents<T extends GridItem> = Pick<RowGridProps<T>, 'items' | 'labelOf' | 'onOpen' | 'onPress' | 'onKey'> & {
  readonly selection: RowSelection | undefined;
  readonly active: ActiveRow;
  readonly scrollTo: (index: number) => void;
  readonly rowsInView: () => number;
  readonly onMenu?: (item: T, at: MenuPoint | null) => void;
};

const typedForgottenMs = 800;
const controls = 'button:not(:disabled), a[href], input:not(:disabled), select:not(:disabled)';

const rowOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[role="row"]') : null;
const isModified = (event: KeyboardEvent) => event.ctrlKey || event.metaKey || event.altKey;

/** On the grid itself: rows need no listeners, and what a row shows in a portal is not the row. */
function useGridEvents<T extends GridItem>(holder: RefObject<HTMLElement | null>, now: GridEvents<T>): void {
  const latest = useEffectEvent(() => now);
  useEffect(() => {
    const grid = holder.current;
    if (grid === null) return undefined;
    const scope = new Scope();
    const typed = { text: '', atMs: 0 };
    let anchor: string | null = null;
    let isPassing = false;

    const indexOf = (target: EventTarget | null) => Number(rowOf(target)?.dataset['index'] ?? -1);
    const moveTo = (index: number) => {
      const { active, scrollTo } = latest();
      scrollTo(index);
      active.moveTo(index, true);
    };
    const select = (ids: ReadonlySet<string>) => latest().selection?.onChange(ids);
    const toggle = (item: T) => {
      const ids = new Set(latest().selection?.ids);
      if (!ids.delete(item.id)) ids.add(item.id);
      anchor = item.id;
      select(ids);
    };
    const extendTo = (index: number, from: number) => {
      const { items } = latest();
      const start = items.findIndex(({ id }) => id === anchor);
      if (start < 0) anchor = items[from]?.id ?? null;
      select(new Set(rowsBetween(items, start < 0 ? from : start, index).map(({ id }) => id)));
    };
    const selectByKey = (event: KeyboardEvent, item: T): boolean => {
      const { selection, items } = latest();
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
      const { items, labelOf } = latest();
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
      const { items, onKey, onOpen, rowsInView, scrollTo, selection } = latest();
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
      const { items, selection, onOpen, onPress } = latest();
      const index = indexOf(event.target);
      const item = items[index];
      if (item === undefined || (event.target as Element).closest(`${controls}, [data-heading]`)) return;
      const press = onPress ?? onOpen;
      // The click's action may render the page again, and not every click focuses a row.
      latest().active.moveTo(index, true);
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
      const { items, onOpen, onPress } = latest();
      const item = items[indexOf(event.target)];
      if (item !== undefined && onPress !== undefined && !(event.target as Element).closest(controls)) onOpen(item);
    });
    scope.listen<MouseEvent>(grid, 'contextmenu', (event) => {
      const { items, onMenu, scrollTo } = latest();
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
      const { active, items } = latest();
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
      latest().active.setFocusWithin(false);
      grid.tabIndex = 0;
    };
    scope.listen(document, 'focusin', leave);
    scope.listen(document, 'pointerdown', leave, { capture: true });
    return () => scope.dispose();
  }, [holder]);
}

/** Rows count from 0; null when the key moves nowhere. `page`: the number of visible rows. */
function rowForKey(event: KeyboardEvent, from: number, rowCount: number, page: number): number | null {
  const step = Math.max(1, page - 1);
  const steps: Readonly<Record<string, number>> = {
    Home: -rowCount,
    End: rowCount,
    ...(!event.ctrlKey && !event.metaKey && { ArrowDown: 1, ArrowUp: -1, PageDown: step, PageUp: -step }),
  };
  const by = event.altKey ? undefined : steps[event.key];
  return by === undefined ? null : Math.max(0, Math.min(rowCount - 1, from + by));
}

/** Wraps around; repeating a single letter moves on. */
function rowForTyped(labels: readonly string[], typed: string, from: number): number | null {
  const wanted = typed.toLocaleLowerCase();
  const found = labels.flatMap((label, row) => (label.toLocaleLowerCase().startsWith(wanted) ? [row] : []));
  const starts = wanted.length === 1 ? from + 1 : from;
  return found.find((row) => row >= starts) ?? found[0] ?? null;
}

type ActiveRow = ReturnType<typeof useActiveRow>;

interface Active {
  readonly id: string;
  readonly index: number;
  readonly isGone: boolean;
  readonly insteadOf?: string;
}

/** What follows a removed row takes its focus, so that the keyboard never falls out of the list. */
function useActiveRow(items: readonly GridItem[], grid: RefObject<HTMLElement | null>) {
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
