import type { ReactNode } from 'react';
import { PressButton } from './press-button.tsx';
import css from './text-link.module.css';

/** Words that lead somewhere else in the app. */
export const TextLink = ({ onPress, children }: { readonly onPress: () => void; readonly children: ReactNode }) => (
  <PressButton isLink className={css['link']} onPress={onPress}>
    {children}
  </PressButton>
);
