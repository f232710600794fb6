import type { LucideIcon } from 'lucide-react';
import { cx } from '../lib/class-names.ts';
import type { Shortcut } from '../lib/hotkeys.ts';
import buttonCss from './button.module.css';
import css from './icon-button.module.css';
import { PressButton } from './press-button.tsx';
import { Spinner } from './spinner.tsx';

export interface IconButtonProps {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly size?: 'sm' | 'md';
  readonly variant?: 'ghost' | 'default';
  readonly shortcut?: Shortcut | null;
  readonly isDisabled?: boolean;
  /** A press still does something, such as ending what is waited for. */
  readonly isLoading?: boolean;
  readonly isPressed?: boolean;
  readonly className?: string | undefined;
  readonly onPress?: () => void;
}

export function IconButton({
  size = 'md',
  variant = 'ghost',
  icon: Icon,
  isLoading = false,
  className,
  ...props
}: IconButtonProps) {
  return (
    <PressButton
      {...props}
      className={cx(buttonCss['button'], buttonCss[variant], buttonCss[size], css['icon'], css[size], className)}
      tip={{ text: props.label, shortcut: props.shortcut ?? null }}
    >
      {isLoading ? <Spinner /> : <Icon aria-hidden size={size === 'sm' ? 14 : 16} strokeWidth={1.75} />}
    </PressButton>
  );
}
