import type { ReactNode } from 'react';
import { PressButton } from './press-button.tsx';
import css from './text-link.module.css';

export const TextLink = ({ onPress, children }: { readonly onPress: () => void; readonly children: ReactNode }) => (
  <PressButton isLink className={css['link']} onPress={onPress}>
    {children}
  </PressButton>
);
