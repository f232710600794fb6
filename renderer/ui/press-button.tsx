import {
  createContext,
  useContext,
  type AriaAttributes,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useId,
  useRef,
  useState,
} from 'react';
import { ariaShortcut, type Shortcut } from '../lib/hotkeys.ts';
import { useTip, type Tip } from './use-tip.ts';

export interface Opener {
  readonly isOpen: boolean;
  readonly attributes: Pick<AriaAttributes, 'aria-haspopup' | 'aria-expanded' | 'aria-controls'>;
  readonly button: RefObject<HTMLElement | null>;
  readonly holdButton: (element: HTMLElement) => void;
  readonly open: (by: 'press' | 'first' | 'last') => void;
  readonly opensWithArrows: boolean;
}

export const OpenerContext = createContext<Opener | null>(null);

export interface PressButtonProps {
  readonly children: ReactNode;
  readonly className?: string | undefined;
  readonly label?: string | undefined;
  readonly describedBy?: string | undefined;
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

const heldBySpace = 'data-pressed';

/** There are dozens on a screen; one of the component library costs a start twenty times as much. */
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
  // The component library takes a click without a pointer for a screen reader's, and delays the focus.
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
      onBlur={({ currentTarget }) => currentTarget.removeAttribute(heldBySpace)}
    >
      {props.children}
    </button>
  );
}

export type Opening = ReturnType<typeof useOpening>;

interface OpeningOptions {
  readonly haspopup: 'menu' | 'dialog';
  readonly isOpen: boolean | undefined;
  readonly onOpenChange: ((isOpen: boolean) => void) | undefined;
}

export function useOpening({ haspopup, onOpenChange, ...given }: OpeningOptions) {
  const id = useId();
  const button = useRef<HTMLElement>(null);
  const holdButton = useCallback((element: HTMLElement) => {
    button.current = element;
  }, []);
  const [own, setOwn] = useState(false);
  const [openedBy, setOpenedBy] = useState<'press' | 'first' | 'last'>('press');
  const isOpen = given.isOpen ?? own;
  const [wasOpened, setWasOpened] = useState(isOpen);
  if (isOpen && !wasOpened) setWasOpened(true);
  const change = (next: boolean) => {
    setOwn(next);
    onOpenChange?.(next);
  };
  const opener: Opener = {
    isOpen,
    button,
    holdButton,
    opensWithArrows: haspopup === 'menu',
    attributes: {
      'aria-haspopup': haspopup,
      'aria-expanded': isOpen,
      ...(isOpen && { 'aria-controls': id }),
    },
    open: (by) => {
      setOpenedBy(by);
      change(true);
    },
  };
  return {
    id,
    opener,
    openedBy,
    /** From then on it stays mounted, so that it can animate out. */
    wasOpened,
    isByButton: own,
    close: () => {
      change(false);
      setOpenedBy('press');
    },
  };
}
