import { useState } from 'react';
import { DeleteQuestion } from '../../../parts/deletion/delete-question.tsx';
import type { DeletableTranscript } from '../../../parts/deletion/use-deletion.ts';
import { useText } from '../../../lib/text.ts';
import { TranscriptChooser } from '../../../parts/transcripts/transcript-chooser.tsx';
import { Button } from '../../../ui/button.tsx';
import { SettingRow } from './settings-group.tsx';

type Step = { readonly tag: 'closed' | 'list' } | { readonly tag: 'asking'; readonly transcript: DeletableTranscript };

/** Permanently deletes a transcript of the open library: chosen, confirmed, and undoable for a moment. */
export function DeleteTranscripts() {
  const t = useText();
  const [step, setStep] = useState<Step>({ tag: 'closed' });
  const show = (tag: 'closed' | 'list') => () => {
    setStep({ tag });
  };
  return (
    <SettingRow label={t('deletion.title')} hint={t('deletion.hint')}>
      <Button onPress={show('list')}>{t('deletion.open')}</Button>
      {step.tag === 'list' && (
        <TranscriptChooser
          title={t('deletion.dialog')}
          onClose={show('closed')}
          onChoose={(transcript) => {
            setStep({ tag: 'asking', transcript });
          }}
        />
      )}
      {step.tag === 'asking' && (
        <DeleteQuestion transcript={step.transcript} onClose={show('list')} onDeleted={show('list')} />
      )}
    </SettingRow>
  );
}
