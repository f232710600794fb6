import { CircleAlert } from 'lucide-react';
import { modeOf } from '../../../shared/domain/modes.ts';
import { useState } from 'react';
import { useFailureWords } from '../../lib/failure-words.ts';
import { useText } from '../../lib/text.ts';
import { Banner } from '../../ui/banner.tsx';
import { Question } from '../../ui/dialog.tsx';
import { type DeletableTranscript, useDeletion } from './use-deletion.ts';
import { useConnection } from '../../bridge/live-state.tsx';
import { Switch } from '../../ui/switch.tsx';
import css from './delete-question.module.css';

export interface DeleteQuestionProps {
  readonly transcript: DeletableTranscript;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Asks once before a transcript is deleted for good; the safe answer has the focus. */
export function DeleteQuestion({ transcript, onClose, onDeleted }: DeleteQuestionProps) {
  const t = useText();
  const words = useFailureWords();
  const { remove, failure } = useDeletion();
  const [atService, setAtService] = useState(true);
  const [isDeleting, setIsDeleting] = useState(false);
  const go = async () => {
    setIsDeleting(true);
    const isGone = await remove(transcript, atService);
    setIsDeleting(false);
    if (isGone) onDeleted();
  };
  return (
    <Question
      isDanger
      isOpen
      staysOpen
      title={t('deletion.question', { title: transcript.title })}
      confirm={t('deletion.confirm')}
      isLoading={isDeleting}
      onClose={onClose}
      onConfirm={() => void go()}
      controls={
        <>
          <DeleteWords atService={atService} onAtService={setAtService} />
          {failure && (
            <Banner role="alert" tone="bad" icon={CircleAlert} title={words(failure).title}>
              {words(failure).textAfterTitle}
            </Banner>
          )}
        </>
      }
    />
  );
}

export interface DeleteWordsProps {
  readonly atService: boolean;
  readonly onAtService: (atService: boolean) => void;
}

/** What is deleted, what stays, and the truth about the service. */
function DeleteWords({ atService, onAtService }: DeleteWordsProps) {
  const t = useText();
  const { isPractice, isOnThisComputer } = modeOf(useConnection().mode);
  return (
    <div className={css['words']}>
      <p>{t('deletion.text')}</p>
      {isPractice && <p>{t('deletion.practice')}</p>}
      {!isOnThisComputer && (
        <>
          <Switch
            label={t('deletion.atService')}
            hint={t('deletion.atServiceHint')}
            isOn={atService}
            onChange={onAtService}
          />
          {!atService && <p className={css['kept']}>{t('deletion.kept')}</p>}
        </>
      )}
    </div>
  );
}
