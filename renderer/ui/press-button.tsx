import {
  createContext,
  useContext,
  type AriaAttributes,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { ariaShortcut, type Shortcut } from '../lib/hotkeys.ts';
import { useTip, type Tip } from './use-tip.ts';

/** What a menu or a popover wants of the button that opens it. */
export interface Opener {
  readonly isOpen: boolean;
  readonly attributes: Pick<AriaAttributes, 'aria-haspopup' | 'aria-expanded' | 'aria-controls'>;
  readonly button: RefObject<HTMLElement | null>;
  readonly holdButton: (element: HTMLElement) => void;
  /** By a press, or by a key that opens it at its first or last line. */
  readonly open: (by: 'press' | 'first' | 'last') => void;
  readonly opensWithArrows: boolean;
}

export const OpenerContext = createContext<Opener | null>(null);

export interface PressButtonProps {
  readonly children: ReactNode;
  readonly className?: string | undefined;
  readonly label?: string | undefined;
  readonly describedBy?: string | undefined;
  /** A button that leads somewhere is a link to those who hear it. */
  readonly isLink?: boolean;
  readonly current?: 'page' | 'true' | null;
  /** Of a toggle. */
  readonly isPressed?: boolean | undefined;
  /** Of a button that shows and hides what stands below it. */
  readonly isExpanded?: boolean | undefined;
  readonly isDisabled?: boolean;
  /** Keeps its focus; presses do nothing. */
  readonly isPending?: boolean;
  readonly isAutoFocused?: boolean | undefined;
  readonly shortcut?: Shortcut | null;
  readonly tip?: Tip | null;
  readonly onPress?: (() => void) | undefined;
}

/** Drawn as pressed, and pressed when Space is let go. */
const heldBySpace = 'data-pressed';

/**
 * The browser's own button. There are dozens on a screen and in its rows, and one of the component library costs a
 * start twenty times as much. A press, and the keys that are one, are heard by the button alone.
 */
export function PressButton({
  isDisabled = false,
  isPending = false,
  shortcut = null,
  tip = null,
  ...props
}: PressButtonProps) {
  const opener = useContext(OpenerContext);
  const ref = useTip(tip, opener?.holdButton);
  const press = (openAt: 'press' | 'first') => {
    if (isPending) return;
    props.onPress?.();
    opener?.open(openAt);
  };
  // The keys are pressed here and not by the click that the browser makes of them: the component library takes a click
  // without a pointer for a screen reader's, and waits with the focus.
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    // With another key held it is a shortcut of the screen, wherever the focus is.
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.stopPropagation();
      event.preventDefault();
      if (event.key === ' ') event.currentTarget.toggleAttribute(heldBySpace, true);
      // A key that is held is one press.
      else if (!event.repeat) press('first');
    } else if (event.defaultPrevented) {
      // The list that the button is in has gone on.
    } else if (opener?.opensWithArrows === true && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      event.stopPropagation();
      opener.open(event.key === 'ArrowDown' ? 'first' : 'last');
    }
  };
  const onKeyUp = (event: KeyboardEvent<HTMLButtonElement>) => {
    if (event.key !== ' ' || !event.currentTarget.hasAttribute(heldBySpace)) return;
    event.stopPropagation();
    event.currentTarget.removeAttribute(heldBySpace);
    press('first');
  };
  return (
    <button
      ref={ref}
      type="button"
      role={props.isLink === true ? 'link' : undefined}
      className={props.className}
      disabled={isDisabled}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the safe answer of a question
      autoFocus={props.isAutoFocused}
      aria-label={props.label}
      aria-describedby={props.describedBy}
      aria-disabled={isPending || undefined}
      aria-pressed={props.isPressed}
      aria-expanded={props.isExpanded}
      aria-current={props.current ?? undefined}
      aria-keyshortcuts={shortcut === null ? undefined : ariaShortcut(shortcut)}
      {...opener?.attributes}
      onClick={(event) => {
        event.stopPropagation();
        press(event.detail === 0 ? 'first' : 'press');
      }}
      onKeyDown={onKeyDown}
      onKeyUp={onKeyUp}
      onBlur={({ currentTarget }) => {
        currentTarget.removeAttribute(heldBySpace);
      }}
    >
      {props.children}
    </button>
  );
}
