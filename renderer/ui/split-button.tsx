import { ChevronDown } from 'lucide-react';
import { cx } from '../lib/class-names.ts';
import button from './button.module.css';
import { Button, type ButtonProps } from './button.tsx';
import { Menu, type MenuEntry } from './menu.tsx';
import { PressButton } from './press-button.tsx';
import css from './split-button.module.css';

export interface SplitButtonProps extends Pick<ButtonProps, 'icon' | 'tip' | 'isLoading' | 'isDisabled' | 'onPress'> {
  readonly text: string;
  readonly variant: 'primary' | 'default';
  readonly menuLabel: string;
  readonly entries: readonly MenuEntry[];
}

/** What is usually wanted, and beside it the menu of the others. */
export function SplitButton({ text, menuLabel, entries, ...props }: SplitButtonProps) {
  const { variant, isDisabled = false, isLoading = false } = props;
  return (
    <span className={css['split']}>
      <Button {...props}>{text}</Button>
      <Menu
        label={menuLabel}
        entries={entries}
        trigger={
          <PressButton
            className={cx(button['button'], button[variant], button['md'])}
            label={menuLabel}
            isDisabled={isDisabled || isLoading}
          >
            <ChevronDown aria-hidden size={16} strokeWidth={1.75} />
          </PressButton>
        }
      />
    </span>
  );
}
