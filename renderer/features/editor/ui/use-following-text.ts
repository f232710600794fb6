import { useEffect, useMemo, type RefObject } from 'react';
import { Scope } from '../../../lib/scope.ts';
import { useEditor } from '../editor-context.ts';
import { wordAtOffset, wordLayout } from '../model/word-layout.ts';
import type { WordPlace } from '../model/timeline.ts';
import { type Rows, lineHeight } from './use-rows.ts';
import type { WordMarks } from './word-marks.ts';

const easeMs = 220;
/** A word between the first two fractions of the pane's height stays; otherwise it is scrolled to the third. */
const comfort = { from: 0.12, to: 0.72, target: 0.3 };

/** Whether most of a word can be seen, or anything of a segment where no word is meant. */
export type IsInView = (place: { readonly segment: number; readonly word: number | null }) => boolean;

export function useFollowingText(
  scroller: RefObject<HTMLElement | null>,
  rows: Rows,
  marks: WordMarks,
): { readonly reveal: (place: WordPlace) => void; readonly isInView: IsInView } {
  const { player, timeline, store } = useEditor();
  const reveal = useMemo(() => createReveal(scroller, rows, marks), [scroller, rows, marks]);

  useEffect(() => {
    let shown: WordPlace | null = null;
    const follow = (timeMs: number) => {
      if (!store.getState().isFollowing || store.getState().isTextPressed) return;
      const place = timeline.wordAt(timeMs) ?? { segment: timeline.segmentNear(timeMs), word: 0 };
      if (shown !== null && shown.segment === place.segment && shown.word === place.word) return;
      shown = place;
      // While it rests, what is in view stays under the mouse that pressed it.
      if (player.getState().isPlaying || !reveal.isInView(place)) reveal.to(place);
    };
    const stops = [
      player.onTime(follow),
      store.subscribe((state, before) => {
        if (!state.isFollowing || before.isFollowing) return;
        shown = null;
        follow(player.timeMs());
      }),
    ];
    const showFound = () => {
      const { found } = store.getState();
      const match = found.matches[found.current];
      if (match === undefined) return;
      const index = timeline.segments.findIndex(({ id }) => id === match.segmentId);
      const segment = timeline.segments[index];
      if (segment !== undefined) reveal.to({ segment: index, word: wordAtOffset(wordLayout(segment), match.from) });
    };
    const showComment = () => {
      const [range] = store.getState().comment?.ranges ?? [];
      const place = {
        segment: timeline.segments.findIndex(({ id }) => id === range?.segmentId),
        word: range?.from ?? 0,
      };
      if (place.segment >= 0 && !reveal.isInView(place)) reveal.to(place);
    };
    stops.push(
      store.subscribe((state, before) => {
        if (state.found.visits !== before.found.visits) showFound();
        if (state.comment !== before.comment) showComment();
      }),
    );
    return () => {
      for (const stop of stops) stop();
      reveal.stop();
    };
  }, [player, timeline, store, reveal]);

  useEffect(() => {
    if (scroller.current === null) return undefined;
    const element = scroller.current;
    const scope = new Scope();
    const letGo = () => {
      reveal.stop();
      store.follow(false);
    };
    const letGoOfLong = () => {
      if (element.scrollHeight > element.clientHeight) letGo();
    };
    scope.listen(element, 'wheel', letGoOfLong, { passive: true });
    scope.listen(element, 'touchmove', letGoOfLong, { passive: true });
    scope.listen<PointerEvent>(element, 'pointerdown', (event) => {
      reveal.stop();
      if (isOnScrollbar(event, element)) letGo();
    });
    scope.listen<KeyboardEvent>(element, 'keydown', (event) => {
      if (event.key === 'PageUp' || event.key === 'PageDown') letGo();
    });
    return () => scope.dispose();
  }, [scroller, store, reveal]);

  return useMemo(() => ({ reveal: reveal.to, isInView: reveal.isInView }), [reveal]);
}

function createReveal(scroller: RefObject<HTMLElement | null>, rows: Rows, marks: WordMarks) {
  let scope = new Scope();
  const stop = () => {
    scope.dispose();
    scope = new Scope();
  };
  const scrollTo = (element: HTMLElement, target: number) => {
    stop();
    const from = element.scrollTop;
    const distance = Math.max(0, Math.min(target, element.scrollHeight - element.clientHeight)) - from;
    if (Math.abs(distance) < 1) return;
    const isFar = Math.abs(distance) > element.clientHeight * 2;
    if (isFar || isMotionReduced()) {
      element.scrollTop = from + distance;
      return;
    }
    const startedAt = performance.now();
    const end = scope.eachFrame((now) => {
      const part = Math.min(1, Math.max(0, (now - startedAt) / easeMs));
      element.scrollTop = from + distance * (1 - (1 - part) ** 3);
      if (part === 1) end();
    });
  };
  const to = (place: WordPlace) => {
    const element = scroller.current;
    if (element === null || place.segment < 0) return;
    const rect = marks.rectOf(place);
    if (rect === null) {
      stop();
      rows.scrollToIndex(place.segment, { align: 'center' });
      return;
    }
    const top = rect.top - element.getBoundingClientRect().top;
    const height = element.clientHeight;
    if (top >= height * comfort.from && top <= height * comfort.to) return;
    scrollTo(element, element.scrollTop + top - height * comfort.target);
  };
  const isInView: IsInView = ({ segment, word }) => {
    const pane = scroller.current?.getBoundingClientRect();
    if (pane === undefined) return false;
    const rect = word === null ? null : marks.rectOf({ segment, word });
    if (rect !== null) {
      const middle = (rect.top + rect.bottom) / 2;
      return middle >= pane.top && middle <= pane.bottom;
    }
    const row = scroller.current?.querySelector(`[data-index="${String(segment)}"]`)?.getBoundingClientRect();
    return row !== undefined && row.bottom > pane.top && row.top < pane.bottom;
  };
  return { to, stop, isInView };
}

/** Whether to jump instead of animating: by the app's setting (on `<html>`) or the system's. */
const isMotionReduced = (): boolean =>
  document.documentElement.dataset['motion'] === 'reduce' || matchMedia('(prefers-reduced-motion: reduce)').matches;

export const isOnScrollbar = ({ target, offsetX }: MouseEvent, element: HTMLElement): boolean =>
  target === element && offsetX >= element.clientWidth;

/** While its button is down only a drag from another line, or out of the text, is meant to scroll. */
export function useStillText(scroller: RefObject<HTMLElement | null>): void {
  const { store } = useEditor();
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const scope = new Scope();
    let heldTop: number | null = null;
    let pressedY = 0;
    let isOnPressedLine = true;
    const release = () => {
      heldTop = null;
      store.setState({ isTextPressed: false });
    };
    scope.add(release);
    scope.listen<PointerEvent>(element, 'pointerdown', (event) => {
      if (event.button !== 0 || event.pointerType !== 'mouse' || isOnScrollbar(event, element)) return;
      heldTop = element.scrollTop;
      pressedY = event.clientY;
      isOnPressedLine = true;
      store.setState({ isTextPressed: true });
    });
    scope.listen<PointerEvent>(window, 'pointermove', ({ clientY, buttons }) => {
      if (store.getState().isTextPressed && buttons === 0) release();
      if (heldTop === null) return;
      const { top, bottom } = element.getBoundingClientRect();
      isOnPressedLine = Math.abs(clientY - pressedY) < lineHeight && clientY >= top && clientY < bottom;
    });
    scope.listen(element, 'scroll', () => {
      if (heldTop === null || heldTop === element.scrollTop) return;
      if (isOnPressedLine) element.scrollTop = heldTop;
      else heldTop = element.scrollTop;
    });
    const letScroll = () => {
      heldTop = null;
    };
    scope.listen(element, 'wheel', letScroll, { passive: true });
    scope.listen(window, 'pointerup', release, { capture: true });
    scope.listen(window, 'pointercancel', release, { capture: true });
    scope.listen(window, 'blur', release);
    return () => scope.dispose();
  }, [scroller, store]);
}
