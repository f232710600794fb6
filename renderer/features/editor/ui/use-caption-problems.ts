import {
  readOptions,
  type GivenOptions,
  type OptionFacts,
  type OptionSpecs,
  cueOptions,
} from '../../../../shared/domain/exports/exporter.ts';
import { isPartlyUnheard } from '../../../../shared/domain/transcript/edit-marks.ts';
import { Captions } from 'lucide-react';
import { useCallback, useDeferredValue, useEffect, useMemo } from 'react';
import { captionFormat, exporters } from '../../../../shared/domain/exports/exporters.ts';
import type { ExportFormat } from '../../../../shared/domain/exports/formats.ts';
import type { Transcript } from '../../../../shared/domain/transcript/transcript.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useText, useWordsIn } from '../../../lib/text.ts';
import { useUndoNotice } from '../../../ui/notices.ts';
import { useChecksCaptions, useDocument, useEditor, type Editor } from '../editor-context.ts';
import { captionProblems, type CaptionFile, type SegmentProblem } from '../model/caption-problems.ts';
import { optionFacts } from '../../../../shared/domain/exports/write-export.ts';
import type { UzbekScript } from '../../../../shared/domain/transcript/in-script.ts';
import type { TranscriptDetail } from '../../../bridge/types.ts';

export function useCaptionFile({ detail, script }: Pick<Editor, 'detail' | 'script'>) {
  const { exportChoices, lastExportFormat } = useSettings();
  const format = captionFormat(lastExportFormat);
  const chosen = exportChoices[format];
  return useMemo(() => ({ format, ...optionsNow(chosen, format, detail, script) }), [format, chosen, script, detail]);
}

const none: ReadonlyMap<string, readonly SegmentProblem[]> = new Map();

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

/** `look` finds them in the text as it is now; `check` also shows them, which a notice takes back. */
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
    store.setState({ captionProblems: new Map([...byKind].map(([kind, { length }]) => [kind, length])) });
  }, [problems, store]);
  const look = () => {
    const { transcript: now } = text.getState();
    return checksCaptions && now === transcript ? problems : find(now);
  };
  const check = () => {
    if (!checksCaptions) {
      const before = store.getState().checksCaptions;
      store.checkCaptions(true);
      showUndo({ icon: Captions, text: t('editor.captions.checked'), undo: () => store.checkCaptions(before) });
    }
    return look();
  };
  return { problems, look, check };
}

/** How captions are made is remembered only where the text suggests something else: another text may suggest it. */
export function optionsNow(
  chosen: GivenOptions | undefined,
  format: ExportFormat,
  { transcript, sourceName }: Pick<TranscriptDetail, 'transcript' | 'sourceName'>,
  script: UzbekScript | null,
  hasCuts = isPartlyUnheard(transcript),
) {
  const { cuesFrom, ...others }: GivenOptions = { script: 'as-written', ...chosen };
  const written: GivenOptions = others['script'] === 'as-written' && script !== null ? { script } : {};
  const facts: OptionFacts = { ...optionFacts(transcript, { ...others, ...written }, sourceName), hasCuts };
  const isUsual = cuesFrom === undefined || cuesFrom === readOptions(cueOptions, {}, facts).cuesFrom;
  const given: GivenOptions = isUsual ? others : { ...others, cuesFrom };
  const specs: OptionSpecs = exporters[format].options;
  return { given, options: readOptions(specs, given, facts), facts };
}
