import { ChevronDown, type LucideIcon } from 'lucide-react';
import { Menu, type MenuEntry } from './menu.tsx';
import { PressButton } from './press-button.tsx';
import { Spinner } from './spinner.tsx';
import type { Tip } from './use-tip.ts';
import { cx } from '../lib/class-names.ts';
import button from './button.module.css';
import css from './split-button.module.css';

export interface SplitButtonProps {
  readonly text: string;
  readonly icon: LucideIcon;
  readonly variant: 'primary' | 'default';
  readonly tip?: Tip;
  readonly isLoading?: boolean;
  readonly isDisabled?: boolean;
  readonly menuLabel: string;
  readonly entries: readonly MenuEntry[];
  readonly onPress: () => void;
}

/** What is usually wanted, and beside it the menu of the others. */
export function SplitButton({
  icon: Icon,
  variant,
  isLoading = false,
  isDisabled = false,
  ...props
}: SplitButtonProps) {
  const shared = cx(button['button'], button[variant], button['md']);
  return (
    <span className={css['split']}>
      <PressButton
        className={shared}
        isPending={isLoading}
        isDisabled={isDisabled}
        shortcut={props.tip?.shortcut ?? null}
        tip={props.tip ?? null}
        onPress={props.onPress}
      >
        {isLoading ? <Spinner /> : <Icon aria-hidden size={16} strokeWidth={1.75} />}
        {props.text}
      </PressButton>
      <Menu
        label={props.menuLabel}
        entries={props.entries}
        trigger={
          <PressButton className={shared} label={props.menuLabel} isDisabled={isDisabled || isLoading}>
            <ChevronDown aria-hidden size={16} strokeWidth={1.75} />
          </PressButton>
        }
      />
    </span>
  );
}
