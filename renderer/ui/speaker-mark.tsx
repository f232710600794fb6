import { cx } from '../lib/class-names.ts';
import css from './speaker-mark.module.css';

/** A speaker's colour alone, 1 to 8, where its name stands beside it. */
export function ColourMark({ colour }: { readonly colour: number }) {
  return <span aria-hidden className={cx(css['mark'], css[`s${String(colour)}`])} />;
}

/** Number mark, name and colour together; the ninth speaker has the first colour again with the number 9. */
export function SpeakerMark({
  number,
  name,
  colour = ((number - 1) % 8) + 1,
}: {
  readonly number: number;
  readonly name: string;
  /** 1 to 8, where the user chose one. */
  readonly colour?: number;
}) {
  return (
    <span className={cx(css['speaker'], css[`s${String(colour)}`])}>
      <span aria-hidden className={css['mark']}>
        {number}
      </span>
      <span className={css['name']}>{name}</span>
    </span>
  );
}
