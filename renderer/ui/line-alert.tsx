import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import css from './line-alert.module.css';

/** What is wrong with a choice, on a line below it; said at once to screen readers. */
export function LineAlert({
  icon: Icon,
  id,
  children,
}: {
  readonly icon: LucideIcon;
  readonly id?: string;
  readonly children: ReactNode;
}) {
  return (
    <p {...(id === undefined ? {} : { id })} role="alert" className={css['alert']}>
      <Icon aria-hidden size={14} strokeWidth={1.75} />
      <span>{children}</span>
    </p>
  );
}
