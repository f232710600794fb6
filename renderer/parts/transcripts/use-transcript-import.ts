import { useQueryClient } from '@tanstack/react-query';
import { Check, CircleAlert } from 'lucide-react';
import { useLocation } from 'wouter';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useFailureWords } from '../../lib/failure-words.ts';
import { useText } from '../../lib/text.ts';
import { useToast } from '../../ui/toast.tsx';
import { transcriptListKey } from './transcripts-query.ts';

/** Whether a file is a text rather than a recording, as far as its name tells. */
export const isTextFile = ({ name }: Pick<File, 'name'>): boolean => /\.(?:srt|vtt|json|txt|md)$/iu.test(name);

/**
 * Takes subtitles and texts of other programs into the library, those that were dropped or else those that are chosen
 * in the system's dialog; one that came alone is opened.
 */
export function useTranscriptImport(): (files?: readonly File[]) => Promise<void> {
  const t = useText();
  const words = useFailureWords();
  const studio = useStudio();
  const queries = useQueryClient();
  const showToast = useToast();
  const [, navigate] = useLocation();
  return async (files) => {
    const tokens = files && (await Promise.all(files.map((file) => studio.fileTokenFor(file))));
    const answer = await studio.request('transcripts.import', {
      tokens: tokens?.flatMap((token) => (token.ok ? [token.value] : [])) ?? null,
    });
    if (!answer.ok) {
      showToast({ text: words(answer.error).text, icon: CircleAlert });
      return;
    }
    const { imported, refused } = answer.value;
    const names = refused.map(({ name }) => name);
    if (names.length > 0)
      showToast({
        text: t('transcripts.notImported', { count: names.length, names: names.slice(0, 3).join(', ') }),
        icon: CircleAlert,
      });
    if (imported.length === 0) return;
    void queries.invalidateQueries({ queryKey: transcriptListKey });
    showToast({ text: t('transcripts.imported', { count: imported.length }), icon: Check });
    const [only] = imported;
    if (imported.length === 1 && only !== undefined) navigate(`/transcripts/${only.transcriptId}`);
  };
}
