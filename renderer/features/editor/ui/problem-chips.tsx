import { CircleAlert, Wrench } from 'lucide-react';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Chip } from '../../../ui/chip.tsx';
import { useEditor } from '../editor-context.ts';
import { mendCaptions, type SegmentProblem } from '../model/caption-problems.ts';
import css from './transcript-view.module.css';

/** The caption rules that a segment violates: measured value, limit, and fix. `id` is that of the problems alone. */
export function ProblemChips({ id, problems }: { readonly id: string; readonly problems: readonly SegmentProblem[] }) {
  const t = useText();
  const { document: text, canEdit } = useEditor();
  const formats = useFormats();
  const written = (kind: SegmentProblem['kind'], value: number) => {
    const isTime = kind === 'too-short' || kind === 'too-long' || kind === 'gap-too-short';
    return isTime ? `${formats.number(Math.round(value / 10) / 100)} s` : formats.number(Math.round(value * 10) / 10);
  };
  return (
    <span className={css['problems']}>
      <span id={id} className={css['chips']}>
        {problems.map(({ kind, is, limit }) => (
          <span key={kind} title={t('editor.captions.limit', { limit: written(kind, limit) })}>
            <Chip tone="bad" icon={CircleAlert}>
              {t(`editor.captions.${kind}`, { is: written(kind, is) })}
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
