import {
  Ellipsis,
  Folder,
  FolderInput,
  FolderOpen,
  FolderPlus,
  Inbox,
  Library,
  Pencil,
  Plus,
  Trash2,
} from 'lucide-react';
import { useState, type DragEvent } from 'react';
import { withFoldersBelow, type LibraryFolder } from '../../../../shared/domain/library/library-item.ts';
import { cx } from '../../../lib/class-names.ts';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu, type MenuEntry } from '../../../ui/menu.tsx';
import { useLibraryContext } from '../library-context.ts';
import { countBy, folderTree, type LibraryFilter, type ListedItem } from '../model/library-view.ts';
import { draggedItems, isItemDrag } from '../model/item-drag.ts';
import css from './library-side.module.css';
import { Group, Place } from './side-parts.tsx';

/** The tree of folders. Items can be dropped onto a folder. */
export function FolderList({
  kept,
  filter,
  onPlace,
}: {
  readonly kept: readonly ListedItem[];
  readonly filter: LibraryFilter;
  readonly onPlace: (place: LibraryFilter['place']) => () => void;
}) {
  const t = useText();
  const { folders, ask, move } = useLibraryContext();
  const [menuId, showMenu] = useState<string | null>(null);
  const [overId, setOver] = useState<string | null>(null);
  const entries = useFolderMenu();
  const inFolder = new Map(countBy(kept, ({ folderId }) => [folderId]));
  const countIn = (id: string) =>
    [...withFoldersBelow(folders, id)].reduce((sum, one) => sum + (inFolder.get(one) ?? 0), 0);
  /** `null` removes the items from their folders. */
  const dropOn = (folderId: string | null, key: string) => ({
    onDragOver: (event: DragEvent) => {
      if (!isItemDrag(event)) return;
      event.preventDefault();
      setOver(key);
    },
    onDragLeave: () => {
      setOver(null);
    },
    onDrop: (event: DragEvent) => {
      setOver(null);
      const items = draggedItems(event);
      if (items.length === 0) return;
      event.preventDefault();
      move(items, folderId);
    },
  });
  return (
    <Group
      title={t('library.folders')}
      action={
        <IconButton
          size="sm"
          icon={Plus}
          label={t('library.newFolder')}
          onPress={() => {
            ask({ tag: 'new-folder', items: [], parentId: null });
          }}
        />
      }
    >
      <Place
        icon={Library}
        text={t('library.everything')}
        count={kept.length}
        isOn={filter.place === 'all'}
        onPress={onPlace('all')}
      />
      {folderTree(folders).map(({ folder, depth }) => (
        <div
          key={folder.id}
          className={cx(css['folder'], overId === folder.id && css['over'])}
          onContextMenu={(event) => {
            event.preventDefault();
            showMenu(folder.id);
          }}
          {...dropOn(folder.id, folder.id)}
        >
          <Place
            icon={filter.place === folder.id ? FolderOpen : Folder}
            text={folder.name}
            isOwn
            count={countIn(folder.id)}
            isOn={filter.place === folder.id}
            depth={depth}
            onPress={onPlace(folder.id)}
          />
          <span className={css['more']}>
            <Menu
              label={t('library.moreFor', { title: folder.name })}
              entries={() => entries(folder)}
              isOpen={menuId === folder.id}
              onOpenChange={(isOpen) => {
                showMenu(isOpen ? folder.id : null);
              }}
              trigger={<IconButton size="sm" icon={Ellipsis} label={t('library.moreFor', { title: folder.name })} />}
            />
          </span>
        </div>
      ))}
      {folders.length > 0 && (
        <div className={cx(css['folder'], overId === 'none' && css['over'])} {...dropOn(null, 'none')}>
          <Place
            icon={Inbox}
            text={t('library.noFolder')}
            count={inFolder.get(null) ?? 0}
            isOn={filter.place === 'none'}
            onPress={onPlace('none')}
          />
        </div>
      )}
    </Group>
  );
}

/** The actions for a folder. */
function useFolderMenu(): (folder: LibraryFolder) => readonly MenuEntry[] {
  const t = useText();
  const { folders, ask, moveFolder, removeFolder } = useLibraryContext();
  return (folder) => {
    const own = withFoldersBelow(folders, folder.id);
    const targets = folderTree(folders).filter(({ folder: { id } }) => !own.has(id) && id !== folder.parentId);
    return [
      {
        id: 'rename',
        text: t('library.rename'),
        icon: Pencil,
        onAction: () => {
          ask({ tag: 'rename-folder', folder });
        },
      },
      {
        id: 'inside',
        text: t('library.newFolderInside'),
        icon: FolderPlus,
        onAction: () => {
          ask({ tag: 'new-folder', items: [], parentId: folder.id });
        },
      },
      ...(targets.length > 0 || folder.parentId !== null
        ? [
            {
              id: 'move',
              text: t('library.move'),
              icon: FolderInput,
              entries: [
                ...(folder.parentId === null
                  ? []
                  : [
                      {
                        id: 'top',
                        text: t('library.noFolder'),
                        onAction: () => {
                          moveFolder(folder.id, null);
                        },
                      },
                    ]),
                ...targets.map(({ folder: { id, name } }) => ({
                  id,
                  text: name,
                  onAction: () => {
                    moveFolder(folder.id, id);
                  },
                })),
              ],
            },
          ]
        : []),
      'separator',
      {
        id: 'remove',
        text: t('library.removeFolder'),
        icon: Trash2,
        onAction: () => {
          removeFolder(folder);
        },
      },
    ];
  };
}
