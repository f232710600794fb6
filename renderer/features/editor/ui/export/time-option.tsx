import type { OptionSpec } from '../../../../../shared/domain/exports/options.ts';
import { clockTime } from '../../../../../shared/domain/exports/subtitle-time.ts';
import { TimeField } from '../time-field.tsx';

export interface TimeOptionProps {
  readonly label: string;
  readonly spec: Extract<OptionSpec, { kind: 'number' | 'time' }>;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

/** A time such as `01:00:00`, with milliseconds if the option needs them. */
export function TimeOption({ label, spec, value, onChange }: TimeOptionProps) {
  return <TimeField label={label} valueMs={value} mostMs={spec.max} written={withMilliseconds} onChange={onChange} />;
}

const withMilliseconds = (timeMs: number): string => {
  const rest = timeMs % 1000;
  return clockTime(timeMs) + (rest === 0 ? '' : `.${String(rest).padStart(3, '0')}`);
};
