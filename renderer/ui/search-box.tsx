import { Search } from 'lucide-react';
import type { InputHTMLAttributes, ReactNode, Ref } from 'react';
import { cx } from '../lib/class-names.ts';
import field from './field.module.css';

export interface SearchBoxProps extends Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'maxLength' | 'onKeyDown' | 'type'
> {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly field?: Ref<HTMLInputElement>;
  readonly className?: string | undefined;
  readonly children?: ReactNode;
}

export function SearchBox({ label, onChange, field: ref, className, children, ...input }: SearchBoxProps) {
  return (
    <label className={cx(field['box'], className)}>
      <Search aria-hidden size={16} strokeWidth={1.75} />
      <input
        ref={ref}
        className={field['input']}
        type="search"
        aria-label={label}
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => onChange(target.value)}
        {...input}
      />
      {children}
    </label>
  );
}
