import type { OptionSpec } from '../../../../../shared/domain/exports/options.ts';
import { clockTime } from '../../../../../shared/domain/exports/subtitle-time.ts';
import { useFormats, useText } from '../../../../lib/text.ts';
import { Range } from '../../../../ui/range.tsx';
import { Segmented } from '../../../../ui/segmented.tsx';
import { TimeField } from '../time-field.tsx';
import css from './export-form.module.css';

interface NumberProps {
  readonly label: string;
  readonly spec: Extract<OptionSpec, { kind: 'number' | 'time' }>;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

/** A slider with its number, or a few fixed numbers side by side. */
export function NumberOption({ name, label, spec, value, onChange }: NumberProps & { readonly name: string }) {
  const t = useText();
  const formats = useFormats();
  const { min, max, step } = spec;
  if ((max - min) / step <= 3) {
    const numbers = Array.from({ length: (max - min) / step + 1 }, (_, at) => String(min + at * step));
    return (
      <div className={css['row']}>
        <span aria-hidden>{label}</span>
        <Segmented
          label={label}
          size="sm"
          options={numbers.map((number) => ({ value: number, text: number }))}
          value={String(value)}
          onChange={(chosen) => {
            onChange(Number(chosen));
          }}
        />
      </div>
    );
  }
  const length = () =>
    value >= 1000 && value % 100 === 0
      ? t('exports.seconds', { number: formats.number(value / 1000) })
      : t('exports.milliseconds', { count: value });
  const written =
    name === 'charactersPerSecond'
      ? t('exports.speed', { speed: formats.number(value) })
      : name.endsWith('Ms')
        ? length()
        : formats.number(value);
  return (
    <div className={css['number']}>
      <div className={css['row']}>
        <span aria-hidden>{label}</span>
        <span aria-hidden className={css['value']}>
          {written}
        </span>
      </div>
      <Range label={label} min={min} max={max} step={step} value={value} valueText={written} onChange={onChange} />
    </div>
  );
}

/** A time such as `01:00:00`, with milliseconds if the option needs them. */
export function TimeOption({ label, spec, value, onChange }: NumberProps) {
  return <TimeField label={label} valueMs={value} mostMs={spec.max} written={withMilliseconds} onChange={onChange} />;
}

const withMilliseconds = (timeMs: number): string => {
  const rest = timeMs % 1000;
  return clockTime(timeMs) + (rest === 0 ? '' : `.${String(rest).padStart(3, '0')}`);
};
