import { CircleAlert, FoldVertical, SquareSplitVertical, Wrench } from 'lucide-react';
import { worstFirst } from '../../../../shared/domain/subtitles/check-cues.ts';
import { useText } from '../../../lib/text.ts';
import { PressButton } from '../../../ui/press-button.tsx';
import { useTip } from '../../../ui/use-tip.ts';
import { useEditor } from '../editor-context.ts';
import { useStepNotice } from '../use-step-notice.ts';
import type { SegmentProblem } from '../model/caption-problems.ts';
import css from './transcript-view.module.css';
import { useMend } from './use-mend.ts';
import { useProblemWords } from './use-problem-words.ts';

/**
 * The caption rules that the captions of a segment break, and the fix, in the gap above the segment: beside the name of its
 * speaker there is no room for a whole problem. Gaps alone are a sign in the margin.
 */
export function SegmentProblems({
  id,
  problems,
  areGaps,
}: {
  /** Of the problems alone, without the fix. */
  readonly id: string;
  readonly problems: readonly SegmentProblem[];
  readonly areGaps: boolean;
}) {
  const t = useText();
  const { worst, more, reasons } = useProblemWords();
  const fix = useFix(problems);
  const tip = useTip({ text: reasons(problems) });
  const [first] = worstFirst(problems);
  if (first === undefined) return null;
  if (areGaps)
    return (
      <span ref={tip} className={css['gap']} data-problems>
        <FoldVertical aria-hidden size={11} strokeWidth={2} />
        <span id={id} hidden>
          {worst(first)}
        </span>
      </span>
    );
  return (
    <span ref={tip} className={css['mark']} data-problems>
      <CircleAlert aria-hidden size={11} strokeWidth={2} />
      <span id={id}>
        {worst(first)}
        {problems.length > 1 && <small>{`. ${more(problems.length - 1)}`}</small>}
      </span>
      {fix !== null && (
        <PressButton label={t(`editor.captions.${fix.name}`)} onPress={fix.make}>
          <fix.Icon aria-hidden size={11} strokeWidth={2} />
          <span>{t(`editor.captions.${fix.name}`)}</span>
        </PressButton>
      )}
    </span>
  );
}

/** Gives the captions of these problems other times, or splits one; null where neither helps. */
function useFix(problems: readonly SegmentProblem[]) {
  const { commands } = useEditor();
  const mend = useMend();
  const showStep = useStepNotice();
  if (problems.some(({ mend }) => mend !== null)) {
    const make = () => {
      const { moved } = mend(problems);
      if (moved !== '') showStep({ icon: Wrench, text: moved });
    };
    return { name: 'mend', Icon: Wrench, make } as const;
  }
  const split = problems.find((problem) => problem.split !== null)?.split ?? null;
  if (split === null) return null;
  const make = () => {
    commands.splitAt(split.segmentId, split.offset);
  };
  return { name: 'split', Icon: SquareSplitVertical, make } as const;
}
