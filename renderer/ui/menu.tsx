import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Menu as AriaMenu, MenuItem, MenuTrigger, Popover, Separator } from 'react-aria-components';
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
export type MenuEntry = MenuCommand | 'separator';

export interface MenuProps {
  readonly label: string;
  readonly entries: readonly MenuEntry[];
  /** The button that opens it: `Button` or `IconButton`. */
  readonly trigger: ReactNode;
  readonly placement?: 'bottom start' | 'bottom end' | 'top start' | 'top end';
  /** Given together to open it another way too, such as Shift+F10 on a row. */
  readonly isOpen?: boolean;
  readonly onOpenChange?: (isOpen: boolean) => void;
}

export function Menu({ label, entries, trigger, placement = 'bottom end', isOpen, onOpenChange }: MenuProps) {
  return (
    <MenuTrigger
      {...(isOpen === undefined ? {} : { isOpen })}
      {...(onOpenChange === undefined ? {} : { onOpenChange })}
    >
      {trigger}
      <Popover className={css['popover'] ?? ''} placement={placement} offset={4}>
        <AriaMenu className={css['menu'] ?? ''} aria-label={label}>
          {entries.map((entry, index) =>
            entry === 'separator' ? (
              <Separator key={`separator-${String(index)}`} className={css['separator'] ?? ''} />
            ) : (
              <Item key={entry.id} entry={entry} />
            ),
          )}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
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
      {Icon && <Icon aria-hidden size={16} strokeWidth={1.75} />}
      <span className={css['text']}>{entry.text}</span>
      {entry.shortcut && <Keys shortcut={entry.shortcut} className={css['keys']} />}
    </MenuItem>
  );
}
