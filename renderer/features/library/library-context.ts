import { FolderInput, FolderMinus, Languages, Pencil, Tag, Trash2, Undo2 } from 'lucide-react';
import { createContext, useContext, useRef } from 'react';
import { useLocation } from 'wouter';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { LibraryFolder, LibraryTag } from '../../../shared/domain/library/library-item.ts';
import { spellName } from '../../../shared/domain/text/uzbek-letters.ts';
import { pathWords } from '../../lib/path-words.ts';
import { useText } from '../../lib/text.ts';
import { useUndoKey } from '../../lib/use-undo-key.ts';
import { useUndoNotice } from '../../ui/notices.ts';
import { useToast, type ToastContent } from '../../ui/toast.tsx';
import type { LibraryFilter, ListedItem } from './model/library-view.ts';
import type { useLibraryActions } from './queries.ts';

type Items = readonly ListedItem[];

export type LibraryQuestion =
  | { readonly tag: 'rename'; readonly item: ListedItem }
  | { readonly tag: 'erase'; readonly items: Items }
  | { readonly tag: 'export'; readonly items: Items }
  | { readonly tag: 'new-folder'; readonly items: Items; readonly parentId: string | null }
  | { readonly tag: 'new-tag'; readonly items: Items }
  | { readonly tag: 'rename-tag'; readonly named: LibraryTag }
  | { readonly tag: 'speakers' }
  | { readonly tag: 'remote' }
  | { readonly tag: 'media' }
  | { readonly tag: 'rename-folder'; readonly folder: LibraryFolder };

export type NameQuestion = Extract<LibraryQuestion, { tag: `rename${string}` | `new-${string}` }>;

interface LibraryState {
  readonly items: Items;
  /** What a search found whatever the filters are; null: everything. */
  readonly foundKeys: ReadonlySet<string> | null;
  readonly folders: readonly LibraryFolder[];
  readonly tags: readonly LibraryTag[];
  readonly filter: LibraryFilter;
  readonly nowMs: number;
  readonly filterBy: (filter: LibraryFilter) => void;
  readonly ask: (question: LibraryQuestion) => void;
}

/** Commands for the parts of the screen with their notices. The key undoes one step after the other. */
export function useContextValue(
  state: LibraryState,
  actions: ReturnType<typeof useLibraryActions>,
  asked: string,
  clearSelection: () => void,
) {
  const t = useText();
  const [, navigate] = useLocation();
  const showToast = useToast();
  const showUndo = useUndoNotice();
  const { items: all, folders, tags } = state;
  const undos = useRef<(() => void)[]>([]);
  const redos = useRef<(() => void)[]>([]);
  useUndoKey(
    () => undos.current.at(-1)?.(),
    () => redos.current.pop()?.(),
  );
  const doneWithUndo = (
    work: () => Promise<boolean>,
    { undone, ...toast }: Pick<ToastContent, 'text' | 'icon'> & { readonly undone?: string },
    undo: () => Promise<boolean>,
  ) => {
    const perform = () =>
      void work().then((isDone) => {
        if (!isDone) return;
        const undoOnce = () => {
          undos.current = undos.current.filter((one) => one !== undoOnce);
          hide();
          void undo().then((isUndone) => {
            if (!isUndone) return;
            redos.current.push(perform);
            showToast({ text: undone ?? t('library.undone', { step: toast.text }), icon: Undo2 });
          });
        };
        undos.current.push(undoOnce);
        const hide = showUndo({ ...toast, undo: undoOnce });
      });
    redos.current = [];
    perform();
  };
  /** After a step without undo, the key must not undo earlier ones. */
  const doneForGood = (work: Promise<boolean>) =>
    void work.then((isDone) => {
      if (isDone) undos.current = redos.current = [];
    });
  const open = ({ kind, id }: ListedItem, atMs?: number) => {
    if (kind === 'isolation') navigate(`/isolate/${id}`);
    if (kind === 'dictation') navigate(`/dictate/document/${id}`);
    if (kind === 'speech') navigate(`/speak/${id}`);
    if (kind === 'conversation') navigate(`/ask/${id}${atMs === undefined ? '' : `/${String(atMs)}`}`);
    if (kind === 'transcript' && atMs === undefined) navigate(`/transcripts/${id}`);
    else if (kind === 'transcript')
      navigate(`/transcripts/${id}/${String(atMs)}${asked === '' ? '' : `/${pathWords(asked)}`}`);
  };
  return {
    ...state,
    open,
    /** Opens a text with its own search for what was searched for here. */
    findIn: (item: ListedItem) => {
      if (item.kind === 'transcript') navigate(`/transcripts/${item.id}/find/${pathWords(asked)}`);
      else open(item);
    },
    askAbout: (items: Items) => navigate(`/ask/about/${items.map(({ id }) => encodeURIComponent(id)).join(',')}`),
    trash: (items: Items) => {
      clearSelection();
      doneWithUndo(
        () => actions.trash(items),
        {
          text: t('library.trashed', { count: items.length }),
          icon: Trash2,
          undone: t('library.restored', { count: items.length }),
        },
        () => actions.restore(items),
      );
    },
    /** For good: there is no undo. */
    erase: (items: Items, atService: boolean) => doneForGood(actions.erase(items, atService)),
    restore: (items: Items) => {
      clearSelection();
      doneWithUndo(
        () => actions.restore(items),
        { text: t('library.restored', { count: items.length }) },
        () => actions.trash(items),
      );
    },
    move: (items: Items, folderId: string | null) => {
      const name = folders.find(({ id }) => id === folderId)?.name;
      const count = items.length;
      const text = name === undefined ? t('library.movedOut', { count }) : t('library.moved', { count, name });
      doneWithUndo(
        () => actions.move(items, folderId),
        { text, icon: FolderInput },
        () => actions.moveBack(items),
      );
    },
    tag: (items: Items, tagId: string, isOn: boolean) => {
      const changed = items.filter(({ tagIds }) => tagIds.includes(tagId) !== isOn);
      const name = tags.find(({ id }) => id === tagId)?.name ?? '';
      doneWithUndo(
        () => actions.tag(changed, tagId, isOn),
        { text: t(isOn ? 'library.tagged' : 'library.untagged', { count: changed.length, name }), icon: Tag },
        () => actions.tag(changed, tagId, !isOn),
      );
    },
    setLanguage: (items: Items, language: SpeechLanguage) => {
      const changed = items.filter((item) => item.language !== language);
      if (changed.length === 0) return;
      const name = t(`common.languageNames.${language}`);
      const before = changed.flatMap((item) =>
        item.language === null ? [] : { id: item.id, language: item.language },
      );
      doneWithUndo(
        () => actions.setLanguage(changed.map(({ id }) => ({ id, language }))),
        { text: t('library.languageSet', { count: changed.length, language: name }), icon: Languages },
        () => actions.setLanguage(before),
      );
    },
    giveName: (question: NameQuestion, typed: string, onFolder: (id: string) => void) => {
      const isText = question.tag === 'rename' && question.item.kind === 'transcript' && question.item.title !== typed;
      const name = isText ? spellName(question.item.language, typed) : typed;
      const isNamed = (tag: LibraryTag) => tag.name.toLowerCase() === name.toLowerCase();
      const rename = (before: string, work: (to: string) => Promise<boolean>, stored = before) => {
        if (before === name) return;
        const toast = { text: t('library.renamed', { before, name }), icon: Pencil };
        doneWithUndo(
          () => work(name),
          toast,
          () => work(stored),
        );
      };
      switch (question.tag) {
        case 'rename': {
          const { item } = question;
          // What is shown in place of a missing title isn't stored as one.
          rename(item.title, (to) => actions.rename(item, to), item.isUntitled === true ? '' : item.title);
          break;
        }
        case 'rename-folder': {
          const { folder } = question;
          rename(folder.name, (to) => actions.saveFolder(folder.id, to));
          break;
        }
        case 'rename-tag': {
          const { named } = question;
          // Renaming merged two tags of the same name, which can't be undone.
          if (tags.some((tag) => tag.id !== named.id && isNamed(tag))) doneForGood(actions.renameTag(named.id, name));
          else rename(named.name, (to) => actions.renameTag(named.id, to));
          break;
        }
        case 'new-tag': {
          let madeId = '';
          // A tag of that name is used again; items that have it keep it when this is undone.
          const known = tags.find(isNamed);
          const changed = question.items.filter(({ tagIds }) => known === undefined || !tagIds.includes(known.id));
          const count = changed.length;
          if (known !== undefined && count === 0) break;
          const text = count === 0 ? t('library.tagMade', { name }) : t('library.tagged', { count, name });
          doneWithUndo(
            () => actions.tagInNew(name, changed, (id) => (madeId = id)),
            { text, icon: Tag },
            () => (known === undefined ? actions.removeTag(madeId) : actions.tag(changed, madeId, false)),
          );
          break;
        }
        case 'new-folder':
          if (question.items.length === 0)
            // The folder that was created empty becomes the target of the next move.
            doneForGood(actions.fileInNew(name, question.parentId, [], onFolder));
          else
            doneWithUndo(
              () => actions.fileInNew(name, question.parentId, question.items),
              { text: t('library.moved', { count: question.items.length, name }), icon: FolderInput },
              () => actions.moveBack(question.items),
            );
          break;
      }
    },
    attach: (item: ListedItem) => void actions.attach(item.id),
    /** Its items are kept. */
    removeFolder: (folder: LibraryFolder) => {
      const held = all.filter(({ folderId }) => folderId === folder.id);
      const inside = folders.filter(({ parentId }) => parentId === folder.id).map(({ id }) => id);
      doneWithUndo(
        () => actions.removeFolder(folder.id),
        { text: t('library.folderRemoved', { name: folder.name }), icon: FolderMinus },
        () => actions.fileInNew(folder.name, folder.parentId, held, undefined, inside, folder.id),
      );
    },
    removeTag: (tag: LibraryTag) => {
      const held = all.filter(({ tagIds }) => tagIds.includes(tag.id));
      doneWithUndo(
        () => actions.removeTag(tag.id),
        { text: t('library.tagRemoved', { name: tag.name }), icon: Tag },
        () => actions.tagInNew(tag.name, held, undefined, tag.id),
      );
    },
    moveFolder: (folderId: string, parentId: string | null) => {
      const before = folders.find(({ id }) => id === folderId);
      doneWithUndo(
        () => actions.moveFolder(folderId, parentId),
        { text: t('library.folderMoved', { name: before?.name ?? '' }), icon: FolderInput },
        () => actions.moveFolder(folderId, before?.parentId ?? null),
      );
    },
    exportAs: (item: ListedItem, format: 'txt' | 'docx' | 'srt') =>
      void actions.exportAs(item.id, format, ({ name, revealToken }) =>
        showToast({
          text: t('library.exported', { name }),
          ...(revealToken !== null && {
            action: { text: t('exports.show'), onPress: () => void actions.reveal(revealToken) },
          }),
        }),
      ),
    showRecording: (item: ListedItem) => void actions.showRecording(item.id),
  };
}

type LibraryActions = ReturnType<typeof useContextValue>;
export const LibraryContext = createContext<LibraryActions | null>(null);

export function useLibraryContext(): LibraryActions {
  const value = useContext(LibraryContext);
  if (value === null) throw new Error('useLibraryContext outside of the library');
  return value;
}
