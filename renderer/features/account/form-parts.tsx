import { useEffect } from 'react';
import { saveBeforeLeaving } from '../../bridge/save-before-leaving.ts';
import css from './account.module.css';

/** Whoever closes the app with a form that holds work is asked first. */
export function useHeldForm(holdsWork: boolean): void {
  useEffect(() => (holdsWork ? saveBeforeLeaving(() => Promise.resolve(false)) : undefined), [holdsWork]);
}

interface TextAreaProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly rows?: number;
  readonly placeholder?: string;
  readonly hint?: string;
  readonly error?: string | null;
}

export function TextArea({ label, onChange, hint, error = null, ...area }: TextAreaProps) {
  return (
    <label className={css['area']}>
      {label}
      <textarea
        spellCheck={false}
        aria-invalid={error !== null}
        onChange={({ target }) => onChange(target.value)}
        {...area}
      />
      {(error ?? hint) && <span className={error === null ? 'fine subtle' : css['error']}>{error ?? hint}</span>}
    </label>
  );
}

export const FormError = ({ text }: { readonly text: string | null }) =>
  text !== null && (
    <p role="alert" className={css['error']}>
      {text}
    </p>
  );
