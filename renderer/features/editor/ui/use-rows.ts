import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useState, type RefObject } from 'react';
import type { Segment } from '../../../../shared/domain/transcript/transcript.ts';
import { useEditor } from '../editor-context.ts';

/** The mounted rows of the text: those in view and some around them. */
export type Rows = Virtualizer<HTMLElement, Element>;

const lineHeight = 29;
const turnPadding = 18;
const speakerLine = 21;

/** A row for each segment; heights are estimated until they are measured. */
export function useRows(
  scroller: RefObject<HTMLElement | null>,
  segments: readonly Segment[],
  isSpeakerShown: (index: number) => boolean,
): Rows {
  const { timeline } = useEditor();
  const [lineChars, setLineChars] = useState(60);
  // A new function would make the list measure all rows again; this one reads the current text.
  const keyOf = useMemo(() => (index: number) => timeline.segments[index]?.id ?? index, [timeline]);
  // oxlint-disable-next-line react/incompatible-library -- its answers change under the same functions; nothing here is memoised on them
  const rows = useVirtualizer({
    count: segments.length,
    getScrollElement: () => scroller.current,
    getItemKey: keyOf,
    estimateSize: (index) => {
      const segment = segments[index];
      // Not from its layout, which is computed only for the visible rows.
      const lines = segment === undefined ? 1 : Math.max(1, Math.ceil(segment.text.length / lineChars));
      const hasSpeaker = isSpeakerShown(index) && segment?.speakerId !== null;
      return lines * lineHeight + turnPadding + (hasSpeaker ? speakerLine : 0);
    },
    overscan: 4,
    // The first rows come with the first rendering.
    initialRect: { width: window.innerWidth, height: window.innerHeight / 2 },
    measureElement: measuredLater,
    paddingStart: 12,
    paddingEnd: 48,
  });
  useEffect(() => {
    const width = scroller.current?.clientWidth ?? 0;
    if (width > 0) setLineChars(Math.max(20, Math.min(66, Math.floor((width - 140) / 8.2))));
  }, [scroller]);
  return rows;
}

/** Reading a row's height would lay out the page at once; the browser tells it in the same frame anyway. */
function measuredLater(element: Element, entry: ResizeObserverEntry | undefined, rows: Rows): number {
  const index = rows.indexFromElement(element);
  const known = rows.itemSizeCache.get(rows.options.getItemKey(index)) ?? rows.options.estimateSize(index);
  return entry === undefined ? known : Math.round(entry.borderBoxSize[0]?.blockSize ?? known);
}
