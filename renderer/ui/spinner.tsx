import css from './spinner.module.css';

export function Spinner() {
  return <span aria-hidden className={css['spinner']} />;
}
