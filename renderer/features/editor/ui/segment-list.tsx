import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import { cx } from '../../../lib/class-names.ts';
import { useText } from '../../../lib/text.ts';
import { speakerOf, useEditor, useEditorState, useSegments } from '../editor-context.ts';
import css from './inspector.module.css';
import colours from './speaker-colours.module.css';

const rowHeight = 31;

/** Every segment in one line; one stop for Tab, arrows move inside it, a press plays from there. */
export function SegmentList() {
  const t = useText();
  const editor = useEditor();
  const { wordsLang, timeline, player, store } = editor;
  const segments = useSegments();
  const list = useRef<HTMLUListElement>(null);
  const wanted = useRef<number | null>(null);
  const current = useEditorState((state) => state.current);
  const isFollowing = useEditorState((state) => state.isFollowing);
  const [picked, setPicked] = useState<number | null>(null);
  // A new function would have all rows measured anew.
  const keyOf = useMemo(() => (index: number) => timeline.segments[index]?.id ?? index, [timeline]);
  // oxlint-disable-next-line react/incompatible-library -- its answers change under the same functions; nothing here is memoised on them
  const rows = useVirtualizer({
    count: segments.length,
    getScrollElement: () => list.current,
    estimateSize: () => rowHeight,
    getItemKey: keyOf,
    overscan: 6,
  });
  useEffect(() => {
    if (isFollowing && current >= 0) rows.scrollToIndex(current, { align: 'auto' });
  }, [rows, current, isFollowing]);
  // The row that an arrow leads to may be mounted only after the list has scrolled to it.
  useEffect(() => {
    if (wanted.current === null) return;
    const row = list.current?.querySelector<HTMLElement>(`[data-row="${String(wanted.current)}"]`);
    if (row === null || row === undefined) return;
    wanted.current = null;
    row.focus({ preventScroll: true });
  });

  const items = rows.getVirtualItems();
  const active = picked ?? Math.max(0, current);
  const tabStop = items.some((item) => item.index === active) ? active : (items[0]?.index ?? 0);
  const move = (event: KeyboardEvent, index: number) => {
    const to = keyTarget(event, index, segments.length - 1);
    if (to === null) return;
    event.preventDefault();
    wanted.current = to;
    setPicked(to);
    rows.scrollToIndex(to, { align: 'auto' });
  };
  return (
    <ul ref={list} className={css['list']} aria-label={t('editor.inspector.segments')}>
      <li aria-hidden style={{ blockSize: `${String(rows.getTotalSize())}px` }} />
      {items.map(({ index, key, start }) => {
        const segment = segments[index];
        const speaker = speakerOf(editor, index);
        return (
          <li key={key} className={css['item']} style={{ transform: `translateY(${String(start)}px)` }}>
            <button
              type="button"
              data-row={index}
              tabIndex={index === tabStop ? 0 : -1}
              aria-current={index === current}
              className={cx(
                css['row'],
                colours[`c${String(speaker?.colour ?? 0)}`],
                index === current && css['current'],
              )}
              onKeyDown={(event) => {
                move(event, index);
              }}
              onClick={() => {
                setPicked(null);
                store.moveCursor({ segment: index, word: 0 });
                player.seek(segment?.startMs ?? 0);
              }}
            >
              <span className={css['time']}>{clock(segment?.startMs ?? 0)}</span>
              <span className={css['words']} lang={wordsLang}>
                {segment?.text}
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function keyTarget(event: KeyboardEvent, from: number, last: number): number | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  switch (event.key) {
    case 'ArrowDown':
      return Math.min(last, from + 1);
    case 'ArrowUp':
      return Math.max(0, from - 1);
    case 'PageDown':
      return Math.min(last, from + 10);
    case 'PageUp':
      return Math.max(0, from - 10);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}
