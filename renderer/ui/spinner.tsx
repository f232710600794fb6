import css from './spinner.module.css';

/** Says nothing by itself: words beside it tell what is going on. */
export function Spinner() {
  return <span aria-hidden className={css['spinner']} />;
}
