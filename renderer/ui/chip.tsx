import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import css from './chip.module.css';

export interface ChipProps {
  readonly tone?: 'neutral' | 'accent' | 'ok' | 'info' | 'warn' | 'bad' | 'line';
  readonly icon?: LucideIcon;
  readonly children: ReactNode;
}

export function Chip({ tone = 'neutral', icon: Icon, children }: ChipProps) {
  return (
    <span data-tone={tone} className={css['chip']}>
      {Icon && <Icon aria-hidden size={12} strokeWidth={2} />}
      {children}
    </span>
  );
}

export function LanguageTag({ code, name }: { readonly code: string; readonly name: string }) {
  return (
    <abbr title={name} className={css['language']}>
      {code.toUpperCase()}
    </abbr>
  );
}
