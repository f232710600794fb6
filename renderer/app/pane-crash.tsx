import { Copy, LifeBuoy, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useText } from '../lib/text.ts';
import { Button } from '../ui/button.tsx';
import css from './pane-crash.module.css';
import { useDiagnostics } from './use-diagnostics.ts';

export interface PaneCrashProps {
  readonly name: string;
  readonly again: () => void;
  readonly error: unknown;
}

/** A pane that broke: which one, what is kept, show it again, and all that a report of it would hold. */
export function PaneCrash({ name, again, error }: PaneCrashProps) {
  const t = useText();
  const { text, isCopied, copy } = useDiagnostics(error);
  const [isShown, setIsShown] = useState(false);
  return (
    <section role="alert" aria-label={name} className={css['pane']}>
      <LifeBuoy aria-hidden size={18} strokeWidth={1.75} />
      <div className={css['words']}>
        <b>{t('shell.crashed.pane', { name })}</b> {t('shell.crashed.text')}
        {isShown && (
          <>
            <p className={css['hint']}>{t('shell.crashed.diagnosticsText')}</p>
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reachable by the keyboard */}
            <pre className={css['text']} tabIndex={0}>
              {text}
            </pre>
            <div className={css['actions']}>
              <Button size="sm" icon={Copy} onPress={() => void copy()}>
                {t('shell.crashed.copy')}
              </Button>
              <output>{isCopied && t('shell.crashed.copied')}</output>
            </div>
          </>
        )}
      </div>
      <div className={css['actions']}>
        {!isShown && (
          <Button
            size="sm"
            variant="ghost"
            onPress={() => {
              setIsShown(true);
            }}
          >
            {t('shell.crashed.diagnostics')}
          </Button>
        )}
        <Button size="sm" icon={RotateCw} onPress={again}>
          {t('shell.crashed.again')}
        </Button>
      </div>
    </section>
  );
}
