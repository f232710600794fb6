import { useState } from 'react';
import type { SpeechVoice } from '../../../../shared/domain/speech/voices.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useText } from '../../../lib/text.ts';
import { Question } from '../../../ui/dialog.tsx';
import { useToast } from '../../../ui/toast.tsx';

/** Asks before a voice is deleted at the service, which can't be undone. */
export function RemoveVoice({
  voice,
  onClose,
}: {
  readonly voice: SpeechVoice;
  readonly onClose: (isRemoved: boolean) => void;
}) {
  const t = useText();
  const words = useFailureWords();
  const studio = useStudio();
  const showToast = useToast();
  const [isRemoving, setIsRemoving] = useState(false);
  const { id, name } = voice;
  const remove = async () => {
    setIsRemoving(true);
    const answer = await studio.request('voices.remove', { voiceId: id });
    if (answer.ok)
      showToast({ text: t(answer.value.isCleaningUp ? 'voices.removedCleaning' : 'voices.removed', { name }) });
    else showToast({ text: `${t('voices.notRemoved')}. ${words(answer.error).text}`, shownForMs: 12_000 });
    onClose(answer.ok);
  };
  return (
    <Question
      isDanger
      isOpen={!isRemoving}
      title={t('voices.removeTitle', { name })}
      confirm={t('voices.removeConfirm')}
      cancel={t('voices.keep')}
      onConfirm={() => void remove()}
      onCancel={() => {
        onClose(false);
      }}
    >
      {t('voices.removeText')}
    </Question>
  );
}
