import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import css from './line-alert.module.css';

interface LineAlertProps {
  readonly icon: LucideIcon;
  readonly id?: string;
  readonly children: ReactNode;
}

export function LineAlert({ icon: Icon, id, children }: LineAlertProps) {
  return (
    <p {...(id === undefined ? {} : { id })} role="alert" className={css['alert']}>
      <Icon aria-hidden size={14} strokeWidth={1.75} />
      <span>{children}</span>
    </p>
  );
}
