import { Trash2 } from 'lucide-react';
import { useText } from '../../lib/text.ts';
import { useToast } from '../../ui/toast.tsx';
import type { LibraryActions, LibraryQuestion } from './library-context.ts';
import type { useLibraryActions } from './queries.ts';

/** What the parts of the screen can do, with the notices that go with it. */
export function useContextValue(
  folders: LibraryActions['folders'],
  actions: ReturnType<typeof useLibraryActions>,
  navigate: (path: string) => void,
  ask: (question: LibraryQuestion) => void,
  clearSelection: () => void,
): LibraryActions {
  const t = useText();
  const showToast = useToast();
  return {
    folders,
    ask,
    open: ({ kind, id }, atMs) => {
      if (kind === 'isolation') navigate(`/isolate/${id}`);
      if (kind === 'dictation') navigate(`/dictate/history/${id}`);
      if (kind === 'speech') navigate(`/speak/${id}`);
      if (kind === 'transcript') navigate(`/transcripts/${id}${atMs ? `/${String(atMs)}` : ''}`);
    },
    askAbout: ({ id }) => {
      navigate(`/ask/about/${encodeURIComponent(id)}`);
    },
    trash: (items) => {
      clearSelection();
      void actions.trash(items).then((isDone) => {
        if (!isDone) return;
        showToast({
          text: t('library.trashed', { count: items.length }),
          icon: Trash2,
          action: { text: t('library.undo'), onPress: () => void actions.restore(items) },
        });
      });
    },
    restore: (items) => {
      clearSelection();
      void actions.restore(items);
    },
    move: (items, folderId) => void actions.move(items, folderId),
    moveFolder: (folderId, parentId) => void actions.moveFolder(folderId, parentId),
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
