import { useQueryClient } from '@tanstack/react-query';
import { Check, CircleAlert } from 'lucide-react';
import { useLocation } from 'wouter';
import { useStudio } from '../bridge/studio-context.tsx';
import { useFailureWords } from '../lib/failure-words.ts';
import { useText } from '../lib/text.ts';
import { transcriptListKey } from '../parts/transcripts/transcripts-query.ts';
import { useToast } from '../ui/toast.tsx';

/** Takes subtitles and texts of other programs into the library; one that came alone is opened. */
export function useTranscriptImport(): () => void {
  const t = useText();
  const words = useFailureWords();
  const studio = useStudio();
  const queries = useQueryClient();
  const showToast = useToast();
  const [, navigate] = useLocation();
  return () => {
    void studio.request('transcripts.import', {}).then((answer) => {
      const refused = answer.ok ? answer.value.refused[0]?.failure : answer.error;
      if (refused !== undefined) showToast({ text: words(refused).text, icon: CircleAlert });
      if (!answer.ok || answer.value.imported.length === 0) return;
      const { imported } = answer.value;
      void queries.invalidateQueries({ queryKey: transcriptListKey });
      showToast({ text: t('transcripts.imported', { count: imported.length }), icon: Check });
      const [only] = imported;
      if (imported.length === 1 && only !== undefined) navigate(`/transcripts/${only.transcriptId}`);
    });
  };
}
