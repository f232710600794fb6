import { useEffect, useEffectEvent, useState, type RefObject } from 'react';
import { Scope } from '../../lib/scope.ts';

const edgePx = 32;
const scrollStepPx = 12;

interface RowDrag {
  readonly jobId: string;
  /** The distance of the insertion mark from the top of the visible list, in CSS pixels. */
  readonly markAt: number;
  /** The distance of the pointer from the top of the visible list, in CSS pixels. */
  readonly pointerAt: number;
}

/** Drags a row by its handle (`data-drag`); Escape cancels it. The keyboard has its own command. */
export function useRowDrag(
  frame: RefObject<HTMLElement | null>,
  lineNow: () => readonly string[],
  moveBefore: (jobId: string, beforeId: string | null) => void,
): RowDrag | null {
  const line = useEffectEvent(lineNow);
  const onMove = useEffectEvent(moveBefore);
  const [drag, setDrag] = useState<RowDrag | null>(null);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const scope = new Scope();
    let held: { readonly jobId: string; readonly pointerId: number; y: number } | null = null;
    let target: string | null | undefined;
    const grid = () => element.querySelector<HTMLElement>('[role="grid"]');

    /** The movable row under the pointer decides: its upper half means before it, its lower half after it. */
    const look = () => {
      const list = grid();
      if (held === null || list === null) return;
      const { jobId, y } = held;
      const ids = line();
      const rows = [...list.querySelectorAll<HTMLElement>('[role="row"]')]
        .filter((row) => ids.includes(row.dataset['key'] ?? ''))
        .map((row) => ({ id: row.dataset['key'] ?? '', box: row.getBoundingClientRect() }))
        .toSorted((left, right) => left.box.top - right.box.top);
      const next = rows.find(({ box }) => y < box.top + box.height / 2);
      const last = rows.at(-1);
      if (next === undefined && last === undefined) return;
      const following = last === undefined ? -1 : ids.indexOf(last.id) + 1;
      target = next === undefined ? (ids[following] ?? null) : next.id;
      const markY = next === undefined ? (last?.box.bottom ?? 0) : next.box.top;
      const { top } = element.getBoundingClientRect();
      setDrag({ jobId, markAt: markY - top, pointerAt: y - top });
    };
    const scroll = () => {
      const list = grid();
      if (held === null || list === null) return;
      const box = list.getBoundingClientRect();
      const step = held.y < box.top + edgePx ? -scrollStepPx : held.y > box.bottom - edgePx ? scrollStepPx : 0;
      if (step === 0) return;
      list.scrollBy(0, step);
      look();
    };
    const end = (isDropped: boolean) => {
      if (held === null) return;
      const { jobId } = held;
      const beforeId = target;
      held = null;
      target = undefined;
      setDrag(null);
      if (isDropped && beforeId !== undefined && beforeId !== jobId) onMove(jobId, beforeId);
    };

    scope.listen<PointerEvent>(element, 'pointerdown', (event) => {
      const handle = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-drag]') : null;
      const jobId = handle?.closest<HTMLElement>('[role="row"]')?.dataset['key'];
      if (jobId === undefined || event.button !== 0) return;
      event.preventDefault();
      held = { jobId, pointerId: event.pointerId, y: event.clientY };
      element.setPointerCapture(event.pointerId);
    });
    scope.listen<PointerEvent>(element, 'pointermove', (event) => {
      if (held === null || event.pointerId !== held.pointerId) return;
      held.y = event.clientY;
      look();
      scroll();
    });
    scope.listen<PointerEvent>(element, 'pointerup', () => end(true));
    scope.listen<PointerEvent>(element, 'pointercancel', () => end(false));
    const onKeyDown = (event: KeyboardEvent) => {
      if (held === null || event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      end(false);
    };
    scope.listen(document, 'keydown', onKeyDown, { capture: true });
    return () => scope.dispose();
  }, [frame]);
  return drag;
}
