import { cx } from '../lib/class-names.ts';
import { keyCaps, type Shortcut } from '../lib/hotkeys.ts';
import css from './keys.module.css';

export interface KeysProps {
  readonly shortcut: Shortcut;
  readonly className?: string | undefined;
}

/** Screen readers get `aria-keyshortcuts` of the control instead. */
export function Keys({ shortcut, className }: KeysProps) {
  return (
    <span aria-hidden className={cx(css['keys'], className)}>
      {keyCaps(shortcut).map((cap) => (
        <kbd key={cap} className={css['cap']}>
          {cap}
        </kbd>
      ))}
    </span>
  );
}
