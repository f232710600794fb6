import type { Segment } from '../../../../shared/domain/transcript/transcript.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { PressButton } from '../../../ui/press-button.tsx';
import type { Edge } from '../model/edge-at.ts';
import { textSpeed } from '../model/caption-problems.ts';
import css from './exact-times.module.css';

/**
 * When a segment begins and ends, its length and its reading speed, beside the text; the captions that an export would
 * make of it have badges. By the pointer only: a key leads to the fields of the current segment (`segment.editTimes`).
 */
export function ExactTimes({ segment, onEdit }: { readonly segment: Segment; readonly onEdit: (edge: Edge) => void }) {
  const { startMs, endMs } = segment;
  const t = useText();
  const formats = useFormats();
  const { timeCode } = formats;
  const seconds = formats.fixed((endMs - startMs) / 1000, 3);
  const speed = formats.fixed(textSpeed(segment), 1);
  const editStart = t('editor.times.editStart', { time: timeCode(startMs) });
  const editEnd = t('editor.times.editEnd', { time: timeCode(endMs) });
  const lines = [
    {
      edge: 'start',
      time: timeCode(startMs),
      beside: t('editor.waveform.seconds', { seconds }),
      label: editStart,
      tip: editStart,
    },
    {
      edge: 'end',
      time: timeCode(endMs),
      beside: t('editor.times.speed', { speed }),
      label: editEnd,
      // Beside it stands the warning about a caption, with another speed.
      tip: t('editor.times.speedOfText', { label: editEnd }),
    },
  ] as const;
  return (
    <div className={css['times']} data-exact-times>
      {lines.map(({ edge, time, beside, label, tip }) => (
        <PressButton
          key={edge}
          className={css['line']}
          label={`${label} ${beside}`}
          tip={{ text: tip }}
          isPassedByTab
          onPress={() => {
            onEdit(edge);
          }}
        >
          <span>{time}</span> <span>{beside}</span>
        </PressButton>
      ))}
    </div>
  );
}
