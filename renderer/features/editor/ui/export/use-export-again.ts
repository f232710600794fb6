import { AudioLines, Check, CircleAlert, Film } from 'lucide-react';
import { useCallback } from 'react';
import { isCutFormat, isVideoFormat, type ExportFormat } from '../../../../../shared/domain/exports/formats.ts';
import type { Failure } from '../../../../../shared/result/failure.ts';
import { useSettings } from '../../../../bridge/live-state.tsx';
import { useStudio } from '../../../../bridge/studio-context.tsx';
import type { SavedExport, SaveRequest } from '../../../../bridge/types.ts';
import { useFailureText } from '../../../../lib/failure-text.ts';
import { useText } from '../../../../lib/text.ts';
import { failureShownForMs, useToast } from '../../../../ui/toast.tsx';
import type { Editor } from '../../editor-context.ts';

export const isAboutPlace = ({ kind, code }: Failure): boolean =>
  kind === 'disk-space-short' ||
  code === 'export_folder_gone' ||
  code === 'export_folder_not_writable' ||
  code === 'export_not_writable';

/** Repeats the latest export, or a recent one by its index, in the same folder; without one, opens the dialog. */
export function useExportAgain({
  detail,
  store,
}: Pick<Editor, 'detail' | 'store'>): (recent?: number) => Promise<void> {
  const t = useText();
  const words = useFailureText();
  const studio = useStudio();
  const showToast = useToast();
  const { lastExportFormat, exportChoices, recentExports } = useSettings();
  /** This video may fit in other containers than the one before. */
  const isOffered = useCallback(
    async (format: ExportFormat) => {
      if (!isVideoFormat(format)) return true;
      if (detail.pictureUrl === null) return false;
      const answer = await studio.request('exports.video', { transcriptId: detail.id });
      return answer.ok && answer.value.video?.containers.includes(format) === true;
    },
    [detail.id, detail.pictureUrl, studio],
  );
  return useCallback(
    async (recent?: number) => {
      const made = recent === undefined ? undefined : recentExports[recent];
      const format = made?.format ?? lastExportFormat;
      if (format === null || !(await isOffered(format))) {
        store.openExport();
        return;
      }
      const options = made?.options ?? exportChoices[format] ?? {};
      const showIn = (revealToken: string) => ({
        text: t('exports.show'),
        onPress: () => void studio.request('exports.reveal', { revealToken }),
      });
      const told = (text: string, { revealToken, takenToken = null }: SavedExport) => {
        if (revealToken === null) {
          showToast({ text, icon: Check });
          return;
        }
        const show = showIn(revealToken);
        if (takenToken === null) showToast({ text, icon: Check, action: show });
        else {
          const action = { text: t('exports.replace'), onPress: () => void replace({ revealToken, takenToken }) };
          showToast({ text, icon: Check, action, secondAction: show });
        }
      };
      const replace = async (tokens: { readonly revealToken: string; readonly takenToken: string }) => {
        const answer = await studio.request('exports.replace', tokens);
        if (!answer.ok)
          showToast({ text: words(answer.error).text, icon: CircleAlert, action: showIn(tokens.revealToken) });
        else told(t('exports.replaced', { name: answer.value.savedAs ?? '' }), answer.value);
      };
      const saveTo = async (place: SaveRequest['place']) => {
        if (isCutFormat(format))
          showToast({
            text: t(isVideoFormat(format) ? 'exports.videoWriting' : 'exports.audioWriting'),
            icon: isVideoFormat(format) ? Film : AudioLines,
          });
        const request = { transcriptId: detail.id, format, options, source: 'studio', place } as const;
        const name = store.getState().exportName?.trim() ?? '';
        const answer = await studio.request('exports.save', name === '' ? request : { ...request, name });
        if (!answer.ok) {
          const action = { text: t('exports.otherPlace'), onPress: () => void saveTo('ask') };
          showToast({
            text: words(answer.error).text,
            icon: CircleAlert,
            ...(isAboutPlace(answer.error) && { action, shownForMs: failureShownForMs }),
          });
          return;
        }
        if (answer.value.savedAs !== null) told(t('exports.saved', { name: answer.value.savedAs }), answer.value);
      };
      await saveTo(made === undefined || recent === undefined ? 'last' : { recent });
    },
    [detail.id, isOffered, store, lastExportFormat, exportChoices, recentExports, studio, showToast, t, words],
  );
}
