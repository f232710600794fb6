import { Scissors } from 'lucide-react';
import type { TimeSpan } from '../../../../../shared/domain/transcript/transcript.ts';
import { subtitleTime } from '../../../../../shared/domain/exports/subtitle-time.ts';
import { useFormats, useText } from '../../../../lib/text.ts';
import { Segmented } from '../../../../ui/segmented.tsx';
import { useEditor } from '../../editor-context.ts';
import css from './export-form.module.css';
import { TimeOption } from './number-option.tsx';
import type { ExportChoice } from './use-export-choice.ts';

const shown = (ms: number): string => subtitleTime(Math.round(ms), '.');

/** Which part of the recording becomes a file: all that is kept, what was selected, or between two times. */
export function AudioPart({ choice }: { readonly choice: ExportChoice }) {
  const t = useText();
  const { selected } = choice;
  const { durationMs } = useEditor().detail.transcript;
  const fromMs = Number(choice.options['fromMs'] ?? 0);
  const toMs = Number(choice.options['toMs'] ?? 0);
  const isSelected = selected !== null && fromMs === selected.startMs && toMs === selected.endMs;
  const part = isSelected ? 'selection' : fromMs === 0 && toMs === 0 ? 'kept' : 'times';
  const spec = { kind: 'time', min: 0, max: 86_400_000, step: 1, initial: 0 } as const;
  return (
    <>
      {selected !== null && (
        <Segmented
          label={t('exports.audioPart')}
          isLabelShown
          isBlock
          size="sm"
          options={(['kept', 'selection'] as const).map((value) => ({ value, text: t(`exports.audioParts.${value}`) }))}
          value={part === 'selection' ? 'selection' : 'kept'}
          onChange={(value) => {
            choice.change(
              value === 'kept' ? { fromMs: 0, toMs: 0 } : { fromMs: selected.startMs, toMs: selected.endMs },
            );
          }}
        />
      )}
      <TimeOption
        label={t('exports.options.fromMs')}
        spec={spec}
        value={fromMs}
        onChange={(value) => {
          choice.change({ fromMs: value });
        }}
      />
      <TimeOption
        label={t('exports.options.toMs')}
        spec={spec}
        // Zero is the end, wherever that is.
        value={toMs === 0 ? durationMs : toMs}
        onChange={(value) => {
          choice.change({ toMs: value >= durationMs ? 0 : value });
        }}
      />
      <p className={css['note']}>{t('exports.audioNote')}</p>
    </>
  );
}

/** What will be heard, part by part, and how long it is. */
export function AudioPreview({
  spans,
  durationMs,
  className,
}: {
  readonly spans: readonly TimeSpan[];
  readonly durationMs: number;
  readonly className: string;
}) {
  const t = useText();
  const formats = useFormats();
  const heard = spans.map(({ startMs, endMs }) => ({ startMs, endMs: Math.min(endMs, durationMs) }));
  const heardMs = heard.reduce((sum, { startMs, endMs }) => sum + Math.max(0, endMs - startMs), 0);
  return (
    <div className={className}>
      <h3>{formats.duration(heardMs)}</h3>
      <p>{spans.length === 0 ? t('exports.audioEmpty') : t('exports.audioHeard', { count: spans.length })}</p>
      <ol>
        {heard.slice(0, 500).map(({ startMs, endMs }, at) => (
          <li key={startMs}>
            {at > 0 && <Scissors aria-hidden size={12} strokeWidth={1.75} />}
            <span>
              {shown(startMs)} – {shown(endMs)}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
