import { useEffect, useRef, type RefObject } from 'react';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import type { WaveformView } from '../../../audio/waveform/waveform-view.ts';
import { Scope } from '../../../lib/scope.ts';
import { useFormats } from '../../../lib/text.ts';
import css from './range-layer.module.css';

interface HoverTimeProps {
  readonly surface: RefObject<HTMLElement | null>;
  /** The time at a part of the width, 0 to 1. */
  readonly timeAt: (part: number) => number;
  /** What is under the pointer changes when this one scrolls or zooms; null for what shows all of the recording. */
  readonly view: WaveformView | null;
  /** To the millisecond, where a pixel is short enough for that. */
  readonly isExact: boolean;
}

/** The time under the pointer. Painted without React, because it follows every move. */
export function HoverTime({ surface, timeAt, view, isExact }: HoverTimeProps) {
  const { timeCode } = useFormats();
  const line = useRef<HTMLDivElement>(null);
  const time = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const element = surface.current;
    if (element === null) return undefined;
    const scope = new Scope();
    let pointerX: number | null = null;
    const show = () => {
      if (pointerX === null || line.current === null || time.current === null) return;
      const box = element.getBoundingClientRect();
      const part = Math.max(0, Math.min(1, (pointerX - box.left) / box.width));
      line.current.hidden = false;
      line.current.style.transform = `translateX(${String(part * box.width)}px)`;
      line.current.toggleAttribute('data-flipped', part > 0.85);
      time.current.textContent = isExact ? timeCode(timeAt(part)) : clock(timeAt(part));
    };
    const hide = () => {
      pointerX = null;
      if (line.current !== null) line.current.hidden = true;
    };
    scope.listen<PointerEvent>(element, 'pointermove', (event) => {
      if (event.pointerType === 'touch') {
        hide();
        return;
      }
      pointerX = event.clientX;
      show();
    });
    scope.listen(element, 'pointerleave', hide);
    if (view !== null) scope.add(view.onSpan(show));
    return () => {
      scope.dispose();
    };
  }, [surface, timeAt, view, isExact, timeCode]);
  return (
    <div ref={line} className={css['hover']} data-hover-time hidden aria-hidden>
      <span ref={time} />
    </div>
  );
}
