import {
  AudioLines,
  Blend,
  Captions,
  Mic,
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
import type { LibraryKind } from '../../../../shared/domain/library/library-item.ts';
import { speechLanguages } from '../../../../shared/domain/languages.ts';
import { useText } from '../../../lib/text.ts';
import type { MenuEntry } from '../../../ui/menu.tsx';
import { useLibraryContext } from '../library-context.ts';
import { folderTree, type ListedItem } from '../model/library-view.ts';

const formats = ['docx', 'txt', 'srt'] as const;

export const kindIcons: Readonly<Record<LibraryKind, LucideIcon>> = {
  transcript: Captions,
  dictation: Mic,
  isolation: Blend,
  speech: AudioLines,
  conversation: MessageSquareQuote,
};

export const menuEntry = (id: string, text: string, icon: LucideIcon, onAction: () => void) => ({
  id,
  text,
  icon,
  onAction,
});

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
      onAction: () => move(items, id),
    })),
    ...(items.some(({ folderId }) => folderId !== null)
      ? [menuEntry('no-folder', t('library.noFolder'), FolderMinus, () => move(items, null))]
      : []),
    menuEntry('new-folder', t('library.newFolder'), FolderPlus, () =>
      ask({ tag: 'new-folder', items, parentId: null }),
    ),
  ];
}

export function useTagEntries(): (items: readonly ListedItem[]) => readonly MenuEntry[] {
  const t = useText();
  const { tags, tag, ask } = useLibraryContext();
  return (items) => [
    ...tags
      .toSorted((one, other) => one.name.localeCompare(other.name))
      .map(({ id, name }) => {
        const isOn = items.every(({ tagIds }) => tagIds.includes(id));
        const text = isOn ? t('library.takeTagOff', { name }) : name;
        return menuEntry(`tag-${id}`, text, isOn ? Check : Tag, () => tag(items, id, !isOn));
      }),
    menuEntry('new-tag', t('library.newTag'), Tag, () => ask({ tag: 'new-tag', items })),
  ];
}

/** Delete moves the selection, or else the row, to the trash, and in the trash asks to erase it; F2 renames. */
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
          onAction: () => setLanguage(transcripts, language),
        })),
      },
    ];
  };
}

const isTranscript = ({ kind }: ListedItem): boolean => kind === 'transcript';

export function useItemMenu(): (meant: readonly ListedItem[]) => readonly MenuEntry[] {
  const t = useText();
  const actions = useLibraryContext();
  const folderEntries = useFolderEntries();
  const tagEntries = useTagEntries();
  const languageBranch = useLanguageBranch();
  const ofOne = (item: ListedItem): readonly MenuEntry[] => {
    const rename = menuEntry('rename', t('library.rename'), Pencil, () => actions.ask({ tag: 'rename', item }));
    if (!isTranscript(item)) return [rename];
    const recording = item.states.includes('no-recording')
      ? menuEntry('attach', t('library.attach'), FileAudio, () => actions.attach(item))
      : item.states.includes('no-audio')
        ? menuEntry('recording', t('library.media.findMenu'), FolderSearch, () => actions.ask({ tag: 'media' }))
        : menuEntry('show-recording', t('transcribe.actions.showRecording'), FolderOpen, () =>
            actions.showRecording(item),
          );
    return [rename, recording];
  };
  return (meant) => {
    const [item] = meant;
    if (item === undefined) return [];
    if (item.trashedAtMs !== null) {
      return [
        menuEntry('restore', t('library.restore'), RotateCcw, () => actions.restore(meant)),
        {
          ...menuEntry('erase', t('library.eraseMenu'), Trash2, () => actions.ask({ tag: 'erase', items: meant })),
          isDanger: true,
        },
      ];
    }
    const isOne = meant.length === 1;
    const transcripts = meant.filter(isTranscript);
    const exportMany = menuEntry('many', t('library.exportMany'), Share, () =>
      actions.ask({ tag: 'export', items: meant }),
    );
    return [
      ...(isOne ? [menuEntry('open', t('library.open'), FileText, () => actions.open(item))] : []),
      ...(transcripts.length > 0 && transcripts.length <= mostAskedAbout
        ? [menuEntry('ask', t('library.askAbout'), MessageSquareQuote, () => actions.askAbout(transcripts))]
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
                  onAction: () => actions.exportAs(item, format),
                })),
                exportMany,
              ],
            },
          ]
        : transcripts.length > 0
          ? [exportMany]
          : []),
      'separator',
      menuEntry('trash', t('library.toTrash'), Trash2, () => actions.trash(meant)),
    ];
  };
}
