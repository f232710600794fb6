import type { OptionSpec } from '../../../../../shared/domain/exports/options.ts';
import { clockTime, subtitleTime } from '../../../../../shared/domain/exports/subtitle-time.ts';
import { useFormats } from '../../../../lib/text.ts';
import { TimeField } from '../time-field.tsx';

export interface TimeOptionProps {
  readonly label: string;
  readonly spec: Extract<OptionSpec, { kind: 'number' | 'time' }>;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

/** A time such as `01:00:00`, with milliseconds if it has some. */
export function TimeOption({ label, spec, value, onChange }: TimeOptionProps) {
  const { decimalSign } = useFormats();
  const written = (timeMs: number) => (timeMs % 1000 === 0 ? clockTime(timeMs) : subtitleTime(timeMs, decimalSign));
  return <TimeField label={label} valueMs={value} mostMs={spec.max} written={written} onChange={onChange} />;
}
