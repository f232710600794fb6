import type { ReactNode } from 'react';
import { DialogTrigger, Popover as AriaPopover } from 'react-aria-components';
import { cx } from '../lib/class-names.ts';
import css from './popover.module.css';

export interface PopoverProps {
  readonly label: string;
  readonly trigger: ReactNode;
  readonly children: ReactNode;
  readonly placement?: 'bottom start' | 'bottom end' | 'top start' | 'top end' | 'right bottom';
  readonly className?: string | undefined;
  readonly isOpen?: boolean;
  readonly onOpenChange?: (isOpen: boolean) => void;
}

/** A small surface next to what opened it; Escape or a press outside closes it and the focus returns. */
export function Popover({
  label,
  trigger,
  children,
  placement = 'bottom end',
  className,
  isOpen,
  onOpenChange,
}: PopoverProps) {
  return (
    <DialogTrigger
      {...(isOpen === undefined ? {} : { isOpen })}
      {...(onOpenChange === undefined ? {} : { onOpenChange })}
    >
      {trigger}
      <AriaPopover className={css['popover'] ?? ''} placement={placement} offset={8} aria-label={label}>
        <div className={cx(css['surface'], className)}>{children}</div>
      </AriaPopover>
    </DialogTrigger>
  );
}
