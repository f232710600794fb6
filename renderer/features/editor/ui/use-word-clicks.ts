import { useEffect, type RefObject } from 'react';
import { Scope } from '../../../lib/scope.ts';
import { useEditor } from '../editor-context.ts';
import type { Segment } from '../../../../shared/domain/transcript/transcript.ts';
import type { WordMarks } from './word-marks.ts';
import type { Timeline, WordPlace } from '../model/timeline.ts';
import { isTime } from './use-block-selection.ts';
import { wordAtOffset, rangesIn } from '../model/word-layout.ts';

/**
 * A click in the text moves the playhead to the word at the caret, a click on a time to the start of its segment.
 * Selecting text does not.
 */
export function useWordClicks(scroller: RefObject<HTMLElement | null>, marks: WordMarks): void {
  const { timeline, player, store } = useEditor();
  useEffect(() => {
    if (scroller.current === null) return undefined;
    const scope = new Scope();
    scope.listen<MouseEvent>(scroller.current, 'click', (event) => {
      const place = wordAtPress(event, timeline, marks);
      if (place === null || document.getSelection()?.isCollapsed === false) return;
      const segment = timeline.segments[place.segment];
      const start = segment?.words[place.word]?.startMs ?? segment?.startMs;
      if (start === undefined) return;
      // Keyboard navigation continues from here, but the clicked word needs no cursor, because it is played.
      store.moveCursor(place);
      marks.showCursor(null);
      player.seek(start);
    });
    return () => {
      scope.dispose();
    };
  }, [scroller, marks, timeline, player, store]);
}

/** The word that is nearest to the pointer, also beside the text. */
export function wordNear(event: MouseEvent, segment: Segment): number {
  const position = document.caretPositionFromPoint(event.clientX, event.clientY);
  const isInText =
    position?.offsetNode instanceof Text && position.offsetNode.parentElement?.dataset['text'] !== undefined;
  if (!isInText) return 0;
  const { data } = position.offsetNode as Text;
  return Math.max(0, wordAtOffset({ text: '', ranges: rangesIn(data, segment) }, position.offset));
}

/** The word to which a press takes the caret; the first word of a segment for its time; null beside the text. */
function wordAtPress(event: MouseEvent, timeline: Timeline, marks: WordMarks): WordPlace | null {
  if (!(event.target instanceof Element) || event.target.closest('button') !== null) return null;
  const segment = Number(event.target.closest<HTMLElement>('[data-index]')?.dataset['index'] ?? Number.NaN);
  const source = timeline.segments[segment];
  if (source === undefined) return null;
  if (isTime(event.target)) return { segment, word: 0 };
  if (event.target.closest('[data-text]') === null) return null;
  const position = document.caretPositionFromPoint(event.clientX, event.clientY);
  if (position === null || !(position.offsetNode instanceof Text)) return null;
  const word = wordAtOffset({ text: '', ranges: rangesIn(position.offsetNode.data, source) }, position.offset);
  if (word < 0) return null;
  // Right of a line that goes on below, the offset is that of the next line's first word.
  const isBelow = (marks.rectOf({ segment, word })?.top ?? 0) > event.clientY;
  return { segment, word: isBelow ? word - 1 : word };
}
