import type { LucideIcon } from 'lucide-react';
import { Button as AriaButton, ToggleButton } from 'react-aria-components';
import { cx } from '../lib/class-names.ts';
import type { Shortcut } from '../lib/hotkeys.ts';
import { useKeyAttribute } from '../lib/use-key-attribute.ts';
import buttonCss from './button.module.css';
import css from './icon-button.module.css';
import { Tooltip } from './tooltip.tsx';

export interface IconButtonProps {
  /** Said by screen readers and shown in the tooltip. */
  readonly label: string;
  readonly icon: LucideIcon;
  readonly size?: 'sm' | 'md';
  readonly variant?: 'ghost' | 'default';
  readonly shortcut?: Shortcut | null;
  readonly isDisabled?: boolean;
  /** Set for a toggle; it shows as `aria-pressed` and the accent fill. */
  readonly isPressed?: boolean;
  readonly className?: string | undefined;
  readonly onPress?: () => void;
}

export function IconButton({ size = 'md', variant = 'ghost', isDisabled = false, ...props }: IconButtonProps) {
  const keys = useKeyAttribute(props.shortcut ?? null);
  const Icon = props.icon;
  const className = cx(
    buttonCss['button'],
    buttonCss[variant],
    buttonCss[size],
    css['icon'],
    css[size],
    props.className,
  );
  const shared = {
    className,
    isDisabled,
    'aria-label': props.label,
    ...(props.onPress === undefined ? {} : { onPress: props.onPress }),
  };
  const icon = <Icon aria-hidden size={size === 'sm' ? 14 : 16} strokeWidth={1.75} />;
  return (
    <Tooltip text={props.label} shortcut={props.shortcut ?? null}>
      {props.isPressed === undefined ? (
        <AriaButton ref={keys} {...shared}>
          {icon}
        </AriaButton>
      ) : (
        <ToggleButton ref={keys} {...shared} isSelected={props.isPressed}>
          {icon}
        </ToggleButton>
      )}
    </Tooltip>
  );
}
