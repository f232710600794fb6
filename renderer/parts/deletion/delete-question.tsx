import { CircleAlert } from 'lucide-react';
import { modeOf } from '../../../shared/domain/modes.ts';
import { useState } from 'react';
import { useFailureText } from '../../lib/failure-text.ts';
import { useText } from '../../lib/text.ts';
import { Banner } from '../../ui/banner.tsx';
import { Question } from '../../ui/dialog.tsx';
import { useConnection } from '../../bridge/live-state.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useQueryClient } from '@tanstack/react-query';
import type { Failure } from '../../../shared/result/failure.ts';
import { useStudio } from '../../bridge/studio-context.tsx';
import { transcriptListKey } from '../transcripts/transcripts-query.ts';
import { useToast } from '../../ui/toast.tsx';
import { useUndoNotice } from '../../ui/notices.ts';

export interface DeleteQuestionProps {
  readonly transcript: DeletableTranscript;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

export function DeleteQuestion({ transcript, onClose, onDeleted }: DeleteQuestionProps) {
  const t = useText();
  const words = useFailureText();
  const { remove, failure } = useDeletion();
  const { isPractice, isOnThisComputer } = modeOf(useConnection().mode);
  const [atService, setAtService] = useState(true);
  const [isDeleting, setIsDeleting] = useState(false);
  const go = async () => {
    setIsDeleting(true);
    const isGone = await remove(transcript, transcript.isAtService === true && atService);
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
          <div className="column gap-8">
            <p>{t('deletion.text')}</p>
            {isPractice && <p>{t('deletion.practice')}</p>}
            {!isOnThisComputer && !transcript.isAtService && <p>{t('deletion.elsewhere')}</p>}
            {!isOnThisComputer && transcript.isAtService && (
              <>
                <Switch
                  label={t('deletion.atService')}
                  hint={t('deletion.atServiceHint')}
                  isOn={atService}
                  onChange={setAtService}
                />
                {!atService && <p className="muted">{t('deletion.kept')}</p>}
              </>
            )}
          </div>
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

export interface DeletableTranscript {
  readonly id: string;
  readonly title: string;
  /** Whether the service and key in use can delete it there too. */
  readonly isAtService?: boolean;
}

function useDeletion() {
  const t = useText();
  const studio = useStudio();
  const queries = useQueryClient();
  const showToast = useToast();
  const showUndo = useUndoNotice();
  const [failure, setFailure] = useState<Failure | null>(null);

  const restore = async ({ id, title }: DeletableTranscript) => {
    const answer = await studio.request('transcripts.restore', { transcriptId: id });
    await queries.invalidateQueries({ queryKey: transcriptListKey });
    showToast({ text: t(answer.ok && answer.value.isRestored ? 'deletion.undone' : 'deletion.late', { title }) });
  };
  const remove = async (transcript: DeletableTranscript, atService: boolean): Promise<boolean> => {
    setFailure(null);
    const answer = await studio.request('transcripts.delete', { transcriptId: transcript.id, atService });
    if (!answer.ok) {
      setFailure(answer.error);
      return false;
    }
    await queries.invalidateQueries({ queryKey: transcriptListKey });
    showUndo({
      text: t('deletion.done', { title: transcript.title }),
      shownForMs: answer.value.undoMs,
      undo: () => void restore(transcript),
    });
    return true;
  };
  return { remove, failure };
}
