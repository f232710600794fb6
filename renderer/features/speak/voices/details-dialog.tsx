import { useQuery } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import type { SpeechVoice } from '../../../../shared/domain/speech/voices.ts';
import { findDetailTroubles, type VoiceDetails } from '../../../../shared/domain/voices/clone-rules.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { failureOf, valueOrThrow } from '../../../bridge/request-error.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { languageOf } from './use-samples.ts';
import { DetailsForm } from './details-form.tsx';

/** Name, description and labels of an own voice; they are replaced as a whole. */
export function DetailsDialog({
  voice,
  onClose,
}: {
  readonly voice: SpeechVoice;
  readonly onClose: (isChanged: boolean) => void;
}) {
  const t = useText();
  const words = useFailureWords();
  const studio = useStudio();
  const showToast = useToast();
  const { data, error } = useQuery({
    queryKey: ['voices', 'details', voice.id],
    queryFn: () => valueOrThrow(studio.request('voices.details', { voiceId: voice.id })),
    retry: false,
    gcTime: 0,
  });
  const [changed, setChanged] = useState<VoiceDetails | null>(null);
  const [isSaving, setIsSaving] = useState(false);
  const [refusal, setRefusal] = useState<Failure | null>(null);
  const details = changed ?? data?.details ?? null;
  const failure = refusal ?? failureOf(error);
  const save = async () => {
    if (details === null) return;
    setIsSaving(true);
    const language = data?.language ?? languageOf(voice);
    const answer = await studio.request('voices.saveDetails', { voiceId: voice.id, details, language });
    setIsSaving(false);
    if (!answer.ok) {
      setRefusal(answer.error);
      return;
    }
    showToast({ text: t('voices.saved') });
    onClose(true);
  };
  return (
    <Dialog
      isOpen
      title={t('voices.detailsTitle')}
      closeLabel={t('voices.close')}
      onClose={() => {
        onClose(false);
      }}
      footer={
        <>
          <Button onPress={() => onClose(false)}>{t('voices.cancel')}</Button>
          <Button
            variant="primary"
            isLoading={isSaving}
            isDisabled={changed === null || findDetailTroubles(changed).length > 0}
            onPress={() => void save()}
          >
            {t('voices.save')}
          </Button>
        </>
      }
    >
      {details !== null && <DetailsForm showsTroubles details={details} onChange={setChanged} />}
      {failure !== null && (
        <Banner role="alert" tone="bad" icon={CircleAlert} title={words(failure).title}>
          {words(failure).textAfterTitle}
        </Banner>
      )}
    </Dialog>
  );
}
