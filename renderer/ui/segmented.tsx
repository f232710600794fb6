import { useId, type ReactNode } from 'react';
import { cx } from '../lib/class-names.ts';
import { ariaShortcut, type Shortcut } from '../lib/hotkeys.ts';
import { Keys } from './keys.tsx';
import field from './field.module.css';
import css from './segmented.module.css';

export interface SegmentedOption<V extends string> {
  readonly value: V;
  readonly text: string;
  readonly lang?: string;
  readonly picture?: ReactNode;
  readonly isDisabled?: boolean;
  readonly shortcut?: Shortcut | null;
}

export interface SegmentedProps<V extends string> {
  readonly label: string;
  readonly isLabelShown?: boolean;
  readonly options: readonly SegmentedOption<V>[];
  readonly value: V;
  readonly onChange: (value: V) => void;
  readonly size?: 'sm' | 'md';
  readonly isBlock?: boolean;
}

export function Segmented<V extends string>({
  size = 'md',
  isBlock = false,
  isLabelShown = false,
  ...props
}: SegmentedProps<V>) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={props.label} className={field['field']}>
      {isLabelShown && (
        <span aria-hidden className={field['label']}>
          {props.label}
        </span>
      )}
      <span className={cx(css['track'], isBlock && css['block'], css[size])}>
        {props.options.map(({ value, text, lang, picture, isDisabled, shortcut = null }) => (
          <label key={value} className={css['option']} lang={lang}>
            <input
              type="radio"
              className={css['input']}
              name={name}
              value={value}
              disabled={isDisabled}
              checked={value === props.value}
              aria-keyshortcuts={shortcut === null ? undefined : ariaShortcut(shortcut)}
              onChange={() => props.onChange(value)}
            />
            {picture}
            {text}
            {shortcut !== null && <Keys shortcut={shortcut} />}
          </label>
        ))}
      </span>
    </div>
  );
}
