import { useState } from 'react';
import { useFormats, useText } from '../../../lib/text.ts';
import { Range } from '../../../ui/range.tsx';
import { SettingRow } from './settings-group.tsx';
import css from './transcript-size.module.css';

const smallest = 14;
const largest = 24;

/** The font size of transcripts, with a sample line. */
export function TranscriptSize({
  size,
  onChange,
}: {
  readonly size: number;
  readonly onChange: (size: number) => Promise<unknown>;
}) {
  const t = useText();
  const formats = useFormats();
  // The slider moves at once; main's answer arrives a moment later.
  const [moved, setMoved] = useState<number | null>(null);
  const shown = moved ?? size;
  const move = async (next: number) => {
    setMoved(next);
    await onChange(next);
    setMoved((last) => (last === next ? null : last));
  };
  return (
    <div className={css['all']}>
      <SettingRow label={t('settings.general.transcriptSize')} hint={t('settings.general.transcriptSizeHint')}>
        <div className={css['slider']}>
          <span aria-hidden className={css['small']}>
            A
          </span>
          <Range
            label={t('settings.general.transcriptSize')}
            value={shown}
            min={smallest}
            max={largest}
            step={1}
            valueText={t('settings.general.pixels', { size: formats.number(shown) })}
            onChange={(next) => void move(next)}
          />
          <span aria-hidden className={css['large']}>
            A
          </span>
          <output className={css['value']}>{t('settings.general.pixels', { size: formats.number(shown) })}</output>
        </div>
      </SettingRow>
      <p className={css['sample']}>{t('settings.general.sample')}</p>
    </div>
  );
}
