import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '../lib/class-names.ts';
import type { Shortcut } from '../lib/hotkeys.ts';
import css from './button.module.css';
import { PressButton } from './press-button.tsx';
import { Spinner } from './spinner.tsx';
import type { Tip } from './use-tip.ts';

export interface ButtonProps {
  readonly children: ReactNode;
  readonly variant?: 'primary' | 'default' | 'ghost' | 'danger';
  readonly size?: 'sm' | 'md' | 'lg';
  readonly icon?: LucideIcon;
  readonly iconAfter?: LucideIcon;
  readonly isLoading?: boolean;
  readonly isDisabled?: boolean;
  readonly shortcut?: Shortcut | null;
  readonly tip?: Tip | null;
  readonly label?: string;
  readonly describedBy?: string;
  readonly isAutoFocused?: boolean;
  readonly className?: string | undefined;
  readonly onPress?: () => void;
}

export function Button({ variant = 'default', size = 'md', isLoading = false, icon: Icon, ...props }: ButtonProps) {
  const { iconAfter: After, isAutoFocused, ...rest } = props;
  const shortcut = props.shortcut ?? props.tip?.shortcut ?? null;
  const usualTip = shortcut !== null && typeof props.children === 'string' ? { text: props.children, shortcut } : null;
  return (
    <PressButton
      {...rest}
      className={cx(css['button'], css[variant], css[size], props.className)}
      isPending={isLoading}
      isAutoFocused={isAutoFocused}
      shortcut={shortcut}
      tip={props.tip ?? usualTip}
    >
      {isLoading ? <Spinner /> : Icon ? <Icon aria-hidden size={size === 'sm' ? 14 : 16} strokeWidth={1.75} /> : null}
      <span className={css['words']}>{props.children}</span>
      {After && <After aria-hidden size={16} strokeWidth={1.75} />}
    </PressButton>
  );
}
