import { Captions } from 'lucide-react';
import { useCallback } from 'react';
import { useLocation } from 'wouter';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useText } from '../../../lib/text.ts';
import { useToast } from '../../../ui/toast.tsx';
import { useIsolate } from '../isolate-context.ts';

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
        text: t('isolate.transcribing', { name }),
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
