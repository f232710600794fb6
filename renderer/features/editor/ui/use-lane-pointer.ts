import { useEffect, useState, type RefObject } from 'react';
import type { TimeSpan } from '../../../../shared/domain/transcript/transcript.ts';
import type { WaveformView } from '../../../audio/waveform/waveform-view.ts';
import { Scope } from '../../../lib/scope.ts';
import { useEditor } from '../editor-context.ts';

/** Smaller movements count as a click. */
const dragPixels = 4;
/** How many pixels a frame the lane scrolls while a drag is beyond its edge. */
const scrollPixels = 12;
/** The shortest range; a shorter one would be inaudible. */
const leastMs = 50;

/**
 * Pointer handling of the lane: dragging selects a range, its edges can be dragged, and Alt+click selects a word. A
 * click jumps (wavesurfer's own handling), and one outside the range clears it. Returns the range being dragged.
 */
export function useLanePointer(view: WaveformView, surface: RefObject<HTMLElement | null>): TimeSpan | null {
  const { store, player, timeline } = useEditor();
  const [dragged, setDragged] = useState<TimeSpan | null>(null);
  useEffect(() => {
    const element = surface.current;
    if (element === null) return undefined;
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
      // Dragging an edge keeps the other end fixed.
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
        // A press on an edge of a segment is no click on the waveform.
        if ((event.target as HTMLElement).closest('[role="toolbar"], [data-edges]') !== null) return;
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
