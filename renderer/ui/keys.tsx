import { cx } from '../lib/class-names.ts';
import { keyCaps, type Shortcut } from '../lib/hotkeys.ts';
import css from './keys.module.css';

export interface KeysProps {
  readonly shortcut: Shortcut;
  readonly upTo?: string;
  readonly isOnInk?: boolean;
  readonly className?: string | undefined;
}

/** Screen readers get `aria-keyshortcuts` of the control instead. */
export function Keys({ shortcut, upTo, isOnInk = false, className }: KeysProps) {
  const caps = keyCaps(shortcut).map((cap, at, all) =>
    upTo !== undefined && at === all.length - 1 ? `${cap}–${upTo}` : cap,
  );
  return (
    <span aria-hidden className={cx(css['keys'], className)}>
      {caps.map((cap) => (
        <kbd key={cap} className={cx(css['cap'], isOnInk && css['ink'])}>
          {cap}
        </kbd>
      ))}
    </span>
  );
}
