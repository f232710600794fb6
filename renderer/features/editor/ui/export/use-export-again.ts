import { Check, CircleAlert } from 'lucide-react';
import { useCallback } from 'react';
import { useSettings } from '../../../../bridge/live-state.tsx';
import { useStudio } from '../../../../bridge/studio-context.tsx';
import { useFailureWords } from '../../../../lib/failure-words.ts';
import { useText } from '../../../../lib/text.ts';
import { useToast } from '../../../../ui/toast.tsx';
import type { Editor } from '../../editor-context.ts';
import { scriptFor } from '../../model/letters.ts';

/** Makes the last export once more, of this transcript and where the last one went; the first is made in the dialog. */
export function useExportAgain({ detail, letters, store }: Editor): () => void {
  const t = useText();
  const words = useFailureWords();
  const studio = useStudio();
  const showToast = useToast();
  const { lastExportFormat: format, exportChoices } = useSettings();
  return useCallback(() => {
    if (format === null) {
      store.openExport(true);
      return;
    }
    const options = { ...exportChoices[format], script: scriptFor(letters, letters?.isOther ?? false) };
    void studio
      .request('exports.save', { transcriptId: detail.id, format, options, source: 'studio', place: 'last' })
      .then((answer) => {
        if (!answer.ok) {
          showToast({ text: words(answer.error).text, icon: CircleAlert });
          return;
        }
        const { savedAs, revealToken } = answer.value;
        if (savedAs === null) return;
        showToast({
          text: t('exports.saved', { name: savedAs }),
          icon: Check,
          ...(revealToken === null
            ? {}
            : {
                action: {
                  text: t('exports.show'),
                  onPress: () => void studio.request('exports.reveal', { revealToken }),
                },
              }),
        });
      });
  }, [detail.id, letters, store, format, exportChoices, studio, showToast, t, words]);
}
