import { useId } from 'react';
import field from './field.module.css';
import css from './select.module.css';

export interface SelectProps<V extends string> {
  readonly label: string;
  readonly options: readonly { readonly value: V; readonly text: string }[];
  readonly value: V;
  readonly onChange: (value: V) => void;
}

export function Select<V extends string>({ label, options, value, onChange }: SelectProps<V>) {
  const id = useId();
  return (
    <div className={field['field']}>
      <label htmlFor={id} className={field['label']}>
        {label}
      </label>
      <select
        id={id}
        className={css['select']}
        value={value}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.currentTarget.value);
          if (chosen !== undefined) onChange(chosen.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </div>
  );
}
