import { Captions } from 'lucide-react';
import { useCallback } from 'react';
import { useLocation } from 'wouter';
import { speechLanguages } from '../../../../shared/domain/languages.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useText } from '../../../lib/text.ts';
import { Select } from '../../../ui/select.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useIsolate } from '../isolate-context.ts';

/** The language in which recordings are transcribed, here and in the queue. */
export function SpokenLanguage() {
  const t = useText();
  const { speechLanguage } = useSettings();
  const change = useSettingsChange();
  return (
    <Select
      label={t('isolate.spokenLanguage')}
      value={speechLanguage}
      options={speechLanguages.map((value) => ({ value, text: t(`common.languageNames.${value}`) }))}
      onChange={(value) => void change({ speechLanguage: value })}
    />
  );
}

/** Queues isolated audio for transcription in the language of the next files, and offers to open the queue. */
export function useTranscribeResult(): (audioId: string, name: string) => Promise<void> {
  const t = useText();
  const showToast = useToast();
  const store = useIsolate();
  const [, navigate] = useLocation();
  const { speechLanguage, includeSpeakers } = useSettings();
  return useCallback(
    async (audioId, name) => {
      const added = await store.transcribe(audioId, { language: speechLanguage, includeSpeakers });
      if (added === null || added.jobId === null) return;
      showToast({
        icon: Captions,
        text: t('isolate.transcribing', { name, language: t(`common.languageNames.${speechLanguage}`) }),
        action: {
          text: t('isolate.openQueue'),
          onPress: () => {
            navigate('/');
          },
        },
      });
    },
    [store, t, showToast, navigate, speechLanguage, includeSpeakers],
  );
}
