import type { ReactNode } from 'react';
import { ToggleButton } from 'react-aria-components';
import { cx } from '../lib/class-names.ts';
import css from './button.module.css';

export function ToggleChip({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  return (
    <ToggleButton id={id} className={cx(css['button'], css['sm'])}>
      {children}
    </ToggleButton>
  );
}
