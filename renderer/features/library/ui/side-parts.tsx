import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '../../../lib/class-names.ts';
import css from './library-side.module.css';

/** A section of the side column with its heading. */
export function Group({
  title,
  action,
  children,
}: {
  readonly title: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className={css['group']} aria-label={title}>
      <div className={css['heading']}>
        <h2>{title}</h2>
        {action}
      </div>
      {children}
    </section>
  );
}

/** A place to look in, with its number of items. */
export function Place({
  icon: Icon,
  text,
  count,
  isOn,
  isOwn = false,
  depth = 0,
  onPress,
}: {
  readonly icon: LucideIcon;
  readonly text: string;
  readonly count: number;
  readonly isOn: boolean;
  /** A name given by the user, which is cut if it is long. */
  readonly isOwn?: boolean;
  /** Its depth in the tree of folders. */
  readonly depth?: number;
  readonly onPress: () => void;
}) {
  return (
    <button
      type="button"
      style={{ paddingInlineStart: 8 + depth * 16 }}
      className={cx(css['place'], isOn && css['on'])}
      aria-current={isOn ? 'true' : undefined}
      onClick={onPress}
    >
      <Icon aria-hidden size={16} strokeWidth={1.75} />
      <span className={cx(css['name'], isOwn && css['own'])} title={isOwn ? text : undefined}>
        {text}
      </span>
      <span className={css['count']}>{count}</span>
    </button>
  );
}

/** The set with a value added or removed. */
export const toggled = <T,>(set: ReadonlySet<T>, value: T, isOn: boolean): ReadonlySet<T> =>
  new Set(isOn ? [...set, value] : [...set].filter((one) => one !== value));

/** One value of a filter with its number of items. */
export function Facet({
  text,
  count,
  isOn,
  isOwn = false,
  onChange,
}: {
  readonly text: string;
  readonly count: number;
  readonly isOn: boolean;
  /** A name given by the user, which is cut if it is long. */
  readonly isOwn?: boolean;
  readonly onChange: (isOn: boolean) => void;
}) {
  return (
    <label className={css['facet']}>
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ target }) => {
          onChange(target.checked);
        }}
      />
      <span className={cx(css['name'], isOwn && css['own'])} title={isOwn ? text : undefined}>
        {text}
      </span>
      <span className={css['count']}>{count}</span>
    </label>
  );
}
