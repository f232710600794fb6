import { CircleAlert } from 'lucide-react';
import { useFormats, useText } from '../../../lib/text.ts';
import { Chip } from '../../../ui/chip.tsx';
import type { SegmentProblem } from '../model/caption-problems.ts';
import css from './transcript-view.module.css';

/** The rules that the captions of a segment break: what was measured, and what is allowed. */
export function ProblemChips({ problems }: { readonly problems: readonly SegmentProblem[] }) {
  const t = useText();
  const formats = useFormats();
  const written = (kind: SegmentProblem['kind'], value: number) => {
    const isTime = kind === 'too-short' || kind === 'too-long' || kind === 'gap-too-short';
    return isTime ? `${formats.number(Math.round(value / 10) / 100)} s` : formats.number(Math.round(value));
  };
  return (
    <span className={css['problems']}>
      {problems.map(({ kind, is, limit }) => (
        <span key={kind} title={t('editor.captions.limit', { limit: written(kind, limit) })}>
          <Chip tone="bad" icon={CircleAlert}>
            {t(`editor.captions.${kind}`, { is: written(kind, is) })}
          </Chip>
        </span>
      ))}
    </span>
  );
}
