import { useRef, useState, type MouseEvent, type ReactNode } from 'react';
import { Button, Tooltip, TooltipTrigger } from 'react-aria-components';
import { ariaShortcut, type Shortcut } from '../lib/hotkeys.ts';
import { Keys } from './keys.tsx';
import css from './tooltip.module.css';

export interface Tip {
  readonly text: string;
  readonly shortcut?: Shortcut | null;
  readonly placement?: 'top' | 'bottom' | 'left' | 'right' | 'end' | 'start';
}

export interface PressButtonProps {
  readonly children: ReactNode;
  readonly className?: string | undefined;
  readonly label?: string | undefined;
  readonly isLink?: boolean;
  readonly current?: 'page' | 'true' | null;
  readonly isPressed?: boolean | undefined;
  readonly isExpanded?: boolean | undefined;
  readonly isDisabled?: boolean;
  readonly isPending?: boolean;
  readonly isAutoFocused?: boolean | undefined;
  /** Tab passes it by, because what it does can be reached in another way. */
  readonly isPassedByTab?: boolean;
  readonly shortcut?: Shortcut | null;
  readonly tip?: Tip | null;
  readonly onPress?: (() => void) | undefined;
  readonly onContextMenu?: (event: MouseEvent<HTMLButtonElement>) => void;
}

/** Opens the menu or the popover whose trigger it is. */
export function PressButton({ tip = null, shortcut = null, label, onPress, ...props }: PressButtonProps) {
  // A tip that only repeats the name describes nothing.
  const isName = tip?.text === (label ?? props.children);
  const [isTipShown, showTip] = useState(false);
  /** The focus is, or is coming back from, what the button has opened. */
  const isAway = useRef(false);
  const button = (
    <Button
      className={props.className ?? ''}
      isDisabled={props.isDisabled ?? false}
      isPending={props.isPending ?? false}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the safe answer of a question
      autoFocus={props.isAutoFocused ?? false}
      excludeFromTabOrder={props.isPassedByTab ?? false}
      onPress={() => onPress?.()}
      render={({ onKeyDown, onFocus, onBlur, ...given }) => (
        <button
          {...given}
          role={props.isLink === true ? 'link' : undefined}
          aria-label={label}
          aria-describedby={isName ? undefined : given['aria-describedby']}
          aria-pressed={props.isPressed}
          aria-expanded={props.isExpanded ?? given['aria-expanded']}
          aria-current={props.current ?? undefined}
          aria-keyshortcuts={shortcut === null ? undefined : ariaShortcut(shortcut)}
          onContextMenu={props.onContextMenu}
          onBlur={(event) => {
            isAway.current = event.currentTarget.ariaExpanded === 'true';
            onBlur?.(event);
          }}
          onFocus={(event) => {
            onFocus?.(event);
            isAway.current = false;
          }}
          onKeyDown={(event) => {
            // With a modifier it is a shortcut of the screen, wherever the focus is.
            if (!event.ctrlKey && !event.metaKey && !event.altKey) onKeyDown?.(event);
          }}
        />
      )}
    >
      {props.children}
    </Button>
  );
  if (tip === null) return button;
  return (
    <TooltipTrigger
      delay={500}
      closeDelay={0}
      isOpen={isTipShown}
      onOpenChange={(isOpen) => showTip(isOpen && !isAway.current)}
    >
      {button}
      <Tooltip className={css['tip'] ?? ''} placement={tip.placement ?? 'top'} offset={6}>
        <span>{tip.text}</span>
        {tip.shortcut && <Keys shortcut={tip.shortcut} />}
      </Tooltip>
    </TooltipTrigger>
  );
}
