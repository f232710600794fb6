import type { LucideIcon } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { cx } from '../lib/class-names.ts';
import type { Shortcut } from '../lib/hotkeys.ts';
import { useKeyAttribute } from '../lib/use-key-attribute.ts';
import css from './button.module.css';
import { dropDanglingAnnouncements } from './drop-dangling-announcements.ts';
import { Keys } from './keys.tsx';
import { Spinner } from './spinner.tsx';

export interface ButtonProps {
  readonly children: ReactNode;
  readonly variant?: 'primary' | 'default' | 'ghost' | 'danger';
  readonly size?: 'sm' | 'md' | 'lg';
  readonly icon?: LucideIcon;
  readonly iconAfter?: LucideIcon;
  /** Keeps its width and its focus: the spinner takes the icon's place, presses do nothing. */
  readonly isLoading?: boolean;
  readonly isDisabled?: boolean;
  /** Shown beside the words; binding it is the screen's work (`useCommands`). */
  readonly shortcut?: Shortcut | null;
  readonly label?: string;
  readonly describedBy?: string;
  readonly type?: 'button' | 'submit';
  readonly isAutoFocused?: boolean;
  readonly className?: string | undefined;
  readonly onPress?: () => void;
}

/** Verb first, one primary per view (DESIGN 5). */
export function Button({
  variant = 'default',
  size = 'md',
  isLoading = false,
  isDisabled = false,
  ...props
}: ButtonProps) {
  const keys = useKeyAttribute(props.shortcut ?? null);
  useEffect(() => (isLoading ? dropDanglingAnnouncements : undefined), [isLoading]);
  const Icon = props.icon;
  const After = props.iconAfter;
  return (
    <AriaButton
      type={props.type ?? 'button'}
      className={cx(css['button'], css[variant], css[size], props.className)}
      isDisabled={isDisabled}
      isPending={isLoading}
      {...(props.isAutoFocused === undefined ? {} : { autoFocus: props.isAutoFocused })}
      {...(props.label === undefined ? {} : { 'aria-label': props.label })}
      {...(props.describedBy === undefined ? {} : { 'aria-describedby': props.describedBy })}
      ref={keys}
      {...(props.onPress === undefined ? {} : { onPress: props.onPress })}
    >
      {isLoading ? <Spinner /> : Icon ? <Icon aria-hidden size={size === 'sm' ? 14 : 16} strokeWidth={1.75} /> : null}
      <span className={css['words']}>{props.children}</span>
      {After && <After aria-hidden size={16} strokeWidth={1.75} />}
      {props.shortcut && <Keys shortcut={props.shortcut} isOnAccent={variant === 'primary'} className={css['keys']} />}
    </AriaButton>
  );
}
