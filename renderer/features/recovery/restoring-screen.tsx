import { DatabaseBackup } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { useFormats, useText } from '../../lib/text.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { RecoveryFrame } from './recovery-frame.tsx';
import css from './recovery-screen.module.css';

export interface RestoringScreenProps {
  /** Of the work, 0 to 1. */
  readonly share: number;
  readonly windowControls: ReactNode;
}

/** What is seen while all that can still be read is taken out of a damaged library. */
export function RestoringScreen({ share, windowControls }: RestoringScreenProps) {
  const t = useText();
  const formats = useFormats();
  // A screen reader begins here.
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <RecoveryFrame label={t('recovery.restoring.title')} windowControls={windowControls}>
      <div className={css['heading']}>
        <span aria-hidden className={css['glyph']}>
          <DatabaseBackup size={24} strokeWidth={1.75} />
        </span>
        <div className={css['restoring']}>
          <h1 ref={heading} tabIndex={-1} className={css['title']}>
            {t('recovery.restoring.title')}
          </h1>
          <p className={css['text']}>{t('recovery.restoring.text')}</p>
          <ProgressBar
            label={t('recovery.restoring.title')}
            progress={share > 0 ? { tag: 'determinate', fraction: share } : { tag: 'indeterminate' }}
            {...(share > 0 ? { valueText: formats.percent(share) } : {})}
          />
        </div>
      </div>
    </RecoveryFrame>
  );
}
