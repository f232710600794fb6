import { cx } from '../../lib/class-names.ts';
import { Keys } from '../../ui/keys.tsx';
import css from './command-palette.module.css';
import type { PaletteEntry } from './model/arrange.ts';
import type { Ranges } from './model/rank.ts';

export interface PaletteOptionProps {
  readonly entry: PaletteEntry;
  readonly ranges: Ranges;
  readonly isActive: boolean;
  /** Of `useOptionWalk`. */
  readonly option: object;
}

export function PaletteOption({ entry, ranges, isActive, option }: PaletteOptionProps) {
  const Icon = entry.icon;
  return (
    <div {...option} className={cx(css['option'], isActive && css['active'])}>
      <Icon aria-hidden size={16} strokeWidth={1.75} />
      <span className={css['title']}>
        <Marked text={entry.title} ranges={ranges} />
      </span>
      {entry.note && <span className={css['note']}>{entry.note}</span>}
      {entry.shortcut && <Keys shortcut={entry.shortcut} className={css['keys']} />}
    </div>
  );
}

function Marked({ text, ranges }: { readonly text: string; readonly ranges: Ranges }) {
  const ends = [0, ...ranges.map(([, to]) => to)];
  return (
    <>
      {ranges.map(([from, to], index) => (
        <span key={from}>
          {text.slice(ends[index], from)}
          <b>{text.slice(from, to)}</b>
        </span>
      ))}
      {text.slice(ends.at(-1))}
    </>
  );
}
