import {
  FileText,
  FolderInput,
  FolderMinus,
  FolderOpen,
  FolderPlus,
  FolderSearch,
  Check,
  MessageCircleQuestion,
  Pencil,
  RotateCcw,
  Share,
  Tag,
  Trash2,
} from 'lucide-react';
import { useText } from '../../../lib/text.ts';
import type { MenuEntry } from '../../../ui/menu.tsx';
import { useLibraryContext } from '../library-context.ts';
import { folderTree, type ListedItem } from '../model/library-view.ts';

const formats = ['docx', 'txt', 'srt'] as const;

/** The folders things can be moved to. */
export function useFolderEntries(): (items: readonly ListedItem[]) => readonly MenuEntry[] {
  const t = useText();
  const { folders, move, ask } = useLibraryContext();
  return (items) => [
    ...folderTree(folders).map(({ folder: { id, name }, depth }) => ({
      id: `folder-${id}`,
      // A menu has no levels of its own for this.
      text: `${'\u2003'.repeat(depth)}${name}`,
      icon: FolderInput,
      isDisabled: items.every(({ folderId }) => folderId === id),
      onAction: () => {
        move(items, id);
      },
    })),
    ...(items.some(({ folderId }) => folderId !== null)
      ? [
          {
            id: 'no-folder',
            text: t('library.noFolder'),
            icon: FolderMinus,
            onAction: () => {
              move(items, null);
            },
          },
        ]
      : []),
    {
      id: 'new-folder',
      text: t('library.newFolder'),
      icon: FolderPlus,
      onAction: () => {
        ask({ tag: 'new-folder', items, parentId: null });
      },
    },
  ];
}

/** The tags things can have: those that all of them have are taken off. */
export function useTagEntries(): (items: readonly ListedItem[]) => readonly MenuEntry[] {
  const t = useText();
  const { tags, tag, ask } = useLibraryContext();
  return (items) => [
    ...tags
      .toSorted((one, other) => one.name.localeCompare(other.name))
      .map(({ id, name }) => {
        const isOn = items.every(({ tagIds }) => tagIds.includes(id));
        return {
          id: `tag-${id}`,
          text: isOn ? t('library.takeTagOff', { name }) : name,
          icon: isOn ? Check : Tag,
          onAction: () => {
            tag(items, id, !isOn);
          },
        };
      }),
    {
      id: 'new-tag',
      text: t('library.newTag'),
      icon: Tag,
      onAction: () => {
        ask({ tag: 'new-tag', items });
      },
    },
  ];
}

/** Keys on a row: Delete puts into the trash, or asks whether to erase what is there; F2 renames. */
export function useItemKeys(): (event: KeyboardEvent, item: ListedItem, meant: readonly ListedItem[]) => boolean {
  const { trash, ask } = useLibraryContext();
  return ({ key }, item, meant) => {
    if (key === 'F2' && item.trashedAtMs === null) ask({ tag: 'rename', item });
    else if (key !== 'Delete') return false;
    else if (item.trashedAtMs === null) trash(meant);
    else ask({ tag: 'erase', items: meant });
    return true;
  };
}

/** What can be done with one thing, in its row's menu. */
export function useItemMenu(): (item: ListedItem) => readonly MenuEntry[] {
  const t = useText();
  const actions = useLibraryContext();
  const folderEntries = useFolderEntries();
  const tagEntries = useTagEntries();
  return (item) => {
    if (item.trashedAtMs !== null) {
      return [
        {
          id: 'restore',
          text: t('library.restore'),
          icon: RotateCcw,
          onAction: () => {
            actions.restore([item]);
          },
        },
        {
          id: 'erase',
          text: t('library.eraseMenu'),
          icon: Trash2,
          isDanger: true,
          onAction: () => {
            actions.ask({ tag: 'erase', items: [item] });
          },
        },
      ];
    }
    return [
      {
        id: 'open',
        text: t('library.open'),
        icon: FileText,
        onAction: () => {
          actions.open(item);
        },
      },
      ...(item.kind === 'transcript'
        ? [
            {
              id: 'ask',
              text: t('library.askAbout'),
              icon: MessageCircleQuestion,
              onAction: () => {
                actions.askAbout(item);
              },
            },
          ]
        : []),
      {
        id: 'rename',
        text: t('library.rename'),
        icon: Pencil,
        onAction: () => {
          actions.ask({ tag: 'rename', item });
        },
      },
      { id: 'move', text: t('library.move'), icon: FolderInput, entries: folderEntries([item]) },
      { id: 'tags', text: t('library.tags'), icon: Tag, entries: tagEntries([item]) },
      ...(item.kind === 'transcript'
        ? [
            {
              id: 'export',
              text: t('library.export'),
              icon: Share,
              entries: [
                ...formats.map((format) => ({
                  id: format,
                  text: t('library.exportAs', { format: format.toUpperCase() }),
                  onAction: () => {
                    actions.exportAs(item, format);
                  },
                })),
                {
                  id: 'many',
                  text: t('library.exportMany'),
                  onAction: () => {
                    actions.ask({ tag: 'export', items: [item] });
                  },
                },
              ],
            },
          ]
        : []),
      ...(item.kind === 'transcript'
        ? [
            {
              id: 'show-recording',
              text: t('transcribe.actions.showRecording'),
              icon: FolderOpen,
              onAction: () => {
                actions.showRecording(item);
              },
            },
          ]
        : []),
      ...(item.states.includes('no-audio') && item.kind === 'transcript'
        ? [
            {
              id: 'recording',
              text: t('library.media.findMenu'),
              icon: FolderSearch,
              onAction: () => {
                actions.ask({ tag: 'media' });
              },
            },
          ]
        : []),
      'separator',
      {
        id: 'trash',
        text: t('library.toTrash'),
        icon: Trash2,
        onAction: () => {
          actions.trash([item]);
        },
      },
    ];
  };
}
