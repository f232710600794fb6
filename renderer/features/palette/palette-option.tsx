import { cx } from '../../lib/class-names.ts';
import { Keys } from '../../ui/keys.tsx';
import css from './command-palette.module.css';
import type { PaletteEntry } from './model/arrange.ts';
import type { Ranges } from './model/rank.ts';

export interface PaletteOptionProps {
  readonly id: string;
  readonly entry: PaletteEntry;
  readonly ranges: Ranges;
  readonly isActive: boolean;
  readonly onHover: () => void;
  readonly onChoose: () => void;
}

export function PaletteOption({ id, entry, ranges, isActive, onHover, onChoose }: PaletteOptionProps) {
  const Icon = entry.icon;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field has the focus and takes the keys for it
    <div
      id={id}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the tag can hold no icon and no keys
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className={cx(css['option'], isActive && css['active'])}
      onPointerMove={isActive ? undefined : onHover}
      onMouseDown={(event) => {
        // The field keeps the focus.
        event.preventDefault();
      }}
      onClick={onChoose}
    >
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
