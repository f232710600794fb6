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

/** The same in the gap above a segment that has no line for its speaker. Pressed, it gives the captions more time. */
export function ProblemMark({ id, problems }: ProblemsProps) {
  const { saidAll } = useProblemWords();
  return (
    <>
      <span id={id} hidden>
        {saidAll(problems)}
      </span>
      <MarkAbove problems={problems} />
    </>
  );
}

/** For a named speaker only where the window has no room for the chips. */
export function MarkAbove({ problems }: Pick<ProblemsProps, 'problems'>) {
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
  const isMeasured = (kind: SegmentProblem['kind']) => measured.some((one) => one === kind);
  const saidOf = ({ kind, is, limit, caption: { segmentCount, name } }: SegmentProblem): string => {
    const own = measured.find((one) => one === kind);
    const values = { is: written(kind, is), limit: written(kind, limit) };
    const problem =
      own === undefined
        ? t(`exports.problems.${kind}`)
        : own === 'too-fast' && name !== ''
          ? t('editor.captions.tooFastNamed', values)
          : t(`editor.captions.${own}`, values);
    return segmentCount === 1 ? problem : t('editor.captions.joined', { problem, count: segmentCount });
  };
  /** Which caption it is about, and how the number comes about. */
  const reasonOf = ({ kind, is, limit, caption }: SegmentProblem): string => {
    const { text, name, letters, lettersWithoutName, startMs, endMs } = caption;
    const lengthMs = Math.max(1, endMs - startMs);
    const times = { from: timeCode(startMs), to: timeCode(endMs) };
    const shown = t('editor.captions.caption', {
      text,
      ...times,
      letters: formats.number(letters),
      time: seconds(lengthMs),
    });
    if (kind === 'gap-too-short')
      return [
        t('editor.captions.gap', { text, ...times, next: timeCode(endMs + is) }),
        t('editor.captions.limit', { limit: written(kind, limit) }),
      ].join('\n');
    return [
      shown,
      ...(name === ''
        ? []
        : [
            t('editor.captions.named', {
              name,
              letters: formats.number(lettersWithoutName),
              speed: written('too-fast', (lettersWithoutName * 1000) / lengthMs),
            }),
          ]),
      ...(isMeasured(kind) ? [t('editor.captions.limit', { limit: written(kind, limit) })] : []),
    ].join('\n');
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
