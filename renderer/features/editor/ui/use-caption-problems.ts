import { Captions } from 'lucide-react';
import { useCallback, useDeferredValue, useEffect, useMemo } from 'react';
import { captionFormat } from '../../../../shared/domain/exports/exporters.ts';
import { namesAreWritten } from '../../../../shared/domain/exports/subtitles.ts';
import type { ExportFormat } from '../../../../shared/domain/exports/formats.ts';
import type { Transcript } from '../../../../shared/domain/transcript/transcript.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useText, useWordsIn } from '../../../lib/text.ts';
import { useUndoNotice } from '../../../ui/notices.ts';
import { useChecksCaptions, useDocument, useEditor, type Editor } from '../editor-context.ts';
import { captionProblems, type CaptionFile, type SegmentProblem } from '../model/caption-problems.ts';
import { scriptSetting } from '../model/script-choice.ts';
import { optionsNow, type OptionsNow } from './export/options-now.ts';

/** The captions that an export would write now: in the format and with the options of the last one, or the defaults. */
export function useCaptionFile({
  detail,
  scriptChoice,
}: Pick<Editor, 'detail' | 'scriptChoice'>): OptionsNow & { readonly format: ExportFormat } {
  const { exportChoices, lastExportFormat } = useSettings();
  const format = captionFormat(lastExportFormat);
  const chosen = exportChoices[format];
  return useMemo(
    () => ({
      format,
      ...optionsNow(chosen, format, scriptSetting(scriptChoice, scriptChoice?.isOther ?? false), detail),
    }),
    [format, chosen, scriptChoice, detail],
  );
}

/** Whether captions have the names of speakers before their words, where these count like words. */
export function useAreNamesWritten(): boolean {
  const { options } = useCaptionFile(useEditor());
  return useDocument(({ transcript }) => namesAreWritten(options, transcript));
}

const none: ReadonlyMap<string, readonly SegmentProblem[]> = new Map();

/** A file of captions as it is checked. */
export function useCheckedFile({ format, given }: Pick<CaptionFile, 'format' | 'given'>): CaptionFile {
  const wordsIn = useWordsIn();
  const { detail, isOpenEnded } = useEditor();
  const { title, sourceName } = detail;
  return useMemo(
    () => ({
      format,
      given,
      writing: {
        title,
        madeAtMs: 0,
        sourceName,
        media: null,
        isOpenEnded,
        nameSpeaker: (language, number) => wordsIn(language)('common.speaker', { number }),
      },
    }),
    [format, given, title, sourceName, isOpenEnded, wordsIn],
  );
}

/**
 * The problems of the captions; none while they are not checked. `look` finds them in the text as it is now, which these
 * may not show yet; `check` too, and shows them from then on, which a notice says and takes back.
 */
export function useCaptionProblems() {
  const editor = useEditor();
  const { document: text, store } = editor;
  const checksCaptions = useChecksCaptions();
  const t = useText();
  const showUndo = useUndoNotice();
  const file = useCheckedFile(useCaptionFile(editor));
  const transcript = useDeferredValue(useDocument((state) => state.transcript));
  const find = useCallback((checked: Transcript) => captionProblems(checked, file), [file]);
  const problems = useMemo(() => (checksCaptions ? find(transcript) : none), [checksCaptions, find, transcript]);
  useEffect(() => {
    const byKind = Map.groupBy([...problems.values()].flat(), ({ kind }) => kind);
    store.countCaptionProblems(new Map([...byKind].map(([kind, { length }]) => [kind, length])));
  }, [problems, store]);
  const look = () => {
    const { transcript: now } = text.getState();
    return checksCaptions && now === transcript ? problems : find(now);
  };
  const check = () => {
    if (!checksCaptions) {
      const before = store.getState().checksCaptions;
      store.checkCaptions(true);
      showUndo({
        icon: Captions,
        text: t('editor.captions.checked'),
        undo: () => {
          store.checkCaptions(before);
        },
      });
    }
    return look();
  };
  return { problems, look, check };
}
