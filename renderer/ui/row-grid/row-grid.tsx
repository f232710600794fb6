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
} from 'react';
import { cx } from '../../lib/class-names.ts';
import { PressedAt, type MenuPoint } from '../menu.tsx';
import css from './row-grid.module.css';
import { useActiveRow } from './use-active-row.ts';
import { useGridEvents, type RowSelection } from './use-grid-events.ts';
import { useSlidingRows } from './use-sliding-rows.ts';

export interface GridItem {
  readonly id: string;
  /** The user took the row away, though it is still listed elsewhere: the keyboard stays in its place. */
  readonly isGone?: boolean;
}

export interface RowGridProps<T extends GridItem> {
  readonly label: string;
  /** All rows in order; only visible ones are rendered. An item with the same identity is not rendered again. */
  readonly items: readonly T[];
  /** The name of a row for screen readers and type-ahead. */
  readonly labelOf: (item: T) => string;
  /** The content of a row. Must be the same function between renders, or every row renders again. */
  readonly children: (item: T) => ReactNode;
  /** In CSS pixels; real heights are measured. */
  readonly estimatedRowHeight: number;
  /** Enter, or a click beside the row's controls. */
  readonly onOpen: (item: T) => void;
  /** The action of a click where it does not open; a double click opens then. */
  readonly onPress?: (item: T) => void;
  /** The row of the keyboard cursor has changed. */
  readonly onActive?: (item: T | null) => void;
  /** Shift+F10, the menu key or a right click. */
  readonly onMenu?: (item: T) => void;
  /** Keys that the grid itself does not use; true when it was handled. */
  readonly onKey?: (event: KeyboardEvent, item: T) => boolean;
  readonly selection?: RowSelection;
  /** When this id changes its row is scrolled into view, and again when the height of the list changes. */
  readonly inSightId?: string | null;
  readonly className?: string | undefined;
  readonly style?: CSSProperties;
}

/** Rendered beyond the view on each side, so that a short scroll shows no gap. */
const overscan = 4;
/** Space below the last row of a scrolling list, in CSS pixels, so that no notice covers it permanently. */
const noticeRoom = 56;
/** A list this short is rendered completely, for users who read a page without the grid's keys. */
const drawnWhole = 20;

/**
 * A long list of rows with controls in them, following the ARIA grid pattern: one tab stop, up and down move between
 * rows, left and right between the controls of a row. Invisible rows are not in the page; `aria-rowcount` and
 * `aria-rowindex` describe them.
 */
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
    // The row with the tab stop is always rendered.
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
    scrollTo: (index) => {
      rows.scrollToIndex(index, { align: 'auto' });
    },
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
  const tellActive = useRef(onActive);
  useEffect(() => {
    tellActive.current = onActive;
  });
  useEffect(() => {
    tellActive.current?.(activeItem);
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

/** The height from the browser's layout; a new row has its expected height. */
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
  /** Null where rows cannot be selected. */
  readonly isSelected: boolean | null;
  readonly label: string;
  readonly draw: (item: GridItem) => ReactNode;
  readonly measure: (element: HTMLElement | null) => void;
  /** Where it was right-clicked. */
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
