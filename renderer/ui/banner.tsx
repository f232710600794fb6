import { X, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import css from './banner.module.css';
import { IconButton } from './icon-button.tsx';

export interface BannerProps {
  readonly tone?: 'neutral' | 'accent' | 'ok' | 'info' | 'warn' | 'bad';
  readonly icon: LucideIcon;
  readonly title: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  /** Only for notices without an action; any other banner stays until it is resolved. */
  readonly onDismiss?: () => void;
  readonly dismissLabel?: string;
  readonly role?: 'alert' | 'status';
}

export function Banner({
  tone = 'neutral',
  icon: Icon,
  title,
  children,
  actions,
  role = 'status',
  ...props
}: BannerProps) {
  return (
    <div role={role} data-tone={tone} className={css['banner']}>
      <Icon aria-hidden size={16} strokeWidth={1.75} />
      <div className={css['words']}>
        <b>{children ? title.replace(/[.…]?$/u, '.') : title}</b> {children}
      </div>
      {actions && <div className={css['actions']}>{actions}</div>}
      {props.onDismiss && props.dismissLabel && (
        <IconButton size="sm" icon={X} label={props.dismissLabel} onPress={props.onDismiss} />
      )}
    </div>
  );
}
