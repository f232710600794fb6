import { FolderInput, FolderMinus, Languages, Pencil, Tag, Trash2, Undo2 } from 'lucide-react';
import { useRef } from 'react';
import { spellName } from '../../../shared/domain/text/uzbek-letters.ts';
import { pathWords } from '../../lib/path-words.ts';
import { useText } from '../../lib/text.ts';
import { useUndoKey } from '../../lib/use-undo-key.ts';
import { useToast, type ToastContent } from '../../ui/toast.tsx';
import { useUndoNotice } from '../../ui/notices.ts';
import type { LibraryActions, LibraryQuestion } from './library-context.ts';
import type { ListedItem } from './model/library-view.ts';
import type { useLibraryActions } from './queries.ts';

interface Parts {
  readonly items: readonly ListedItem[];
  readonly folders: LibraryActions['folders'];
  readonly tags: LibraryActions['tags'];
  readonly actions: ReturnType<typeof useLibraryActions>;
  readonly navigate: (path: string) => void;
  /** The search words; empty without a search. */
  readonly asked: string;
  readonly ask: (question: LibraryQuestion) => void;
  readonly clearSelection: () => void;
}

/** Commands for the parts of the screen with their notices. The key undoes one step after the other. */
export function useContextValue({
  items: all,
  folders,
  tags,
  actions,
  navigate,
  asked,
  ask,
  clearSelection,
}: Parts): LibraryActions {
  const t = useText();
  const showToast = useToast();
  const showUndo = useUndoNotice();
  const undos = useRef<(() => void)[]>([]);
  useUndoKey(() => undos.current.at(-1)?.());
  /** Performs a step, shows its notice and remembers how to undo it. */
  const doneWithUndo = (
    work: Promise<boolean>,
    toast: Pick<ToastContent, 'text' | 'icon'>,
    undo: () => Promise<boolean>,
  ) => {
    void work.then((isDone) => {
      if (!isDone) return;
      const undoOnce = () => {
        undos.current = undos.current.filter((one) => one !== undoOnce);
        hide();
        void undo().then((isUndone) => {
          if (isUndone) showToast({ text: t('library.undone', { step: toast.text }), icon: Undo2 });
        });
      };
      undos.current.push(undoOnce);
      const hide = showUndo({ ...toast, undo: undoOnce });
    });
  };
  /** After a step without undo, the key must not undo earlier ones. */
  const doneForGood = (work: Promise<boolean>) => {
    void work.then((isDone) => {
      if (isDone) undos.current = [];
    });
  };
  return {
    folders,
    tags,
    ask,
    open: ({ kind, id }, atMs) => {
      if (kind === 'isolation') navigate(`/isolate/${id}`);
      if (kind === 'dictation') navigate(`/dictate/history/${id}`);
      if (kind === 'speech') navigate(`/speak/${id}`);
      if (kind === 'conversation') navigate(`/ask/${id}${atMs === undefined ? '' : `/${String(atMs)}`}`);
      if (kind === 'transcript' && atMs === undefined) navigate(`/transcripts/${id}`);
      else if (kind === 'transcript')
        navigate(`/transcripts/${id}/${String(atMs)}${asked === '' ? '' : `/${pathWords(asked)}`}`);
    },
    askAbout: (items) => {
      navigate(`/ask/about/${items.map(({ id }) => encodeURIComponent(id)).join(',')}`);
    },
    trash: (items) => {
      clearSelection();
      doneWithUndo(actions.trash(items), { text: t('library.trashed', { count: items.length }), icon: Trash2 }, () =>
        actions.restore(items),
      );
    },
    erase: (items, atService) => doneForGood(actions.erase(items, atService)),
    restore: (items) => {
      clearSelection();
      doneWithUndo(actions.restore(items), { text: t('library.restored', { count: items.length }) }, () =>
        actions.trash(items),
      );
    },
    move: (items, folderId) => {
      const name = folders.find(({ id }) => id === folderId)?.name;
      doneWithUndo(
        actions.move(items, folderId),
        {
          text:
            name === undefined
              ? t('library.movedOut', { count: items.length })
              : t('library.moved', { count: items.length, name }),
          icon: FolderInput,
        },
        () => actions.moveBack(items),
      );
    },
    tag: (items, tagId, isOn) => {
      const changed = items.filter(({ tagIds }) => tagIds.includes(tagId) !== isOn);
      const name = tags.find(({ id }) => id === tagId)?.name ?? '';
      doneWithUndo(
        actions.tag(changed, tagId, isOn),
        { text: t(isOn ? 'library.tagged' : 'library.untagged', { count: changed.length, name }), icon: Tag },
        () => actions.tag(changed, tagId, !isOn),
      );
    },
    setLanguage: (items, language) => {
      const changed = items.filter((item) => item.language !== language);
      if (changed.length === 0) return;
      doneWithUndo(
        actions.setLanguage(changed.map(({ id }) => ({ id, language }))),
        {
          text: t('library.languageSet', { count: changed.length, language: t(`common.languageNames.${language}`) }),
          icon: Languages,
        },
        () =>
          actions.setLanguage(
            changed.flatMap(({ id, language: before }) => (before === null ? [] : { id, language: before })),
          ),
      );
    },
    giveName: (question, typed, onFolder) => {
      const isText = question.tag === 'rename' && question.item.kind === 'transcript' && question.item.title !== typed;
      const name = isText ? spellName(question.item.language, typed) : typed;
      const renamed = (work: Promise<boolean>, before: string, undo: () => Promise<boolean>) => {
        if (before !== name) doneWithUndo(work, { text: t('library.renamed', { before, name }), icon: Pencil }, undo);
      };
      switch (question.tag) {
        case 'rename': {
          const { item } = question;
          // What is shown in place of a missing title isn't stored as one.
          const before = item.isUntitled === true ? '' : item.title;
          renamed(actions.rename(item, name), item.title, () => actions.rename(item, before));
          break;
        }
        case 'rename-folder': {
          const { folder } = question;
          renamed(actions.saveFolder(folder.id, name), folder.name, () => actions.saveFolder(folder.id, folder.name));
          break;
        }
        case 'rename-tag': {
          const { named } = question;
          // Renaming merged two tags of the same name, which can't be undone.
          const isOne = tags.some((tag) => tag.id !== named.id && tag.name.toLowerCase() === name.toLowerCase());
          const work = actions.renameTag(named.id, name);
          if (isOne) doneForGood(work);
          else renamed(work, named.name, () => actions.renameTag(named.id, named.name));
          break;
        }
        case 'new-tag': {
          let madeId = '';
          // A tag of that name is used again; items that have it keep it when this is undone.
          const known = tags.find((tag) => tag.name.toLowerCase() === name.toLowerCase());
          const changed = question.items.filter(({ tagIds }) => known === undefined || !tagIds.includes(known.id));
          if (known !== undefined && changed.length === 0) break;
          const text =
            changed.length === 0
              ? t('library.tagMade', { name })
              : t('library.tagged', { count: changed.length, name });
          doneWithUndo(
            actions.tagInNew(name, changed, (id) => (madeId = id)),
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
              actions.fileInNew(name, question.parentId, question.items),
              { text: t('library.moved', { count: question.items.length, name }), icon: FolderInput },
              () => actions.moveBack(question.items),
            );
          break;
      }
    },
    attach: (item) => void actions.attach(item.id),
    removeFolder: (folder) => {
      const held = all.filter(({ folderId }) => folderId === folder.id);
      const inside = folders.filter(({ parentId }) => parentId === folder.id).map(({ id }) => id);
      doneWithUndo(
        actions.removeFolder(folder.id),
        { text: t('library.folderRemoved', { name: folder.name }), icon: FolderMinus },
        () => actions.fileInNew(folder.name, folder.parentId, held, undefined, inside, folder.id),
      );
    },
    removeTag: (tag) => {
      const held = all.filter(({ tagIds }) => tagIds.includes(tag.id));
      doneWithUndo(actions.removeTag(tag.id), { text: t('library.tagRemoved', { name: tag.name }), icon: Tag }, () =>
        actions.tagInNew(tag.name, held, undefined, tag.id),
      );
    },
    moveFolder: (folderId, parentId) => {
      const before = folders.find(({ id }) => id === folderId);
      doneWithUndo(
        actions.moveFolder(folderId, parentId),
        { text: t('library.folderMoved', { name: before?.name ?? '' }), icon: FolderInput },
        () => actions.moveFolder(folderId, before?.parentId ?? null),
      );
    },
    exportAs: (item, format) =>
      void actions.exportAs(item.id, format, ({ name, revealToken }) => {
        showToast({
          text: t('library.exported', { name }),
          ...(revealToken !== null && {
            action: { text: t('exports.show'), onPress: () => void actions.reveal(revealToken) },
          }),
        });
      }),
    showRecording: (item) => void actions.showRecording(item.id),
  };
}
