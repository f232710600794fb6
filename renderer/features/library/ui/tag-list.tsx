import { Ellipsis, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { cx } from '../../../lib/class-names.ts';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { useLibraryContext } from '../library-context.ts';
import { countBy, type LibraryFilter, type ListedItem } from '../model/library-view.ts';
import css from './library-side.module.css';
import { Facet, Group, toggled } from './side-parts.tsx';

/** The tags by name. A click filters the list, and a menu renames or removes a tag. */
export function TagList({
  counted,
  filter,
  onFilter,
}: {
  readonly counted: readonly ListedItem[];
  readonly filter: LibraryFilter;
  readonly onFilter: (filter: LibraryFilter) => void;
}) {
  const t = useText();
  const { tags, ask, removeTag } = useLibraryContext();
  const [menuId, showMenu] = useState<string | null>(null);
  const counts = new Map(countBy(counted, ({ tagIds }) => tagIds));
  const without = (id: string) => ({ ...filter, tags: toggled(filter.tags, id, false) });
  return (
    <Group
      title={t('library.tags')}
      action={
        <IconButton
          size="sm"
          icon={Plus}
          label={t('library.newTag')}
          onPress={() => {
            ask({ tag: 'new-tag', items: [] });
          }}
        />
      }
    >
      {tags
        .toSorted((one, other) => one.name.localeCompare(other.name))
        .map((tag) => (
          <div
            key={tag.id}
            className={cx(css['folder'], css['tag'])}
            onContextMenu={(event) => {
              event.preventDefault();
              showMenu(tag.id);
            }}
          >
            <Facet
              text={tag.name}
              isOwn
              count={counts.get(tag.id) ?? 0}
              isOn={filter.tags.has(tag.id)}
              onChange={(isOn) => {
                onFilter({ ...filter, tags: toggled(filter.tags, tag.id, isOn) });
              }}
            />
            <span className={css['more']}>
              <Menu
                label={t('library.moreFor', { title: tag.name })}
                isOpen={menuId === tag.id}
                onOpenChange={(isOpen) => {
                  showMenu(isOpen ? tag.id : null);
                }}
                entries={() => [
                  {
                    id: 'rename',
                    text: t('library.rename'),
                    icon: Pencil,
                    onAction: () => {
                      ask({ tag: 'rename-tag', named: tag });
                    },
                  },
                  {
                    id: 'remove',
                    text: t('library.removeTag'),
                    icon: Trash2,
                    onAction: () => {
                      onFilter(without(tag.id));
                      removeTag(tag);
                    },
                  },
                ]}
                trigger={<IconButton size="sm" icon={Ellipsis} label={t('library.moreFor', { title: tag.name })} />}
              />
            </span>
          </div>
        ))}
    </Group>
  );
}
