import { CircleAlert, Wrench } from 'lucide-react';
import { worstFirst } from '../../../../shared/domain/subtitles/check-cues.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { PressButton } from '../../../ui/press-button.tsx';
import { useTip } from '../../../ui/use-tip.ts';
import { useEditor } from '../editor-context.ts';
import { mendCaptions, type SegmentProblem } from '../model/caption-problems.ts';
import css from './transcript-view.module.css';
import { useProblemWords } from './use-problem-words.ts';

/**
 * The caption rules that the captions of a segment break, and the fix, in the gap above the segment: beside the name of its
 * speaker there is no room for a whole problem.
 */
export function SegmentProblems({
  id,
  problems,
}: {
  /** Of the problems alone, without the fix. */
  readonly id: string;
  readonly problems: readonly SegmentProblem[];
}) {
  const t = useText();
  const formats = useFormats();
  const { worst, reasons } = useProblemWords();
  const mend = useMend(problems);
  const tip = useTip({ text: reasons(problems) });
  const [first] = worstFirst(problems);
  if (first === undefined) return null;
  return (
    <span ref={tip} className={css['mark']} data-problems>
      <CircleAlert aria-hidden size={11} strokeWidth={2} />
      <span id={id}>
        {worst(first)}
        {problems.length > 1 && <small>{` +${formats.number(problems.length - 1)}`}</small>}
      </span>
      {mend !== null && (
        <PressButton label={t('editor.captions.mend')} onPress={mend}>
          <Wrench aria-hidden size={11} strokeWidth={2} />
          <span>{t('editor.captions.mend')}</span>
        </PressButton>
      )}
    </span>
  );
}

/** Gives the captions of these problems more time; null where that helps none of them. */
function useMend(problems: readonly SegmentProblem[]): (() => void) | null {
  const { document: text } = useEditor();
  if (problems.every(({ mend }) => mend === null)) return null;
  return () => {
    text.endStep();
    text.edit('mend', (now) => mendCaptions(now, problems));
  };
}
