import { timeCode } from '../../../../shared/domain/time/time-code.ts';
import type { Segment } from '../../../../shared/domain/transcript/transcript.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import type { Edge } from '../model/edge-at.ts';
import css from './exact-times.module.css';

/**
 * When a segment begins and ends, its length and its reading speed, beside the text. By the pointer only: a key leads
 * to the fields of the current segment (`segment.editTimes`).
 */
export function ExactTimes({
  segment: { startMs, endMs, text },
  onEdit,
}: {
  readonly segment: Segment;
  readonly onEdit: (edge: Edge) => void;
}) {
  const t = useText();
  const formats = useFormats();
  const lengthMs = endMs - startMs;
  const speed = formats.fixed((text.length * 1000) / Math.max(1, lengthMs), 1);
  return (
    <button
      type="button"
      tabIndex={-1}
      className={css['times']}
      title={t('editor.times.edit')}
      data-exact-times
      onClick={({ target }) => {
        onEdit((target as HTMLElement).dataset['end'] === undefined ? 'start' : 'end');
      }}
    >
      <span>{timeCode(startMs)}</span>
      <span>{t('editor.waveform.seconds', { seconds: formats.fixed(lengthMs / 1000, 3) })}</span>
      <span data-end>{timeCode(endMs)}</span>
      <span data-end>{t('editor.times.speed', { speed })}</span>
    </button>
  );
}
