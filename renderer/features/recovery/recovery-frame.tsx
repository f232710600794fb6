import type { ReactNode } from 'react';
import { useText } from '../../lib/text.ts';
import { Mark } from '../../ui/mark.tsx';
import css from './recovery-screen.module.css';

export interface RecoveryFrameProps {
  /** The accessible name of the screen. */
  readonly label: string;
  readonly windowControls: ReactNode;
  readonly children: ReactNode;
}

/** A screen that replaces the app, with the title bar for moving the window. */
export function RecoveryFrame({ label, windowControls, children }: RecoveryFrameProps) {
  const t = useText();
  return (
    <div className={css['screen']}>
      <header className={css['top']}>
        <div className={css['brand']}>
          <Mark />
          <b>{t('common.appName')}</b>
        </div>
        {windowControls}
      </header>
      <main className={css['main']} aria-label={label}>
        <div className={css['inner']}>{children}</div>
      </main>
    </div>
  );
}
