import type { ReactNode } from 'react';
import { ToggleButton } from 'react-aria-components';
import css from './toggle-chip.module.css';

export function ToggleChip({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  return (
    <ToggleButton id={id} className={css['chip'] ?? ''}>
      {children}
    </ToggleButton>
  );
}
