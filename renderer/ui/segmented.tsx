import { Radio, RadioGroup } from 'react-aria-components';
import { cx } from '../lib/class-names.ts';
import css from './segmented.module.css';

export interface SegmentedOption<V extends string> {
  readonly value: V;
  readonly text: string;
  /** The language of the text itself, where it differs from the interface's. */
  readonly lang?: string;
}

export interface SegmentedProps<V extends string> {
  readonly label: string;
  /** Draws the label above; otherwise only screen readers hear it. */
  readonly isLabelShown?: boolean;
  readonly options: readonly SegmentedOption<V>[];
  readonly value: V;
  readonly onChange: (value: V) => void;
  readonly size?: 'sm' | 'md';
  readonly isBlock?: boolean;
}

/** Two to four short options; arrow keys move and select. Long words wrap to rows of their own. */
export function Segmented<V extends string>({
  size = 'md',
  isBlock = false,
  isLabelShown = false,
  ...props
}: SegmentedProps<V>) {
  return (
    <RadioGroup
      aria-label={props.label}
      orientation="horizontal"
      className={css['group'] ?? ''}
      value={props.value}
      onChange={(value) => {
        const chosen = props.options.find((option) => option.value === value);
        if (chosen) props.onChange(chosen.value);
      }}
    >
      {isLabelShown && (
        <span aria-hidden className={css['label']}>
          {props.label}
        </span>
      )}
      <span className={cx(css['track'], isBlock && css['block'], css[size])}>
        {props.options.map((option) => (
          <Radio
            key={option.value}
            value={option.value}
            className={css['option'] ?? ''}
            {...(option.lang ? { lang: option.lang } : {})}
          >
            {option.text}
          </Radio>
        ))}
      </span>
    </RadioGroup>
  );
}
