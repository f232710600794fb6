import { Check, ChevronRight, type LucideIcon } from 'lucide-react';
import { createContext, use, useState, type ReactNode } from 'react';
import {
  Header,
  Menu as AriaMenu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  OverlayTriggerStateContext,
  Popover,
  type PopoverProps,
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
  readonly chosenId?: string | null | undefined;
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

export function Menu({ trigger, isOpen, onOpenChange, placement = 'bottom end', ...shown }: MenuProps) {
  const pressedAt = use(PressedAt);
  const [isByButton, setIsByButton] = useState(false);
  const change = (next: boolean) => {
    setIsByButton(next);
    onOpenChange?.(next);
  };
  return (
    <MenuTrigger {...(isOpen !== undefined && { isOpen })} onOpenChange={change}>
      {trigger}
      <Surface {...shown} placement={placement} offset={4} at={isByButton ? null : pressedAt} />
    </MenuTrigger>
  );
}

type MenuAtProps = Pick<MenuProps, 'label' | 'entries' | 'chosenId'> & {
  /** Above entries that don't say by themselves what they do. */
  readonly isLabelShown?: boolean;
  readonly at: MenuPoint;
  readonly onClose: () => void;
};

export function MenuAt({ onClose, ...shown }: MenuAtProps) {
  const [isOpen, setIsOpen] = useState(true);
  const state = useMenuTriggerState({
    isOpen,
    onOpenChange: () => {
      setIsOpen(false);
      onClose();
    },
  });
  return (
    <RootMenuTriggerStateContext value={state}>
      <OverlayTriggerStateContext value={state}>
        <Surface {...shown} trigger="MenuTrigger" offset={4} isAutoFocused />
      </OverlayTriggerStateContext>
    </RootMenuTriggerStateContext>
  );
}

type SurfaceProps = Pick<MenuProps, 'label' | 'entries' | 'chosenId' | 'isOfShell'> &
  Pick<PopoverProps, 'trigger' | 'placement' | 'offset' | 'crossOffset'> & {
    readonly at?: MenuPoint | null;
    readonly isLabelShown?: boolean;
    readonly isAutoFocused?: boolean;
  };

const page = { current: document.body };

function Surface({ label, entries, chosenId, at = null, isLabelShown, isOfShell, ...props }: SurfaceProps) {
  const { isAutoFocused, ...popover } = props;
  return (
    <Popover
      {...popover}
      className={cx(surface['popover'], css['popover'])}
      {...(at !== null && {
        placement: 'bottom start',
        triggerRef: page,
        getTargetRect: () => new DOMRect(at.x, at.y, 0, 0),
      })}
    >
      <AriaMenu
        className={cx(surface['surface'], css['menu'])}
        aria-label={label}
        {...(chosenId !== undefined && { selectionMode: 'single', selectedKeys: chosenId === null ? [] : [chosenId] })}
        {...(isAutoFocused === true && { autoFocus: true })}
        {...(isOfShell === true && { 'data-shell-layer': '' })}
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
  );
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
        <ChevronRight aria-hidden size={14} strokeWidth={1.75} className="apart" />
      </MenuItem>
      <Surface label={text} entries={entries} chosenId={chosenId} offset={0} crossOffset={-6} />
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
          {entry.detail && <span className={cx(css['detail'], 'small subtle')}>{entry.detail}</span>}
          {entry.shortcut && <Keys shortcut={entry.shortcut} className={css['keys']} />}
        </>
      )}
    </MenuItem>
  );
}
