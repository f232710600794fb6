import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { useFailureWords } from '../../lib/failure-words.ts';
import { useText } from '../../lib/text.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DeleteWords } from './delete-words.tsx';
import { useDeletion, type DeletableTranscript } from './use-deletion.ts';

export interface DeleteQuestionProps {
  readonly transcript: DeletableTranscript;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Asks once before a transcript goes for good; the safe answer has the focus. */
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
    <Dialog
      isAlert
      isOpen
      width="sm"
      title={t('deletion.question', { title: transcript.title })}
      closeLabel={t('common.cancel')}
      onClose={onClose}
      footer={
        <>
          <Button isAutoFocused onPress={onClose}>
            {t('common.cancel')}
          </Button>
          <Button variant="danger" isLoading={isDeleting} onPress={() => void go()}>
            {t('deletion.confirm')}
          </Button>
        </>
      }
    >
      <DeleteWords atService={atService} onAtService={setAtService} />
      {failure && (
        <Banner role="alert" tone="bad" icon={CircleAlert} title={words(failure).title}>
          {words(failure).textAfterTitle}
        </Banner>
      )}
    </Dialog>
  );
}
