import { cx } from '../lib/class-names.ts';
import { keyCaps, type Shortcut } from '../lib/hotkeys.ts';
import css from './keys.module.css';

export interface KeysProps {
  readonly shortcut: Shortcut;
  readonly isOnAccent?: boolean;
  readonly isOnInk?: boolean;
  readonly className?: string | undefined;
}

/** Drawn key caps. Screen readers get `aria-keyshortcuts` of the control instead. */
export function Keys({ shortcut, isOnAccent = false, isOnInk = false, className }: KeysProps) {
  return (
    <span aria-hidden className={cx(css['keys'], className)}>
      {keyCaps(shortcut).map((cap) => (
        <kbd key={cap} className={cx(css['cap'], isOnAccent && css['accent'], isOnInk && css['ink'])}>
          {cap}
        </kbd>
      ))}
    </span>
  );
}
