import type { LucideIcon } from 'lucide-react';
import { cx } from '../lib/class-names.ts';
import css from './button.module.css';
import { PressButton, type PressButtonProps } from './press-button.tsx';
import { Spinner } from './spinner.tsx';

export interface IconButtonProps extends Pick<
  PressButtonProps,
  'shortcut' | 'isDisabled' | 'isPressed' | 'className' | 'onPress'
> {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly size?: 'sm' | 'md';
  readonly variant?: 'ghost' | 'default';
  /** A press still does something, such as ending what is waited for. */
  readonly isLoading?: boolean;
}

export function IconButton({
  size = 'md',
  variant = 'ghost',
  icon: Icon,
  isLoading = false,
  ...props
}: IconButtonProps) {
  const look = cx(css['button'], css[variant], css[size], css['icon'], props.className);
  return (
    <PressButton {...props} className={look} tip={{ text: props.label, shortcut: props.shortcut ?? null }}>
      {isLoading ? <Spinner /> : <Icon aria-hidden size={size === 'sm' ? 14 : 16} strokeWidth={1.75} />}
    </PressButton>
  );
}
