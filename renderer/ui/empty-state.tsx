import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import css from './empty-state.module.css';

export interface EmptyStateProps {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <section className={css['empty']} aria-label={title}>
      <span aria-hidden className={css['glyph']}>
        <Icon size={24} strokeWidth={1.75} />
      </span>
      <h2 className={css['title']}>{title}</h2>
      <p className={css['sentence']}>{children}</p>
      {action && <div className={css['action']}>{action}</div>}
    </section>
  );
}
