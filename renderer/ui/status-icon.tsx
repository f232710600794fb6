import type { LucideIcon } from 'lucide-react';
import { cx } from '../lib/class-names.ts';
import { Spinner } from './spinner.tsx';
import css from './status-icon.module.css';

export type StatusTone = 'neutral' | 'accent' | 'ok' | 'warn' | 'bad';

export interface StatusIconProps {
  readonly tone: StatusTone;
  readonly icon: LucideIcon | 'spinner';
  readonly size?: 'sm' | 'md' | 'lg';
}

export function StatusIcon({ tone, icon, size = 'md' }: StatusIconProps) {
  const Icon = icon;
  return (
    <span aria-hidden data-tone={tone} className={cx(css['tile'], css[size])}>
      {Icon === 'spinner' ? <Spinner /> : <Icon size={size === 'lg' ? 20 : 16} strokeWidth={1.75} />}
    </span>
  );
}
