import { useState } from 'react';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useConnection } from '../../../bridge/live-state.tsx';
import { useText } from '../../../lib/text.ts';
import { ManyExports } from '../../../parts/exports/many-exports.tsx';
import { NameDialog } from '../../../parts/transcripts/name-dialog.tsx';
import { Question } from '../../../ui/dialog.tsx';
import { Switch } from '../../../ui/switch.tsx';
import type { LibraryQuestion, NameQuestion } from '../library-context.ts';
import type { ListedItem } from '../model/library-view.ts';
import { MediaDialog } from './media-dialog.tsx';
import { RemoteDialog } from './remote-dialog.tsx';
import { SpeakerBookDialog } from './speaker-book-dialog.tsx';

export interface QuestionsProps {
  readonly question: LibraryQuestion;
  readonly items: readonly ListedItem[];
  readonly onClose: () => void;
  readonly onName: (question: NameQuestion, name: string) => void;
  readonly onErase: (atService: boolean) => void;
  /** Only the largest items are listed. */
  readonly onLargest: () => void;
}

/** The dialog that is open: a name, a confirmation to erase, or an export. */
export function Questions({ question, items, onClose, onName, onErase, onLargest }: QuestionsProps) {
  const t = useText();
  if (question.tag === 'export')
    return (
      <ManyExports
        transcripts={question.items.flatMap(({ kind, id, title, states }) =>
          kind === 'transcript' ? [{ id, title, isSilent: states.includes('no-recording') }] : [],
        )}
        onClose={onClose}
      />
    );
  if (question.tag === 'remote') return <RemoteDialog onClose={onClose} />;
  if (question.tag === 'speakers') return <SpeakerBookDialog onClose={onClose} />;
  if (question.tag === 'media') return <MediaDialog items={items} onClose={onClose} onLargest={onLargest} />;
  return question.tag === 'erase' ? (
    <EraseQuestion items={question.items} onClose={onClose} onErase={onErase} />
  ) : (
    <NameDialog
      title={t(titles[question.tag])}
      name={nameIn(question)}
      onClose={onClose}
      onName={(name) => {
        onName(question, name);
      }}
    />
  );
}

const titles = {
  rename: 'library.rename',
  'new-folder': 'library.newFolder',
  'rename-folder': 'library.renameFolder',
  'new-tag': 'library.newTag',
  'rename-tag': 'library.renameTag',
} as const satisfies Record<NameQuestion['tag'], string>;

function nameIn(question: NameQuestion): string {
  if (question.tag === 'rename') return question.item.title;
  if (question.tag === 'rename-folder') return question.folder.name;
  return question.tag === 'rename-tag' ? question.named.name : '';
}

function EraseQuestion({
  items,
  onClose,
  onErase,
}: {
  readonly items: Extract<LibraryQuestion, { tag: 'erase' }>['items'];
  readonly onClose: () => void;
  readonly onErase: (atService: boolean) => void;
}) {
  const t = useText();
  const { mode } = useConnection();
  const isAtService = items.some((item) => item.isAtService === true);
  const [atService, setAtService] = useState(true);
  return (
    <Question
      isDanger
      isOpen
      staysOpen
      title={t('library.erase.title', { count: items.length })}
      confirm={t('library.erase.confirm')}
      onClose={onClose}
      onConfirm={() => {
        onErase(isAtService && atService);
      }}
      controls={
        isAtService &&
        !modeOf(mode).isOnThisComputer && (
          <Switch label={t('library.erase.atService')} isOn={atService} onChange={setAtService} />
        )
      }
    >
      {t('library.erase.text')}
    </Question>
  );
}
