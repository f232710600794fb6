import { Check, CircleAlert, WandSparkles, Wrench } from 'lucide-react';
import { useRef } from 'react';
import { worstFirst } from '../../../../shared/domain/subtitles/check-cues.ts';
import { useCommands } from '../../../lib/commands.tsx';
import { useText } from '../../../lib/text.ts';
import { useEditor } from '../editor-context.ts';
import { useEditorNotice } from '../use-editor-notice.ts';
import { nextPlace, problemPlaces, type CaptionPlace, type SegmentProblem } from '../model/caption-problems.ts';
import { useStepNotice } from '../use-step-notice.ts';
import { caretNow } from './caret.ts';
import { useCaptionProblems } from './use-caption-problems.ts';
import { useMend } from './use-mend.ts';
import { useProblemWords } from './use-problem-words.ts';
import { useWordsForLeft } from './use-words-for-left.ts';

/**
 * The commands for captions that break the rules, and what is found while they are checked. `current`: the place of the
 * segment that is meant where no caret is; `show` brings one into view.
 */
export function useCaptionCommands(
  current: number,
  show: (segment: number) => void,
): ReadonlyMap<string, readonly SegmentProblem[]> {
  const t = useText();
  const { commands, player, document: text } = useEditor();
  const { problems, look, check } = useCaptionProblems();
  const showNotice = useEditorNotice();
  const showStep = useStepNotice();
  const mend = useMend();
  const wordsForLeft = useWordsForLeft();
  const { brief } = useProblemWords();
  const shownProblem = useRef<CaptionPlace | null>(null);
  const tellNone = () => {
    showNotice({ icon: Check, text: t('editor.captions.none') });
  };
  /** Goes to the next caption with a problem and places the caret at its first word. */
  const goToProblem = (by: 1 | -1) => {
    const found = check();
    const { segments } = text.getState().transcript;
    if (found.size === 0) tellNone();
    const caret = caretNow();
    const caretPlace = segments.findIndex(({ id }) => id === caret?.segmentId);
    const shown = shownProblem.current;
    // Where the user only listens, the first problem of this segment has not been shown yet.
    const listened =
      shown?.segment === current ? shown : { segment: current, offset: by > 0 ? -1 : Number.POSITIVE_INFINITY };
    const here = caret === null || caretPlace < 0 ? listened : { segment: caretPlace, offset: caret.offset };
    const next = nextPlace(problemPlaces(segments, found), here, by);
    const segment = segments[next?.segment ?? -1];
    if (next === undefined || segment === undefined) return;
    shownProblem.current = next;
    text.setState({ caret: { segmentId: segment.id, offset: next.offset } });
    show(next.segment);
    player.seek(next.startMs);
  };
  useCommands({
    'captions.nextProblem': () => {
      goToProblem(1);
    },
    'captions.previousProblem': () => {
      goToProblem(-1);
    },
    'captions.mend': () => {
      const found = check();
      const caretId = window.document.activeElement?.closest<HTMLElement>('[data-text]')?.dataset['text'];
      const id = caretId ?? text.getState().transcript.segments[current]?.id ?? '';
      const own = found.get(id) ?? [];
      const { isMended, moved } = mend(own);
      const left = isMended ? (look().get(id) ?? []) : own;
      const remain =
        left.length === 0
          ? ''
          : t('editor.captions.remain', { count: left.length, problems: worstFirst(left).map(brief).join(' · ') });
      if (moved !== '') {
        showStep({ icon: Wrench, text: [moved, remain].filter((sentence) => sentence !== '').join(' ') });
        return;
      }
      if (isMended && left.length === 0) return;
      const split = left.find((problem) => problem.split !== null)?.split ?? null;
      if (!isMended && split !== null) {
        commands.splitAt(split.segmentId, split.offset);
        return;
      }
      const why = own.length === 0 ? t('editor.captions.nothingToMend') : wordsForLeft(own);
      showNotice({ icon: CircleAlert, text: isMended ? remain : why });
    },
    'captions.mendAll': () => {
      const found = [...check().values()].flat();
      if (found.length === 0) {
        tellNone();
        return;
      }
      if (!mend(found).isMended) {
        showNotice({ icon: CircleAlert, text: wordsForLeft(found) });
        return;
      }
      const left = [...look().values()].flat().length;
      const count = found.length - left;
      const sentences = [
        ...(count > 0 ? [t('editor.captions.mended', { count })] : []),
        ...(left > 0 ? [t('editor.captions.left', { count: left })] : []),
      ];
      showStep({ icon: WandSparkles, text: sentences.join(' ') });
    },
  });
  return problems;
}
