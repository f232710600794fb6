import { CircleAlert, Wrench } from 'lucide-react';
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
  /** Of the problems alone, without the fix. */
  readonly id: string;
  readonly problems: readonly SegmentProblem[];
}

/** The caption rules that the captions of a segment break, and the fix, beside the name of the speaker. */
export function ProblemChips({ id, problems }: ProblemsProps) {
  const t = useText();
  const { said, reasons } = useProblemWords();
  const mend = useMend(problems);
  return (
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
  );
}

/** The same under the time of a segment that has no line for its speaker. */
export function ProblemMark({ id, problems }: ProblemsProps) {
  const { said } = useProblemWords();
  const all = [...Map.groupBy(problems, ({ kind }) => kind).values()];
  return (
    <>
      <span id={id} hidden>
        {all.map(said).join(', ')}
      </span>
      <WorstMark problems={problems} />
    </>
  );
}

/** The worst value, which is pressed to fix it; for a named speaker only where the window has no room for the chips. */
export function WorstMark({ problems }: Pick<ProblemsProps, 'problems'>) {
  const t = useText();
  const { value, reasons } = useProblemWords();
  const mend = useMend(problems);
  const [first] = Map.groupBy(problems, ({ kind }) => kind).values();
  const shown = (
    <>
      <CircleAlert aria-hidden size={11} strokeWidth={2} />
      {first !== undefined && value(worstOf(first))}
    </>
  );
  return (
    <span className={css['mark']} title={reasons(problems)}>
      {mend === null ? (
        shown
      ) : (
        <PressButton label={t('editor.captions.mend')} onPress={mend}>
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
  const seconds = (ms: number) => t('editor.waveform.seconds', { seconds: formats.number(Math.round(ms / 10) / 100) });
  const written = (kind: SegmentProblem['kind'], value: number) => {
    const isTime = kind === 'too-short' || kind === 'too-long' || kind === 'gap-too-short';
    return isTime ? seconds(value) : formats.number(Math.round(value * 10) / 10);
  };
  const isMeasured = (kind: SegmentProblem['kind']) => measured.some((one) => one === kind);
  const saidOf = ({ kind, is, caption: { segmentCount } }: SegmentProblem): string => {
    const own = measured.find((one) => one === kind);
    const problem =
      own === undefined ? t(`exports.problems.${kind}`) : t(`editor.captions.${own}`, { is: written(kind, is) });
    return segmentCount === 1 ? problem : t('editor.captions.joined', { problem, count: segmentCount });
  };
  /** How the number comes about. */
  const reasonOf = ({ kind, limit, caption }: SegmentProblem): string =>
    [
      t('editor.captions.caption', {
        text: caption.text,
        letters: formats.number(caption.letters),
        time: seconds(caption.endMs - caption.startMs),
      }),
      ...(isMeasured(kind) ? [t('editor.captions.limit', { limit: written(kind, limit) })] : []),
    ].join('\n');
  return {
    /** The measured value alone; empty where there is none. */
    value: ({ kind, is }: SegmentProblem) => (isMeasured(kind) ? written(kind, is) : ''),
    /** Problems of one kind, by the worst of them. */
    said: (own: readonly SegmentProblem[]) =>
      saidOf(worstOf(own)) + (own.length > 1 ? ` ×${formats.number(own.length)}` : ''),
    reasons: (own: readonly SegmentProblem[]) =>
      own
        .slice(0, mostReasons)
        .map((problem) => `${saidOf(problem)}\n${reasonOf(problem)}`)
        .join('\n'),
  };
}
