import {
  createContext,
  useContext,
  type AriaAttributes,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { ariaShortcut, type Shortcut } from '../lib/hotkeys.ts';
import { useTip, type Tip } from './use-tip.ts';

/** What a menu or a popover needs from its trigger. */
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
  /** A button that navigates is a link for screen readers. */
  readonly isLink?: boolean;
  readonly current?: 'page' | 'true' | null;
  /** Of a toggle. */
  readonly isPressed?: boolean | undefined;
  /** For a button that shows and hides the content below it. */
  readonly isExpanded?: boolean | undefined;
  readonly isDisabled?: boolean;
  /** Keeps its focus; presses do nothing. */
  readonly isPending?: boolean;
  readonly isAutoFocused?: boolean | undefined;
  /** Tab passes it by, because what it does can be reached in another way. */
  readonly isPassedByTab?: boolean;
  readonly shortcut?: Shortcut | null;
  readonly tip?: Tip | null;
  readonly onPress?: (() => void) | undefined;
  /** A right click, Shift+F10 or the menu key. */
  readonly onContextMenu?: (event: MouseEvent<HTMLButtonElement>) => void;
}

/** Drawn as pressed while Space is down, and activated when it is released. */
const heldBySpace = 'data-pressed';

/**
 * The browser's own button. There are dozens on a screen and in its rows, and one of the component library costs a
 * start twenty times as much. Presses, and keys that act as one, are handled by the button alone.
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
  // Keys are handled here and not through the browser's click: the component library takes a click without a pointer
  // for a screen reader's, and delays the focus.
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    // With a modifier it is a shortcut of the screen, wherever the focus is.
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.stopPropagation();
      event.preventDefault();
      if (event.key === ' ') event.currentTarget.toggleAttribute(heldBySpace, true);
      // A key that is held is one press.
      else if (!event.repeat) press('first');
    } else if (event.defaultPrevented) {
      // The list that contains the button has moved on.
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
      tabIndex={props.isPassedByTab === true ? -1 : undefined}
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
      onContextMenu={props.onContextMenu}
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
