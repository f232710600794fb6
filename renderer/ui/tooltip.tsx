import type { ReactNode } from 'react';
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components';
import type { Shortcut } from '../lib/hotkeys.ts';
import { Keys } from './keys.tsx';
import css from './tooltip.module.css';

export interface TooltipProps {
  readonly text: string;
  readonly shortcut?: Shortcut | null;
  readonly placement?: 'top' | 'bottom' | 'left' | 'right' | 'end' | 'start';
  /** One focusable primitive: a button, link or toggle of react-aria-components. */
  readonly children: ReactNode;
}

/** Appears after 500 ms, at once while moving between neighbours. */
export function Tooltip({ text, shortcut, placement = 'top', children }: TooltipProps) {
  return (
    <TooltipTrigger delay={500} closeDelay={0}>
      {children}
      <AriaTooltip className={css['tip'] ?? ''} placement={placement} offset={6}>
        <span>{text}</span>
        {shortcut && <Keys shortcut={shortcut} isOnInk />}
      </AriaTooltip>
    </TooltipTrigger>
  );
}
