import { defaultRangeExtractor, useVirtualizer, type Range, type Virtualizer } from '@tanstack/react-virtual';
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
import { PressedAt, type MenuPoint } from '../menu.tsx';
import css from './row-grid.module.css';
import { useActiveRow, useGridEvents, type GridItem, type RowSelection } from './use-grid-events.ts';

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
    // Heights are read after the browser's layout, instead of forcing it while rows are inserted.
    measureElement: measureLaidOut,
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
  const listen = useGridEvents({
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
  useEffect(() => (grid.current === null ? undefined : listen(grid.current)), [listen]);
  const activeItem = items[activeIndex] ?? null;
  const drawn = rows.getVirtualItems();
  useSlidingRows(
    grid,
    items,
    drawn.map(({ key, start }) => ({ key: String(key), start })),
    () => {
      const scrolledBy = rows.scrollOffset ?? 0;
      // Rows above the view are left to the browser's own report, which keeps the view in its place.
      const others = [...(grid.current?.querySelectorAll<HTMLElement>('[data-index]') ?? [])].flatMap((row) => {
        const placed = rows.measurementsCache[Number(row.dataset['index'])];
        const size = row.offsetHeight;
        return placed === undefined || placed.start < scrolledBy || placed.size === size ? [] : [{ placed, size }];
      });
      for (const { placed, size } of others) rows.resizeItem(placed.index, size);
      return others.length > 0;
    },
  );
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
      <div role="presentation" className={css['space']} style={{ blockSize: `${String(rowsSize + roomBelow)}px` }}>
        {drawn.map(({ index, start }) => {
          const item = items[index];
          return item === undefined ? null : (
            <Row
              key={item.id}
              item={item}
              index={index}
              start={start}
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

function measureLaidOut(
  element: HTMLElement,
  entry: ResizeObserverEntry | undefined,
  rows: Virtualizer<HTMLDivElement, HTMLElement>,
): number {
  const [box] = entry?.borderBoxSize ?? [];
  if (box !== undefined) return Math.round(box.blockSize);
  const index = rows.indexFromElement(element);
  return rows.measurementsCache[index]?.size ?? rows.options.estimateSize(index);
}

interface RowProps {
  readonly item: GridItem;
  readonly index: number;
  readonly start: number;
  readonly isLast: boolean;
  readonly isTabStop: boolean;
  readonly isSelected: boolean | null;
  readonly label: string;
  readonly draw: (item: GridItem) => ReactNode;
  readonly measure: (element: HTMLElement | null) => void;
  readonly pressedAt: MenuPoint | null;
}

const Row = memo(function Row({
  item,
  index,
  start,
  isLast,
  isTabStop,
  isSelected,
  label,
  draw,
  measure,
  pressedAt,
}: RowProps) {
  // oxlint-disable jsx-a11y/prefer-tag-over-role -- rows of a table cannot be placed by the list; the pattern is ARIA's grid
  return (
    <div
      ref={measure}
      role="row"
      data-index={index}
      data-key={item.id}
      tabIndex={isTabStop ? 0 : -1}
      aria-rowindex={index + 1}
      aria-label={label}
      aria-selected={isSelected ?? undefined}
      className={cx(css['row'], isLast && css['last'])}
      style={{ transform: `translateY(${String(start)}px)` }}
    >
      <div role="gridcell" aria-colindex={1}>
        <PressedAt value={pressedAt}>
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

/** Rows slide to new places, not farther than the list is high. `measure`: whether heights changed. */
function useSlidingRows(
  grid: RefObject<HTMLElement | null>,
  items: unknown,
  rows: readonly { readonly key: string; readonly start: number }[],
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
