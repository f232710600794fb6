import type { ReactNode } from 'react';
import { Popover as AriaPopover, DialogTrigger } from 'react-aria-components';
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

export function Popover({ label, trigger, children, placement = 'bottom end', className, ...opening }: PopoverProps) {
  return (
    <DialogTrigger {...opening}>
      {trigger}
      <AriaPopover
        className={css['popover'] ?? ''}
        placement={placement}
        aria-label={label}
        // Its own name, not the one of its button.
        render={(given) => <div {...given} aria-labelledby={undefined} />}
      >
        <div className={cx(css['surface'], className)}>{children}</div>
      </AriaPopover>
    </DialogTrigger>
  );
}
