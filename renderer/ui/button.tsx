import type { LucideIcon } from 'lucide-react';
import { cx } from '../lib/class-names.ts';
import css from './button.module.css';
import { PressButton, type PressButtonProps } from './press-button.tsx';
import { Spinner } from './spinner.tsx';

export interface ButtonProps extends Omit<PressButtonProps, 'isPending'> {
  readonly variant?: 'primary' | 'default' | 'ghost' | 'danger';
  readonly size?: 'sm' | 'md' | 'lg';
  readonly icon?: LucideIcon;
  readonly iconAfter?: LucideIcon;
  readonly isLoading?: boolean;
}

export function Button({ variant = 'default', size = 'md', isLoading = false, icon: Icon, ...props }: ButtonProps) {
  const { iconAfter: After, children, tip, ...rest } = props;
  const shortcut = props.shortcut ?? tip?.shortcut ?? null;
  const usualTip = shortcut !== null && typeof children === 'string' ? { text: children, shortcut } : null;
  return (
    <PressButton
      {...rest}
      className={cx(css['button'], css[variant], css[size], props.className)}
      isPending={isLoading}
      shortcut={shortcut}
      tip={tip ?? usualTip}
    >
      {isLoading ? <Spinner /> : Icon ? <Icon aria-hidden size={size === 'sm' ? 14 : 16} strokeWidth={1.75} /> : null}
      <span className="thin">{children}</span>
      {After && <After aria-hidden size={16} strokeWidth={1.75} />}
    </PressButton>
  );
}
