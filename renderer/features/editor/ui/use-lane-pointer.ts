import { useEffect, useState, type RefObject } from 'react';
import type { TimeSpan } from '../../../../shared/domain/transcript/transcript.ts';
import type { WaveformView } from '../../../audio/waveform/waveform-view.ts';
import { Scope } from '../../../lib/scope.ts';
import { useEditor } from '../editor-context.ts';

/** A pointer that moved less than this was meant to stand still. */
const dragPixels = 4;
/** Pixels a frame that the lane moves while a drag stands beyond its edge. */
const scrollPixels = 12;
/** A range is at least so long: a shorter one could not be heard. */
const leastMs = 50;

/**
 * The pointer on the lane: a drag chooses a range, an edge of the chosen one can be dragged, with Alt a press chooses a
 * word. A press goes where it was (wavesurfer's own), and one outside of the range lets it go. Gives the range being dragged.
 */
export function useLanePointer(view: WaveformView | null, surface: RefObject<HTMLElement | null>): TimeSpan | null {
  const { store, player, timeline } = useEditor();
  const [dragged, setDragged] = useState<TimeSpan | null>(null);
  useEffect(() => {
    const element = surface.current;
    if (view === null || element === null) return undefined;
    const scope = new Scope();
    let from: { readonly x: number; readonly timeMs: number } | null = null;
    let pointerX = 0;
    let span: TimeSpan | null = null;
    let wasDragged = false;
    let stopScrolling: (() => void) | null = null;
    const timeAt = (x: number): number => {
      const box = element.getBoundingClientRect();
      const { fromMs, toMs } = view.span();
      const part = Math.max(0, Math.min(1, (x - box.left) / box.width));
      return Math.round(fromMs + part * (toMs - fromMs));
    };
    const stretch = () => {
      if (from === null) return;
      const now = timeAt(pointerX);
      span = { startMs: Math.min(from.timeMs, now), endMs: Math.max(from.timeMs, now, from.timeMs + leastMs) };
      setDragged(span);
    };
    const scrollWhileBeyond = () => {
      const box = element.getBoundingClientRect();
      const by = pointerX < box.left ? -scrollPixels : pointerX > box.right ? scrollPixels : 0;
      if (by === 0) return;
      store.follow(false);
      view.scrollBy(by);
      stretch();
    };
    const end = () => {
      from = null;
      span = null;
      stopScrolling?.();
      stopScrolling = null;
      setDragged(null);
    };
    scope.listen<PointerEvent>(element, 'pointerdown', (event) => {
      wasDragged = false;
      if (event.button !== 0 || (event.target as HTMLElement).closest('[role="toolbar"]') !== null) return;
      const { range } = store.getState();
      const held = (event.target as HTMLElement).dataset['range'];
      // An edge is held by its other end: that is what stays.
      if (held !== undefined && range !== null)
        from = { x: Number.NEGATIVE_INFINITY, timeMs: held === 'start' ? range.endMs : range.startMs };
      else from = { x: event.clientX, timeMs: timeAt(event.clientX) };
    });
    scope.listen<PointerEvent>(element, 'pointermove', (event) => {
      if (from === null || event.buttons !== 1) return;
      pointerX = event.clientX;
      if (span === null && Math.abs(event.clientX - from.x) < dragPixels) return;
      if (span === null) {
        element.setPointerCapture(event.pointerId);
        stopScrolling = scope.eachFrame(scrollWhileBeyond);
      }
      wasDragged = true;
      stretch();
    });
    scope.listen<PointerEvent>(element, 'pointerup', () => {
      if (span !== null) {
        store.chooseRange(span);
        player.seek(span.startMs);
      }
      end();
    });
    scope.listen(element, 'pointercancel', end);
    scope.listen<MouseEvent>(
      element,
      'click',
      (event) => {
        if ((event.target as HTMLElement).closest('[role="toolbar"]') !== null) return;
        const timeMs = timeAt(event.clientX);
        const place = event.altKey ? timeline.wordAt(timeMs) : null;
        const word = place === null ? undefined : timeline.segments[place.segment]?.words[place.word];
        const { range } = store.getState();
        if (!wasDragged && word === undefined) {
          if (range !== null && (timeMs < range.startMs || timeMs >= range.endMs)) store.chooseRange(null);
          return;
        }
        event.stopPropagation();
        wasDragged = false;
        if (word === undefined || place === null) return;
        store.chooseRange({ startMs: word.startMs, endMs: Math.max(word.endMs, word.startMs + leastMs) });
        store.moveCursor(place);
        player.seek(word.startMs);
      },
      { capture: true },
    );
    return () => {
      scope.dispose();
    };
  }, [view, surface, store, player, timeline]);
  return dragged;
}
