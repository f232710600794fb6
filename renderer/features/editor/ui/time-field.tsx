import { useState } from 'react';
import { readTimeCode } from '../../../../shared/domain/time/time-code.ts';
import { useText } from '../../../lib/text.ts';
import { Field } from '../../../ui/field.tsx';

export interface TimeFieldProps {
  readonly label: string;
  readonly valueMs: number;
  readonly mostMs: number;
  readonly written: (timeMs: number) => string;
  readonly hint?: string;
  readonly isDisabled?: boolean;
  /** Says why a typed time cannot be; null when it can. */
  readonly refuse?: (timeMs: number) => string | null;
  readonly onChange: (timeMs: number) => void;
}

/** A time as people type it: `1:02:25.480`, `02:25`, `7,5`; accepted with Enter or when the field loses the focus. */
export function TimeField({ label, valueMs, mostMs, written, refuse, onChange, ...rest }: TimeFieldProps) {
  const t = useText();
  const [typed, setTyped] = useState<string | null>(null);
  /** Of a time that was entered; the beginning of a longer one is not judged. */
  const [refusal, setRefusal] = useState<string | null>(null);
  const read = typed === null ? valueMs : readTimeCode(typed);
  const isWrong = read === null || read > mostMs;
  const settle = () => {
    if (typed === null || isWrong) return;
    const refused = read === valueMs ? null : (refuse?.(read) ?? null);
    setRefusal(refused);
    if (refused !== null) return;
    if (read !== valueMs) onChange(read);
    setTyped(null);
  };
  return (
    <Field
      {...rest}
      label={label}
      value={typed ?? written(valueMs)}
      onChange={(value) => {
        setTyped(value === written(valueMs) ? null : value);
        setRefusal(null);
      }}
      onBlur={settle}
      onEnter={settle}
      onEscape={() => {
        if (typed === null) return false;
        setTyped(null);
        setRefusal(null);
        return true;
      }}
      error={isWrong ? t('exports.wrongTime', { example: written(valueMs) }) : refusal}
    />
  );
}
