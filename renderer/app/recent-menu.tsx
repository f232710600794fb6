import { useQueryClient } from '@tanstack/react-query';
import { CircleAlert, FileText, FolderOpen, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { spellName } from '../../shared/domain/text/uzbek-letters.ts';
import { failureOf } from '../bridge/request-error.ts';
import { saveEverything } from '../bridge/save-before-leaving.ts';
import { useStudio } from '../bridge/studio-context.tsx';
import type { ListedTranscript } from '../bridge/types.ts';
import { useFailureWords } from '../lib/failure-words.ts';
import { useText } from '../lib/text.ts';
import { itemRequests } from '../parts/transcripts/item-requests.ts';
import { NameDialog } from '../parts/transcripts/name-dialog.tsx';
import { transcriptKey, transcriptListKey } from '../parts/transcripts/transcripts-query.ts';
import { MenuAt, type MenuPoint } from '../ui/menu.tsx';
import { useUndoNotice } from '../ui/notices.ts';
import { useToast } from '../ui/toast.tsx';

export interface AskedMenu {
  readonly transcript: ListedTranscript;
  readonly at: MenuPoint;
}

/** What can be done with a recent transcript where it is listed: the same as in the library, as far as it is one item. */
export function RecentMenu({
  asked,
  onClose,
  onOpen,
  onLeave,
}: {
  /** Null when no menu was asked for. */
  readonly asked: AskedMenu | null;
  readonly onClose: () => void;
  readonly onOpen: (id: string) => void;
  /** Before a transcript goes to the trash; the open one is left. */
  readonly onLeave: (id: string) => void;
}) {
  const t = useText();
  const { trash, restore, rename, showRecording } = useItemActions();
  const [renamed, setRenamed] = useState<ListedTranscript | null>(null);
  const throwAway = async (transcript: ListedTranscript) => {
    // Of an open transcript, what was typed last goes to the trash with it.
    await saveEverything();
    onLeave(transcript.id);
    await trash(transcript, () => void restore(transcript));
  };
  const entries = ({ transcript }: AskedMenu) => [
    {
      id: 'open',
      text: t('library.open'),
      icon: FileText,
      onAction: () => {
        onOpen(transcript.id);
      },
    },
    {
      id: 'rename',
      text: t('library.rename'),
      icon: Pencil,
      onAction: () => {
        setRenamed(transcript);
      },
    },
    ...(transcript.hasRecording
      ? [
          {
            id: 'show-recording',
            text: t('transcribe.actions.showRecording'),
            icon: FolderOpen,
            onAction: () => void showRecording(transcript.id),
          },
        ]
      : []),
    'separator' as const,
    {
      id: 'trash',
      text: t('library.toTrash'),
      icon: Trash2,
      onAction: () => void throwAway(transcript),
    },
  ];
  return (
    <>
      {asked !== null && (
        <MenuAt
          key={`${String(asked.at.x)}-${String(asked.at.y)}`}
          label={asked.transcript.title}
          at={asked.at}
          entries={entries(asked)}
          onClose={onClose}
        />
      )}
      {renamed !== null && (
        <NameDialog
          title={t('library.rename')}
          name={renamed.title}
          onClose={() => {
            setRenamed(null);
          }}
          onName={(name) => {
            setRenamed(null);
            void rename(renamed, name);
          }}
        />
      )}
    </>
  );
}

/** The requests with their notices; what fails is said in one. */
function useItemActions() {
  const t = useText();
  const studio = useStudio();
  const queries = useQueryClient();
  const words = useFailureWords();
  const showToast = useToast();
  const showUndo = useUndoNotice();
  const requests = itemRequests(studio);
  const refOf = ({ id }: ListedTranscript) => ({ kind: 'transcript' as const, id });
  const done = async (work: Promise<unknown>): Promise<boolean> => {
    try {
      await work;
      return true;
    } catch (error) {
      const failure = failureOf(error);
      if (failure === null) throw error;
      showToast({ icon: CircleAlert, text: words(failure).text });
      return false;
    } finally {
      void queries.invalidateQueries({ queryKey: transcriptListKey });
    }
  };
  const giveTitle = async (one: ListedTranscript, title: string): Promise<boolean> => {
    const isDone = await done(requests.rename(refOf(one), title));
    // An open editor shows its title.
    if (isDone)
      queries.setQueryData<{ readonly title: string }>(transcriptKey(one.id), (known) => known && { ...known, title });
    return isDone;
  };
  return {
    restore: (one: ListedTranscript) => done(requests.restore([refOf(one)])),
    trash: async (one: ListedTranscript, undo: () => void) => {
      if (await done(requests.trash([refOf(one)])))
        showUndo({ icon: Trash2, text: t('library.trashedTitle', { title: one.title }), undo });
    },
    rename: async (one: ListedTranscript, typed: string) => {
      const { title: before } = one;
      const name = typed === before ? before : spellName(one.language, typed);
      if (before === name || !(await giveTitle(one, name))) return;
      showUndo({
        icon: Pencil,
        text: t('library.renamed', { before, name }),
        undo: () => void giveTitle(one, before),
      });
    },
    showRecording: (id: string) => done(requests.showRecording(id)),
  };
}
