import type { ReactNode } from 'react';
import { useText } from '../../lib/text.ts';
import { Mark } from '../../ui/mark.tsx';
import css from './recovery-screen.module.css';

export interface RecoveryFrameProps {
  /** What the screen is called for those who do not see it. */
  readonly label: string;
  readonly windowControls: ReactNode;
  readonly children: ReactNode;
}

/** A screen of its own in place of the studio, with the bar by which the window is moved. */
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
