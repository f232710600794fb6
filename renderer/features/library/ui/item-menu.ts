import {
  Check,
  FileAudio,
  FileText,
  FolderInput,
  FolderMinus,
  FolderOpen,
  FolderPlus,
  FolderSearch,
  Languages,
  MessageSquareQuote,
  Pencil,
  RotateCcw,
  Share,
  Tag,
  Trash2,
  type LucideIcon,
} from 'lucide-react';
import { mostAskedAbout } from '../../../../shared/domain/assistant/ask-tasks.ts';
import { speechLanguages } from '../../../../shared/domain/languages.ts';
import { useText } from '../../../lib/text.ts';
import type { MenuEntry } from '../../../ui/menu.tsx';
import { useLibraryContext } from '../library-context.ts';
import { folderTree, type ListedItem } from '../model/library-view.ts';

const formats = ['docx', 'txt', 'srt'] as const;

/** The folders to move items to. */
export function useFolderEntries(): (items: readonly ListedItem[]) => readonly MenuEntry[] {
  const t = useText();
  const { folders, move, ask } = useLibraryContext();
  return (items) => [
    ...folderTree(folders).map(({ folder: { id, name }, depth }) => ({
      id: `folder-${id}`,
      // All folders are in one list, so depth is shown by indentation.
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

/** The tags to add; a tag that all items already have is removed instead. */
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

/**
 * Keys on a row: Delete moves the selection, or the row if nothing is selected, to the trash, and inside the trash asks
 * whether to erase it; F2 renames.
 */
export function useItemKeys(): (event: KeyboardEvent, item: ListedItem, selected: readonly ListedItem[]) => boolean {
  const { trash, ask } = useLibraryContext();
  return ({ key }, item, selected) => {
    const meant = selected.length > 0 ? selected : [item];
    if (key === 'F2' && item.trashedAtMs === null) ask({ tag: 'rename', item });
    else if (key !== 'Delete') return false;
    else if (item.trashedAtMs === null) trash(meant);
    else ask({ tag: 'erase', items: meant });
    return true;
  };
}

/** The spoken languages a transcript can have. */
export function useLanguageBranch(): (items: readonly ListedItem[]) => readonly MenuEntry[] {
  const t = useText();
  const { setLanguage } = useLibraryContext();
  return (items) => {
    const transcripts = items.filter(isTranscript);
    const [first] = transcripts;
    if (first === undefined) return [];
    const isOne = transcripts.every(({ language }) => language === first.language);
    return [
      {
        id: 'language',
        text: t('library.language'),
        icon: Languages,
        chosenId: isOne ? first.language : null,
        entries: speechLanguages.map((language) => ({
          id: language,
          text: t(`common.languageNames.${language}`),
          onAction: () => {
            setLanguage(transcripts, language);
          },
        })),
      },
    ];
  };
}

const isTranscript = ({ kind }: ListedItem): boolean => kind === 'transcript';

/** The actions for one item, or for the selection if the item is part of it. */
export function useItemMenu(): (meant: readonly ListedItem[]) => readonly MenuEntry[] {
  const t = useText();
  const actions = useLibraryContext();
  const folderEntries = useFolderEntries();
  const tagEntries = useTagEntries();
  const languageBranch = useLanguageBranch();
  const entry = (id: string, text: string, icon: LucideIcon, onAction: () => void) => ({ id, text, icon, onAction });
  /** Actions for a single item only. */
  const ofOne = (item: ListedItem): readonly MenuEntry[] => {
    const hasRecording = isTranscript(item) && !item.states.includes('no-recording');
    const isMoved = item.states.includes('no-audio');
    return [
      entry('rename', t('library.rename'), Pencil, () => {
        actions.ask({ tag: 'rename', item });
      }),
      ...(isTranscript(item) && !hasRecording
        ? [
            entry('attach', t('library.attach'), FileAudio, () => {
              actions.attach(item);
            }),
          ]
        : []),
      ...(hasRecording && isMoved
        ? [
            entry('recording', t('library.media.findMenu'), FolderSearch, () => {
              actions.ask({ tag: 'media' });
            }),
          ]
        : []),
      ...(hasRecording && !isMoved
        ? [
            entry('show-recording', t('transcribe.actions.showRecording'), FolderOpen, () => {
              actions.showRecording(item);
            }),
          ]
        : []),
    ];
  };
  return (meant) => {
    const [item] = meant;
    if (item === undefined) return [];
    if (item.trashedAtMs !== null) {
      return [
        entry('restore', t('library.restore'), RotateCcw, () => {
          actions.restore(meant);
        }),
        {
          ...entry('erase', t('library.eraseMenu'), Trash2, () => {
            actions.ask({ tag: 'erase', items: meant });
          }),
          isDanger: true,
        },
      ];
    }
    const isOne = meant.length === 1;
    const transcripts = meant.filter(isTranscript);
    const exportMany = entry('many', t('library.exportMany'), Share, () => {
      actions.ask({ tag: 'export', items: meant });
    });
    return [
      ...(isOne
        ? [
            entry('open', t('library.open'), FileText, () => {
              actions.open(item);
            }),
          ]
        : []),
      ...(transcripts.length > 0 && transcripts.length <= mostAskedAbout
        ? [
            entry('ask', t('library.askAbout'), MessageSquareQuote, () => {
              actions.askAbout(transcripts);
            }),
          ]
        : []),
      ...(isOne ? ofOne(item) : []),
      { id: 'move', text: t('library.move'), icon: FolderInput, entries: folderEntries(meant) },
      { id: 'tags', text: t('library.tags'), icon: Tag, entries: tagEntries(meant) },
      ...languageBranch(meant),
      ...(isOne && isTranscript(item)
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
                exportMany,
              ],
            },
          ]
        : transcripts.length > 0
          ? [exportMany]
          : []),
      'separator',
      entry('trash', t('library.toTrash'), Trash2, () => {
        actions.trash(meant);
      }),
    ];
  };
}
