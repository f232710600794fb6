import { useEffect, type RefObject } from 'react';
import { Scope } from '../../../lib/scope.ts';
import { useEditor } from '../editor-context.ts';
import type { WordMarks } from './word-marks.ts';
import { wordUnder } from './word-under.ts';

/** A click on a word moves the playhead to it; a click on a time, to the start of its segment. Selecting does not. */
export function useWordClicks(scroller: RefObject<HTMLElement | null>, marks: WordMarks): void {
  const { timeline, player, store } = useEditor();
  useEffect(() => {
    if (scroller.current === null) return undefined;
    const scope = new Scope();
    scope.listen<MouseEvent>(scroller.current, 'click', (event) => {
      const place = wordUnder(event, timeline, marks);
      if (place === null || document.getSelection()?.isCollapsed === false) return;
      const segment = timeline.segments[place.segment];
      const start = segment?.words[place.word]?.startMs ?? segment?.startMs;
      if (start === undefined) return;
      // The keys go on from here, but what was clicked needs no mark: it is heard.
      store.moveCursor(place);
      marks.showCursor(null);
      player.seek(start);
    });
    return () => {
      scope.dispose();
    };
  }, [scroller, marks, timeline, player, store]);
}
