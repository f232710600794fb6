import type { ReactNode } from 'react';
import { Popover as AriaPopover } from 'react-aria-components';
import { cx } from '../lib/class-names.ts';
import css from './popover.module.css';
import { OpenerContext, useOpening } from './press-button.tsx';

export interface PopoverProps {
  readonly label: string;
  readonly trigger: ReactNode;
  readonly children: ReactNode;
  readonly placement?: 'bottom start' | 'bottom end' | 'top start' | 'top end' | 'right bottom';
  readonly className?: string | undefined;
  readonly isOpen?: boolean;
  readonly onOpenChange?: (isOpen: boolean) => void;
}

export function Popover({ trigger, isOpen, onOpenChange, ...surface }: PopoverProps) {
  const opening = useOpening({ haspopup: 'dialog', isOpen, onOpenChange });
  const { id, opener, wasOpened, close } = opening;
  const { label, children, placement = 'bottom end', className } = surface;
  return (
    <>
      <OpenerContext value={opener}>{trigger}</OpenerContext>
      {wasOpened && (
        <AriaPopover
          className={css['popover'] ?? ''}
          triggerRef={opener.button}
          isOpen={opener.isOpen}
          onOpenChange={(open) => {
            if (!open) close();
          }}
          placement={placement}
          offset={8}
          aria-label={label}
        >
          <div id={id} className={cx(css['surface'], className)}>
            {children}
          </div>
        </AriaPopover>
      )}
    </>
  );
}
