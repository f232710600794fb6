import { ProgressBar as AriaProgressBar } from 'react-aria-components';
import { cx } from '../lib/class-names.ts';
import css from './progress-bar.module.css';

export type Progress =
  | { readonly tag: 'determinate'; readonly fraction: number }
  | { readonly tag: 'indeterminate' }
  | { readonly tag: 'queued' }
  | { readonly tag: 'paused'; readonly fraction: number };

export interface ProgressBarProps {
  readonly label: string;
  readonly progress: Progress;
  readonly valueText?: string;
  readonly className?: string | undefined;
}

export function ProgressBar({ label, progress, valueText, className }: ProgressBarProps) {
  const isMeasured = progress.tag === 'determinate' || progress.tag === 'paused';
  const percent = isMeasured ? Math.min(100, Math.max(0, progress.fraction * 100)) : 0;
  return (
    <AriaProgressBar
      aria-label={label}
      value={percent}
      isIndeterminate={!isMeasured}
      {...(valueText === undefined ? {} : { valueLabel: valueText })}
      className={cx(css['bar'], css[progress.tag], className)}
    >
      <span
        className={css['fill']}
        style={isMeasured ? { transform: `scaleX(${String(percent / 100)})` } : undefined}
      />
    </AriaProgressBar>
  );
}
