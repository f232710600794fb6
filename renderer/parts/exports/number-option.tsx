import { CircleAlert } from 'lucide-react';
import { useId, useState } from 'react';
import type { OptionSpec, OptionValue } from '../../../shared/domain/exports/exporter.ts';
import { useFormats, useText } from '../../lib/text.ts';
import { Range } from '../../ui/range.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { LineAlert } from '../../ui/line-alert.tsx';
import css from './caption-options.module.css';

export interface NumberOptionProps {
  readonly name: string;
  readonly spec: Extract<OptionSpec, { kind: 'number' | 'time' }>;
  /** Some numbers bound each other. */
  readonly options: Readonly<Record<string, OptionValue>>;
  readonly onChange: (value: number) => void;
  readonly language?: string;
}

export function NumberOption(props: NumberOptionProps) {
  const t = useText();
  const { name, spec, options, onChange, language } = props;
  const { min, max, step } = spec;
  const ofAll = t(`exports.options.${name}` as 'exports.options.gapMs');
  const label = language === undefined ? ofAll : t('exports.options.ofLanguage', { option: ofAll, language });
  if ((max - min) / step > 3) return <AnyNumber {...props} label={label} value={Number(options[name])} />;
  const numbers = Array.from({ length: (max - min) / step + 1 }, (_, at) => String(min + at * step));
  return (
    <div className={css['row']}>
      <span aria-hidden>{label}</span>
      <Segmented
        label={label}
        size="sm"
        options={numbers.map((number) => ({ value: number, text: number }))}
        value={String(options[name])}
        onChange={(chosen) => onChange(Number(chosen))}
      />
    </div>
  );
}

/** The number that this one must stay below or above, of those that bound each other. */
const boundedBy = { minimumMs: 'maximumMs', maximumMs: 'minimumMs' } as const;

/** What a typed number is multiplied with: seconds are typed with their decimals. */
const unitOf = (name: string) =>
  name === 'maximumMs'
    ? ({ text: 'exports.units.seconds', factor: 1000 } as const)
    : name.endsWith('Ms')
      ? ({ text: 'exports.units.milliseconds', factor: 1 } as const)
      : name === 'charactersPerSecond'
        ? ({ text: 'exports.units.speed', factor: 1 } as const)
        : { text: null, factor: 1 };

function AnyNumber({
  name,
  label,
  spec,
  options,
  value,
  onChange,
}: NumberOptionProps & { readonly label: string; readonly value: number }) {
  const t = useText();
  const formats = useFormats();
  const [typed, setTyped] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const refusalId = useId();
  const unit = unitOf(name);
  const unitText = unit.text === null ? '' : t(unit.text);
  const written = (number: number) => formats.exact(number / unit.factor);
  const withUnit = (number: number) => `${written(number)} ${unitText}`.trim();
  const other = name === 'minimumMs' || name === 'maximumMs' ? Number(options[boundedBy[name]]) : null;
  const min = name === 'maximumMs' ? Math.max(spec.min, other ?? 0) : spec.min;
  const max = name === 'minimumMs' ? Math.min(spec.max, other ?? spec.max) : spec.max;
  const settle = () => {
    if (typed === null) return;
    const number = Math.round(Number(typed.trim().replaceAll(/\s/gu, '').replace(',', '.')) * unit.factor);
    const isNumber = typed.trim() !== '' && Number.isFinite(number);
    const refused =
      !isNumber || number < spec.min || number > spec.max
        ? t('exports.outOfBounds', { min: written(spec.min), max: withUnit(spec.max) })
        : number < min
          ? t('exports.longestTooShort', { limit: withUnit(min) })
          : number > max
            ? t('exports.shortestTooLong', { limit: withUnit(max) })
            : null;
    setRefusal(refused);
    if (refused !== null) return;
    setTyped(null);
    if (number !== value) onChange(number);
  };
  const drop = () => {
    setTyped(null);
    setRefusal(null);
  };
  return (
    <div className="column gap-6">
      <div className={css['row']}>
        <span aria-hidden>{label}</span>
        <span className={css['typed']}>
          <input
            type="text"
            inputMode="decimal"
            aria-label={label}
            aria-invalid={refusal !== null}
            {...(refusal !== null && { 'aria-errormessage': refusalId })}
            autoComplete="off"
            value={typed ?? written(value)}
            onChange={(event) => {
              setTyped(event.target.value.slice(0, 12));
              setRefusal(null);
            }}
            onBlur={settle}
            onKeyDown={(event) => {
              if (event.key === 'Enter') settle();
              if (event.key !== 'Escape' || typed === null) return;
              event.stopPropagation();
              drop();
            }}
          />
          {unitText !== '' && <span aria-hidden>{unitText}</span>}
        </span>
      </div>
      <Range
        label={label}
        min={spec.min}
        max={spec.max}
        step={spec.step}
        value={value}
        valueText={withUnit(value)}
        onChange={(number) => {
          drop();
          onChange(Math.max(min, Math.min(max, number)));
        }}
      />
      {refusal !== null && (
        <LineAlert icon={CircleAlert} id={refusalId}>
          {refusal}
        </LineAlert>
      )}
    </div>
  );
}
