import type { CSSProperties } from 'react';
import css from './range.module.css';

export interface RangeProps {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly valueText: string;
  readonly onChange: (value: number) => void;
}

export function Range({ label, value, min, max, step, valueText, onChange }: RangeProps) {
  const part = ((value - min) / (max - min)) * 100;
  return (
    <input
      type="range"
      className={css['range']}
      aria-label={label}
      aria-valuetext={valueText}
      min={min}
      max={max}
      step={step}
      value={value}
      style={{ '--part': `${String(part)}%` } as CSSProperties}
      onChange={(event) => onChange(event.target.valueAsNumber)}
      onKeyDown={(event) => {
        const isUp = event.key === 'ArrowRight' || event.key === 'ArrowUp';
        if (!event.shiftKey || (!isUp && event.key !== 'ArrowLeft' && event.key !== 'ArrowDown')) return;
        event.preventDefault();
        onChange(Math.max(min, Math.min(max, value + (isUp ? step : -step) * 10)));
      }}
    />
  );
}
