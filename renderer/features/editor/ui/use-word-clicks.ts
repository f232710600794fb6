import { useEffect, type RefObject } from 'react';
import { Scope } from '../../../lib/scope.ts';
import { useEditor } from '../editor-context.ts';
import type { Segment } from '../../../../shared/domain/transcript/transcript.ts';
import type { WordMarks } from './word-marks.ts';
import type { Timeline, WordPlace } from '../model/timeline.ts';
import { isTime } from './use-block-selection.ts';
import { wordAtOffset, rangesIn } from '../model/word-layout.ts';

/** Selecting text does not move the playhead. */
export function useWordClicks(scroller: RefObject<HTMLElement | null>, marks: WordMarks): void {
  const { timeline, player, store } = useEditor();
  useEffect(() => {
    if (scroller.current === null) return undefined;
    const scope = new Scope();
    scope.listen<MouseEvent>(scroller.current, 'click', (event) => {
      const place = wordAtPress(event, timeline);
      if (place === null || document.getSelection()?.isCollapsed === false) return;
      const segment = timeline.segments[place.segment];
      const start = segment?.words[place.word]?.startMs ?? segment?.startMs;
      if (start === undefined) return;
      // Keyboard navigation continues from here, but the clicked word needs no cursor, because it is played.
      store.moveCursor(place);
      marks.showCursor(null);
      player.seek(start);
    });
    return () => scope.dispose();
  }, [scroller, marks, timeline, player, store]);
}

export function wordAtPoint({ clientX, clientY }: MouseEvent, segment: Segment): number | null {
  const position = document.caretPositionFromPoint(clientX, clientY);
  const text = position?.offsetNode;
  if (!(text instanceof Text) || text.parentElement?.dataset['text'] === undefined) return null;
  const ranges = rangesIn(text.data, segment);
  const word = wordAtOffset({ ranges }, position?.offset ?? 0);
  if (word < 1) return word < 0 ? null : word;
  const middleOf = (at: number) => {
    const range = document.createRange();
    range.setStart(text, ranges[at]?.[0] ?? 0);
    range.setEnd(text, ranges[at]?.[1] ?? 0);
    const { top, bottom } = range.getBoundingClientRect();
    return (top + bottom) / 2;
  };
  // Right of a line that goes on below, the offset is that of the next line's first word.
  const [before, here] = [middleOf(word - 1), middleOf(word)];
  return Math.abs(before - clientY) < Math.abs(here - clientY) ? word - 1 : word;
}

function wordAtPress(event: MouseEvent, timeline: Timeline): WordPlace | null {
  if (!(event.target instanceof Element) || event.target.closest('button') !== null) return null;
  const segment = Number(event.target.closest<HTMLElement>('[data-index]')?.dataset['index'] ?? Number.NaN);
  const source = timeline.segments[segment];
  if (source === undefined) return null;
  if (isTime(event.target)) return { segment, word: 0 };
  const word = event.target.closest('[data-text]') === null ? null : wordAtPoint(event, source);
  return word === null ? null : { segment, word };
}
