import css from './spinner.module.css';

/** Has no text of its own: the text beside it explains it. */
export function Spinner() {
  return <span aria-hidden className={css['spinner']} />;
}
