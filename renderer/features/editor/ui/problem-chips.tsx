import { CircleAlert, Wrench } from 'lucide-react';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Chip } from '../../../ui/chip.tsx';
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

/** The caption rules that the captions of a segment break, and the fix. `id` is that of the problems alone. */
export function ProblemChips({ id, problems }: { readonly id: string; readonly problems: readonly SegmentProblem[] }) {
  const t = useText();
  const { document: text, canEdit } = useEditor();
  const formats = useFormats();
  const seconds = (ms: number) => `${formats.number(Math.round(ms / 10) / 100)} s`;
  const written = (kind: SegmentProblem['kind'], value: number) => {
    const isTime = kind === 'too-short' || kind === 'too-long' || kind === 'gap-too-short';
    return isTime ? seconds(value) : formats.number(Math.round(value * 10) / 10);
  };
  const said = ({ kind, is, caption: { segmentCount } }: SegmentProblem): string => {
    const own = measured.find((one) => one === kind);
    const problem =
      own === undefined ? t(`exports.problems.${kind}`) : t(`editor.captions.${own}`, { is: written(kind, is) });
    return segmentCount === 1 ? problem : t('editor.captions.joined', { problem, count: segmentCount });
  };
  /** How the number comes about. */
  const reason = ({ kind, limit, caption }: SegmentProblem): string =>
    [
      t('editor.captions.caption', {
        text: caption.text,
        letters: formats.number(caption.letters),
        time: seconds(caption.endMs - caption.startMs),
      }),
      ...(measured.some((one) => one === kind) ? [t('editor.captions.limit', { limit: written(kind, limit) })] : []),
    ].join('\n');
  return (
    <span className={css['problems']}>
      <span id={id} className={css['chips']}>
        {[...Map.groupBy(problems, ({ kind }) => kind)].map(([kind, own]) => (
          <span key={kind} title={own.slice(0, mostReasons).map(reason).join('\n')}>
            <Chip tone="bad" icon={CircleAlert}>
              {said(worstOf(own))}
              {own.length > 1 && ` ×${formats.number(own.length)}`}
            </Chip>
          </span>
        ))}
      </span>
      {canEdit && problems.some(({ mend }) => mend !== null) && (
        <Button
          size="sm"
          variant="ghost"
          icon={Wrench}
          onPress={() => {
            text.endStep();
            text.edit('mend', (now) => mendCaptions(now, problems));
          }}
        >
          {t('editor.captions.mend')}
        </Button>
      )}
    </span>
  );
}
