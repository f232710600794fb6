import { CircleAlert, Wrench } from 'lucide-react';
import { timeCode } from '../../../../shared/domain/time/time-code.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Chip } from '../../../ui/chip.tsx';
import { PressButton } from '../../../ui/press-button.tsx';
import { useEditor } from '../editor-context.ts';
import { mendCaptions, type SegmentProblem } from '../model/caption-problems.ts';
import css from './transcript-view.module.css';

/** Problems whose measured value says how far the caption is off. */
const measured = [
  'too-many-lines',
  'line-too-long',
  'too-fast',
  'too-short',
  'too-long',
  'gap-too-short',
] as const satisfies readonly SegmentProblem['kind'][];

/** A longer list does not fit on the screen. */
const mostReasons = 8;

const worstOf = (problems: readonly SegmentProblem[]): SegmentProblem =>
  problems.reduce((worst, one) => (Math.abs(one.is - one.limit) > Math.abs(worst.is - worst.limit) ? one : worst));

interface ProblemsProps {
  readonly problems: readonly SegmentProblem[];
}

/**
 * The caption rules that the captions of a segment break, and the fix: beside the name of the speaker, or above a segment
 * that has no line for one.
 */
export function SegmentProblems({
  id,
  problems,
  isNamed,
}: ProblemsProps & {
  /** Of the problems alone, without the fix. */
  readonly id: string;
  readonly isNamed: boolean;
}) {
  const t = useText();
  const { said, saidAll, reasons } = useProblemWords();
  const mend = useMend(problems);
  if (!isNamed)
    return (
      <>
        <span id={id} hidden>
          {saidAll(problems)}
        </span>
        <ProblemsAbove problems={problems} />
      </>
    );
  return (
    <>
      <span className={css['problems']}>
        <span id={id} className={css['chips']}>
          {[...Map.groupBy(problems, ({ kind }) => kind)].map(([kind, own]) => (
            <span key={kind} title={reasons(own)}>
              <Chip tone="bad" icon={CircleAlert}>
                {said(own)}
              </Chip>
            </span>
          ))}
        </span>
        {mend !== null && (
          <Button size="sm" variant="ghost" icon={Wrench} onPress={mend}>
            {t('editor.captions.mend')}
          </Button>
        )}
      </span>
      {/* Shown instead of the chips where the window has no room for them. */}
      <ProblemsAbove problems={problems} />
    </>
  );
}

/** In the gap above the segment. Pressed, it gives the captions more time. */
function ProblemsAbove({ problems }: ProblemsProps) {
  const t = useText();
  const { saidAll, reasons } = useProblemWords();
  const mend = useMend(problems);
  const said = saidAll(problems);
  const Icon = mend === null ? CircleAlert : Wrench;
  const shown = (
    <>
      <Icon aria-hidden size={11} strokeWidth={2} />
      <span>{said}</span>
    </>
  );
  return (
    <span className={css['mark']} title={reasons(problems)}>
      {mend === null ? (
        shown
      ) : (
        <PressButton label={`${said}. ${t('editor.captions.mend')}`} onPress={mend}>
          {shown}
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

function useProblemWords() {
  const t = useText();
  const formats = useFormats();
  const seconds = (ms: number) => t('editor.waveform.seconds', { seconds: formats.factor(ms / 1000) });
  const written = (kind: SegmentProblem['kind'], value: number) => {
    const isTime = kind === 'too-short' || kind === 'too-long' || kind === 'gap-too-short';
    return isTime ? seconds(value) : formats.number(Math.round(value * 10) / 10);
  };
  const problemOf = ({ kind, is, limit, caption: { name } }: SegmentProblem): string => {
    const own = measured.find((one) => one === kind);
    if (own === undefined) return t(`exports.problems.${kind}`);
    const values = { is: written(kind, is), limit: written(kind, limit) };
    return t(`editor.captions.${own === 'too-fast' && name !== '' ? 'too-fast-named' : own}`, values);
  };
  const saidOf = (problem: SegmentProblem): string => {
    const { segmentCount } = problem.caption;
    const text = problemOf(problem);
    return segmentCount === 1 ? text : t('editor.captions.joined', { problem: text, count: segmentCount });
  };
  /** Which caption it is about, and how the number comes about. */
  const reasonOf = ({ kind, is, limit, caption }: SegmentProblem): string => {
    const { text, name, letters, lettersWithoutName, startMs, endMs } = caption;
    const times = { from: timeCode(startMs), to: timeCode(endMs) };
    const limitText = t('editor.captions.limit', { limit: written(kind, limit) });
    if (kind === 'gap-too-short')
      return `${t('editor.captions.gap', { text, ...times, next: timeCode(endMs + is) })}\n${limitText}`;
    const lengthMs = Math.max(1, endMs - startMs);
    const reasons = [
      t('editor.captions.caption', { text, ...times, letters: formats.number(letters), time: seconds(lengthMs) }),
    ];
    if (name !== '') {
      const speed = written('too-fast', (lettersWithoutName * 1000) / lengthMs);
      reasons.push(t('editor.captions.named', { name, letters: formats.number(lettersWithoutName), speed }));
    }
    if (measured.some((one) => one === kind)) reasons.push(limitText);
    return reasons.join('\n');
  };
  /** Problems of one kind, by the worst of them. */
  const said = (own: readonly SegmentProblem[]): string =>
    saidOf(worstOf(own)) + (own.length > 1 ? ` ×${formats.number(own.length)}` : '');
  return {
    said,
    saidAll: (all: readonly SegmentProblem[]) =>
      [...Map.groupBy(all, ({ kind }) => kind).values()].map(said).join(' · '),
    reasons: (own: readonly SegmentProblem[]) =>
      own
        .slice(0, mostReasons)
        .map((problem) => `${saidOf(problem)}\n${reasonOf(problem)}`)
        .join('\n'),
  };
}
