import { Check, ChevronRight, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Menu as AriaMenu, MenuItem, MenuTrigger, Popover, Separator, SubmenuTrigger } from 'react-aria-components';
import { cx } from '../lib/class-names.ts';
import type { Shortcut } from '../lib/hotkeys.ts';
import { Keys } from './keys.tsx';
import css from './menu.module.css';

export interface MenuCommand {
  readonly id: string;
  readonly text: string;
  readonly icon?: LucideIcon;
  readonly shortcut?: Shortcut | null;
  readonly isDanger?: boolean;
  readonly isDisabled?: boolean;
  readonly onAction: () => void;
}
/** A menu of its own behind a line of this one. */
export interface MenuBranch {
  readonly id: string;
  readonly text: string;
  readonly icon?: LucideIcon;
  readonly entries: readonly MenuEntry[];
  /** The entries are choices of which this one holds. */
  readonly chosenId?: string | null;
}
export type MenuEntry = MenuCommand | MenuBranch | 'separator';
/** A function is asked while the menu is open, for lists that hold many menus. */
export type MenuEntries = readonly MenuEntry[] | (() => readonly MenuEntry[]);

export interface MenuProps {
  readonly label: string;
  readonly entries: MenuEntries;
  /** The entries are choices of which this one holds. */
  readonly chosenId?: string | null;
  /** The button that opens it: `Button` or `IconButton`. */
  readonly trigger: ReactNode;
  readonly placement?: 'bottom start' | 'bottom end' | 'top start' | 'top end';
  /** Given together to open it another way too, such as Shift+F10 on a row. */
  readonly isOpen?: boolean;
  readonly onOpenChange?: (isOpen: boolean) => void;
}

export function Menu({ label, entries, chosenId, trigger, placement = 'bottom end', isOpen, onOpenChange }: MenuProps) {
  return (
    <MenuTrigger
      {...(isOpen === undefined ? {} : { isOpen })}
      {...(onOpenChange === undefined ? {} : { onOpenChange })}
    >
      {trigger}
      <Popover className={css['popover'] ?? ''} placement={placement} offset={4}>
        <AriaMenu className={css['menu'] ?? ''} aria-label={label} {...choiceOf(chosenId)}>
          <Entries entries={entries} />
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
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
      <Popover className={css['popover'] ?? ''} offset={0} crossOffset={-6}>
        <AriaMenu className={css['menu'] ?? ''} aria-label={text} {...choiceOf(chosenId)}>
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
          <span className={css['text']}>{entry.text}</span>
          {entry.shortcut && <Keys shortcut={entry.shortcut} className={css['keys']} />}
        </>
      )}
    </MenuItem>
  );
}
