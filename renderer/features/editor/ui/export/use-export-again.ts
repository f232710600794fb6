import { AudioLines, Check, CircleAlert } from 'lucide-react';
import { useCallback } from 'react';
import { isAudioFormat } from '../../../../../shared/domain/exports/formats.ts';
import { useSettings } from '../../../../bridge/live-state.tsx';
import { useStudio } from '../../../../bridge/studio-context.tsx';
import { useFailureWords } from '../../../../lib/failure-words.ts';
import { useText } from '../../../../lib/text.ts';
import { useToast } from '../../../../ui/toast.tsx';
import type { Editor } from '../../editor-context.ts';
import { scriptSetting } from '../../model/script-choice.ts';

/**
 * Repeats an earlier export with this transcript, into the same folder: the latest one, or one of the recent ones by
 * its index. If there is none yet, the dialog opens.
 */
export function useExportAgain({ detail, scriptChoice, store }: Editor): (recent?: number) => void {
  const t = useText();
  const words = useFailureWords();
  const studio = useStudio();
  const showToast = useToast();
  const { lastExportFormat, exportChoices, recentExports } = useSettings();
  return useCallback(
    (recent?: number) => {
      const made = recent === undefined ? undefined : recentExports[recent];
      const format = made?.format ?? lastExportFormat;
      if (format === null) {
        store.openExport();
        return;
      }
      const options = {
        ...(made?.options ?? exportChoices[format]),
        script: scriptSetting(scriptChoice, scriptChoice?.isOther ?? false),
      };
      const place = made === undefined || recent === undefined ? 'last' : { recent };
      if (isAudioFormat(format)) showToast({ text: t('exports.audioWriting'), icon: AudioLines });
      void studio
        .request('exports.save', { transcriptId: detail.id, format, options, source: 'studio', place })
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
    },
    [detail.id, scriptChoice, store, lastExportFormat, exportChoices, recentExports, studio, showToast, t, words],
  );
}
