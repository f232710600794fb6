import {
  defaultRangeExtractor,
  useVirtualizer,
  type Range,
  type Rect,
  type Virtualizer,
} from '@tanstack/react-virtual';
import { useCallback, useDeferredValue, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import type { Segment } from '../../../../shared/domain/transcript/transcript.ts';
import { useEditor } from '../editor-context.ts';

export type Rows = Virtualizer<HTMLElement, Element>;

export const lineHeight = 29;
const turnPadding = 9;
const speakerLine = 21;
/** The gap before a segment of the same speaker while captions are checked: room for its problems. */
const checkedGap = 20;
const exactTimes = 92;
/** The last room that the text had: the first rows are rendered for it before there is one to measure. */
let lastRoom: Rect = { width: 0, height: window.innerHeight * 0.75 };
const lettersIn = (width: number) => (width === 0 ? 60 : Math.max(20, Math.min(66, Math.floor((width - 140) / 8.2))));

export function useRows(
  scroller: RefObject<HTMLElement | null>,
  segments: readonly Segment[],
  {
    isSpeakerShown,
    hasHeading,
    checksCaptions,
    showsExactTimes,
  }: {
    readonly isSpeakerShown: (index: number) => boolean;
    readonly hasHeading: (index: number) => boolean;
    readonly checksCaptions: boolean;
    readonly showsExactTimes: boolean;
  },
): Rows {
  const { timeline, store } = useEditor();
  const [width, setWidth] = useState(lastRoom.width);
  const lineChars = lettersIn(width === 0 ? 0 : width - (showsExactTimes ? exactTimes : 0));
  const observeElementRect = useCallback((list: Rows, report: (room: Rect) => void) => {
    // Without reading the size, which would lay out the page at once: it comes with the layout of the frame.
    const observer = new ResizeObserver(([entry]) => {
      const [size] = entry?.borderBoxSize ?? [];
      if (size === undefined) return;
      lastRoom = { width: Math.round(size.inlineSize), height: Math.round(size.blockSize) };
      setWidth(lastRoom.width);
      report(lastRoom);
    });
    if (list.scrollElement !== null) observer.observe(list.scrollElement);
    return () => observer.disconnect();
  }, []);
  // A new function would make the list measure all rows again; this one reads the current text.
  const keyOf = useMemo(() => (index: number) => timeline.segments[index]?.id ?? index, [timeline]);
  // A segment with the caret stays on the page however far it is scrolled away: what is typed goes there.
  const rangeExtractor = useCallback(
    (range: Range) => {
      const { caretSegment } = store.getState();
      const inView = defaultRangeExtractor(range);
      const held = caretSegment === null ? -1 : timeline.segments.findIndex(({ id }) => id === caretSegment);
      return held < 0 || inView.includes(held) ? inView : [...inView, held].toSorted((a, b) => a - b);
    },
    [store, timeline],
  );
  // oxlint-disable-next-line react/incompatible-library -- its answers change under the same functions; nothing here is memoised on them
  const rows = useVirtualizer({
    count: segments.length,
    getScrollElement: () => scroller.current,
    getItemKey: keyOf,
    estimateSize: (index) => {
      const segment = segments[index];
      // Not from its layout, which is computed only for the visible rows.
      const lines = segment === undefined ? 1 : Math.max(1, Math.ceil(segment.text.length / lineChars));
      const above = isSpeakerShown(index) ? turnPadding : checksCaptions ? checkedGap : 0;
      const below = index + 1 === segments.length || isSpeakerShown(index + 1) ? turnPadding : 0;
      return lines * lineHeight + above + below + (hasHeading(index) ? speakerLine : 0);
    },
    // Those out of sight are rendered after those in view.
    overscan: useDeferredValue(4, 1),
    initialRect: lastRoom,
    observeElementRect,
    rangeExtractor,
    measureElement: measuredLater,
    paddingStart: 12,
    paddingEnd: 48,
  });
  const isMade = useRef(false);
  useLayoutEffect(() => {
    // Another look makes all rows higher or lower: what is at the top stays there.
    const top = rows.range?.startIndex ?? 0;
    const startOfTop = () => (rows.getTotalSize() === 0 ? 0 : (rows.measurementsCache[top]?.start ?? 0));
    if (isMade.current) {
      const before = startOfTop();
      const onPage = rows.getVirtualItems();
      rows.measure();
      // Those on the page say for themselves when their height changes.
      for (const { key, size } of onPage) rows.itemSizeCache.set(key, size);
      const moved = startOfTop() - before;
      if (moved !== 0) rows.scrollToOffset((rows.scrollOffset ?? 0) + moved);
    }
    isMade.current = true;
  }, [rows, checksCaptions, showsExactTimes]);
  return rows;
}

/** Reading a row's height would lay out the page at once; the browser tells it in the same frame anyway. */
function measuredLater(element: Element, entry: ResizeObserverEntry | undefined, rows: Rows): number {
  const index = rows.indexFromElement(element);
  const key = rows.options.getItemKey(index);
  const known = rows.itemSizeCache.get(key) ?? rows.options.estimateSize(index);
  if (entry === undefined) return known;
  const size = Math.round(entry.borderBoxSize[0]?.blockSize ?? known);
  // The list stores no height that equals its estimate, and the estimate changes with the width of the text.
  if (!rows.itemSizeCache.has(key) && rows.measurementsCache[index]?.size === size) rows.itemSizeCache.set(key, size);
  return size;
}
