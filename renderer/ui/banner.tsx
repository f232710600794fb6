import { X, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../lib/text.ts';
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
  readonly role?: 'alert' | 'status';
}

export function Banner({ tone = 'neutral', icon: Icon, title, children, role = 'status', ...props }: BannerProps) {
  const t = useText();
  return (
    <div role={role} data-tone={tone} className={css['banner']}>
      <Icon aria-hidden size={16} strokeWidth={1.75} />
      <div className={css['words']}>
        <b>{children ? title.replace(/[.…]?$/u, '.') : title}</b> {children}
      </div>
      {props.actions && <div className="flow gap-6 ending">{props.actions}</div>}
      {props.onDismiss && <IconButton size="sm" icon={X} label={t('common.dismiss')} onPress={props.onDismiss} />}
    </div>
  );
}
