import { Ellipsis } from 'lucide-react';
import { createContext, useContext, useMemo, useState } from 'react';
import { refKey } from '../../../../shared/domain/library/library-item.ts';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu, type MenuProps } from '../../../ui/menu.tsx';
import { selectedItems, type ListedItem } from '../model/library-view.ts';
import { useItemMenu } from './item-menu.ts';

export function MoreMenu({ title, ...menu }: { readonly title: string } & Omit<MenuProps, 'label' | 'trigger'>) {
  const label = useText()('library.moreFor', { title });
  return <Menu {...menu} label={label} trigger={<IconButton size="sm" icon={Ellipsis} label={label} />} />;
}

export function useRowMenus(items: readonly ListedItem[], selectedIds: ReadonlySet<string>) {
  const [menuId, showMenu] = useState<string | null>(null);
  return useMemo(() => {
    // An action on a selected item affects the whole selection.
    const meant = (item: ListedItem) => (selectedIds.has(refKey(item)) ? selectedItems(items, selectedIds) : [item]);
    return { menuId, showMenu, meant };
  }, [menuId, items, selectedIds]);
}

export const RowMenus = createContext<ReturnType<typeof useRowMenus> | null>(null);

export function RowMenu({ item }: { readonly item: ListedItem }) {
  const menus = useContext(RowMenus);
  const entries = useItemMenu();
  const id = refKey(item);
  return (
    <MoreMenu
      title={item.title}
      entries={() => entries(menus?.meant(item) ?? [item])}
      isOpen={menus?.menuId === id}
      onOpenChange={(isOpen) => menus?.showMenu(isOpen ? id : null)}
    />
  );
}
