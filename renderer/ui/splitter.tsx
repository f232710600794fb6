import { useRef, useState, type PointerEvent } from 'react';
import css from './splitter.module.css';

export interface SplitterProps {
  readonly label: string;
  readonly between?: 'column' | 'row';
  readonly size: number | null;
  readonly min: number;
  readonly max: number;
  readonly usual: number;
  readonly onMove: (size: number | null) => void;
  readonly onDone: (size: number | null) => void;
}

const step = 16;

/** Arrow keys (Shift: larger steps), Home and End move it; a double click or Enter restores it. */
export function Splitter({ label, between = 'column', size, min, max, usual, onMove, onDone }: SplitterProps) {
  const isRow = between === 'row';
  const placeOf = ({ clientX, clientY }: PointerEvent) => (isRow ? clientY : clientX);
  const grip = useRef<{ readonly at: number; readonly size: number } | null>(null);
  const [isHeld, setIsHeld] = useState(false);
  const within = (wanted: number) => Math.round(Math.max(min, Math.min(max, wanted)));
  const shown = size ?? usual;
  const finish = (next: number | null) => {
    onMove(next);
    onDone(next);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a separator that can be focused is a control
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a rule that is moved and has a value
      role="separator"
      aria-orientation={isRow ? 'horizontal' : 'vertical'}
      aria-label={label}
      aria-valuenow={shown}
      aria-valuemin={min}
      aria-valuemax={max}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the same
      tabIndex={0}
      className={css['splitter']}
      data-between={between}
      data-held={isHeld || undefined}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        const pane = event.currentTarget.nextElementSibling?.getBoundingClientRect();
        grip.current = { at: placeOf(event), size: (isRow ? pane?.height : pane?.width) ?? shown };
        setIsHeld(true);
      }}
      onPointerMove={(event) => {
        if (grip.current) onMove(within(grip.current.size + grip.current.at - placeOf(event)));
      }}
      onPointerUp={(event) => {
        const held = grip.current;
        grip.current = null;
        setIsHeld(false);
        // A click alone moves nothing.
        if (held && held.at !== placeOf(event)) finish(within(held.size + held.at - placeOf(event)));
      }}
      onPointerCancel={() => {
        grip.current = null;
        setIsHeld(false);
        onMove(size);
      }}
      onDoubleClick={() => finish(null)}
      onKeyDown={(event) => {
        const by = event.shiftKey ? step * 4 : step;
        const targets: Readonly<Record<string, number | null>> = {
          [isRow ? 'ArrowUp' : 'ArrowLeft']: within(shown + by),
          [isRow ? 'ArrowDown' : 'ArrowRight']: within(shown - by),
          Home: max,
          End: min,
          Enter: null,
        };
        const target = targets[event.key];
        if (target === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        finish(target);
      }}
    />
  );
}
