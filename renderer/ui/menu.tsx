import { Check, ChevronRight, type LucideIcon } from 'lucide-react';
import { createContext, use, useCallback, useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import {
  Header,
  Menu as AriaMenu,
  MenuItem,
  MenuSection,
  Popover,
  RootMenuTriggerStateContext,
  Separator,
  SubmenuTrigger,
} from 'react-aria-components';
import { useMenuTriggerState } from 'react-stately/useMenuTriggerState';
import { cx } from '../lib/class-names.ts';
import type { Shortcut } from '../lib/hotkeys.ts';
import { Keys } from './keys.tsx';
import surface from './popover.module.css';
import css from './menu.module.css';
import { OpenerContext, useOpening, type Opening } from './press-button.tsx';

export interface MenuCommand {
  readonly id: string;
  readonly text: string;
  readonly icon?: LucideIcon;
  readonly mark?: ReactNode;
  readonly shortcut?: Shortcut | null;
  readonly detail?: string | null;
  readonly isDanger?: boolean;
  readonly isDisabled?: boolean;
  readonly onAction: () => void;
}
export const command = (
  id: string,
  icon: LucideIcon,
  text: string,
  onAction: () => void,
  more: Pick<MenuCommand, 'shortcut' | 'isDanger' | 'isDisabled'> = {},
): MenuCommand => ({ id, icon, text, onAction, ...more });

export interface MenuBranch {
  readonly id: string;
  readonly text: string;
  readonly icon?: LucideIcon;
  readonly entries: readonly MenuEntry[];
  readonly chosenId?: string | null;
}
export type MenuEntry = MenuCommand | MenuBranch | 'separator';
/** A function is called while the menu is open, for lists with many menus. */
export type MenuEntries = readonly MenuEntry[] | (() => readonly MenuEntry[]);

export interface MenuProps {
  readonly label: string;
  readonly entries: MenuEntries;
  readonly chosenId?: string | null;
  readonly trigger: ReactNode;
  /** Keys that open other layers of the shell work while it is open. */
  readonly isOfShell?: boolean;
  readonly placement?: 'bottom start' | 'bottom end' | 'top start' | 'top end';
  readonly isOpen?: boolean;
  readonly onOpenChange?: (isOpen: boolean) => void;
}

/** The menu of a row opens where it was right-clicked, otherwise at its own button. */
export const PressedAt = createContext<MenuPoint | null>(null);

export interface MenuPoint {
  readonly x: number;
  readonly y: number;
}

/** Created on first use: a list has many menus, and few are ever opened. */
export function Menu({ trigger, isOpen, onOpenChange, ...shown }: MenuProps) {
  const opening = useOpening({ haspopup: 'menu', isOpen, onOpenChange });
  const pressedAt = use(PressedAt);
  return (
    <>
      <OpenerContext value={opening.opener}>{trigger}</OpenerContext>
      {opening.wasOpened && <Surface {...shown} at={opening.isByButton ? null : pressedAt} opening={opening} />}
    </>
  );
}

export function MenuAt({ onClose, ...shown }: MenuAtProps) {
  const [isOpen, setIsOpen] = useState(true);
  const opening = useOpening({
    haspopup: 'menu',
    isOpen,
    onOpenChange: () => {
      setIsOpen(false);
      onClose();
    },
  });
  return <Surface {...shown} opening={opening} />;
}

type MenuAtProps = Pick<MenuProps, 'label' | 'entries' | 'chosenId'> & {
  /** Above entries that don't say by themselves what they do. */
  readonly isLabelShown?: boolean;
  readonly at: MenuPoint;
  readonly onClose: () => void;
};

type SurfaceProps = Omit<MenuProps, 'trigger' | 'isOpen' | 'onOpenChange'> & {
  readonly at: MenuPoint | null;
  readonly isLabelShown?: boolean;
  readonly opening: Opening;
};

function Surface({
  label,
  entries,
  chosenId,
  placement = 'bottom end',
  at,
  isLabelShown = false,
  isOfShell = false,
  opening,
}: SurfaceProps) {
  const { id, opener, openedBy, close } = opening;
  const point = useRef<HTMLSpanElement>(null);
  const target = at === null ? opener.button : point;
  const [isBeside, setIsBeside] = useState(false);
  // Its entries come after the menu itself, and before it is painted.
  const place = useCallback(
    (menu: HTMLElement | null) => {
      if (menu === null) return undefined;
      const observer = new ResizeObserver(() => {
        if (target.current !== null) setIsBeside(fitsOnlyBeside(menu, target.current));
      });
      observer.observe(menu);
      return () => observer.disconnect();
    },
    [target],
  );
  const state = useMenuTriggerState({
    isOpen: opener.isOpen,
    onOpenChange: (isOpen) => {
      if (!isOpen) close();
    },
  });
  return (
    <RootMenuTriggerStateContext value={state}>
      {at !== null &&
        createPortal(
          <span
            ref={point}
            aria-hidden
            className={css['point']}
            style={{ insetInlineStart: `${String(at.x)}px`, insetBlockStart: `${String(at.y)}px` }}
          />,
          document.body,
        )}
      <Popover
        className={cx(surface['popover'], css['popover'])}
        trigger="MenuTrigger"
        triggerRef={target}
        isOpen={state.isOpen}
        onOpenChange={(isShown) => state.setOpen(isShown)}
        aria-label={label}
        placement={isBeside ? 'end top' : at === null ? placement : 'bottom start'}
        containerPadding={edgePx}
        offset={offsetPx}
      >
        <AriaMenu
          ref={place}
          id={id}
          className={cx(surface['surface'], css['menu'])}
          aria-label={label}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- a menu that opens takes the focus, at the end it was opened from
          autoFocus={openedBy === 'press' ? true : openedBy}
          onClose={state.close}
          {...choiceOf(chosenId)}
          {...(isOfShell && { 'data-shell-layer': '' })}
        >
          {isLabelShown ? (
            <MenuSection>
              <Header className={css['heading'] ?? ''}>{label}</Header>
              <Entries entries={entries} />
            </MenuSection>
          ) : (
            <Entries entries={entries} />
          )}
        </AriaMenu>
      </Popover>
    </RootMenuTriggerStateContext>
  );
}

const edgePx = 12;
const offsetPx = 4;

/** It fits neither below nor above, and the window is wide enough. */
function fitsOnlyBeside(menu: HTMLElement, button: Element): boolean {
  const { top, bottom, left, right } = button.getBoundingClientRect();
  const taken = offsetPx + edgePx;
  const border = menu.offsetHeight - menu.clientHeight;
  const isTooTall = menu.scrollHeight + border + taken > Math.max(top, window.innerHeight - bottom);
  return isTooTall && menu.offsetWidth + taken <= Math.max(left, window.innerWidth - right);
}

function choiceOf(chosenId: string | null | undefined) {
  if (chosenId === undefined) return {};
  return { selectionMode: 'single' as const, selectedKeys: chosenId === null ? [] : [chosenId] };
}

function Entries({ entries }: { readonly entries: MenuEntries }) {
  return (typeof entries === 'function' ? entries() : entries).map((entry, index) => {
    if (entry === 'separator')
      return <Separator key={`separator-${String(index)}`} className={css['separator'] ?? ''} />;
    return 'entries' in entry ? <Branch key={entry.id} branch={entry} /> : <Item key={entry.id} entry={entry} />;
  });
}

function Branch({ branch }: { readonly branch: MenuBranch }) {
  const { id, text, icon: Icon, entries, chosenId } = branch;
  return (
    <SubmenuTrigger>
      <MenuItem id={id} textValue={text} className={css['item'] ?? ''}>
        {Icon && <Icon aria-hidden size={16} strokeWidth={1.75} />}
        <span className={css['text']}>{text}</span>
        <ChevronRight aria-hidden size={14} strokeWidth={1.75} className={css['branch']} />
      </MenuItem>
      <Popover className={cx(surface['popover'], css['popover'])} offset={0} crossOffset={-6}>
        <AriaMenu className={cx(surface['surface'], css['menu'])} aria-label={text} {...choiceOf(chosenId)}>
          <Entries entries={entries} />
        </AriaMenu>
      </Popover>
    </SubmenuTrigger>
  );
}

function Item({ entry }: { readonly entry: MenuCommand }) {
  const Icon = entry.icon;
  return (
    <MenuItem
      id={entry.id}
      textValue={entry.text}
      isDisabled={entry.isDisabled ?? false}
      onAction={entry.onAction}
      className={cx(css['item'], entry.isDanger && css['danger'])}
    >
      {({ selectionMode, isSelected }) => (
        <>
          {Icon && <Icon aria-hidden size={16} strokeWidth={1.75} />}
          {selectionMode === 'single' && (
            <Check aria-hidden size={14} strokeWidth={2} className={cx(!isSelected && css['unchosen'])} />
          )}
          {entry.mark}
          <span className={css['text']}>{entry.text}</span>
          {entry.detail && <span className={css['detail']}>{entry.detail}</span>}
          {entry.shortcut && <Keys shortcut={entry.shortcut} className={css['keys']} />}
        </>
      )}
    </MenuItem>
  );
}
