import { useQueryClient } from '@tanstack/react-query';
import { Copy, FileDown, LifeBuoy, RotateCw } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { VisuallyHidden } from 'react-aria-components';
import { useSaveDiagnostics } from '../bridge/use-save-diagnostics.ts';
import { RecoveryFrame } from '../features/recovery/index.ts';
import { useText } from '../lib/text.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorBoundary, type PaneFallback } from '../ui/pane-error-boundary.tsx';
import css from './crash-guard.module.css';
import { useDiagnostics } from './use-diagnostics.ts';
import { WindowControlsOfLast } from './window-controls.tsx';

export interface CrashGuardProps {
  readonly children: ReactNode;
  readonly isSmall?: boolean;
  readonly isWhole?: boolean;
  readonly resetKey?: string;
}

export function CrashGuard({ children, isSmall = false, isWhole = false, resetKey }: CrashGuardProps) {
  return (
    <ErrorBoundary
      resetKey={resetKey}
      fallback={(again, error) =>
        isSmall ? <SmallCrash again={again} /> : <CrashScreen error={error} again={again} isWhole={isWhole} />
      }
    >
      {children}
    </ErrorBoundary>
  );
}

function SmallCrash({ again }: { readonly again: () => void }) {
  const t = useText();
  return (
    <div role="alert" className={css['small']}>
      <Button
        size="sm"
        icon={RotateCw}
        label={`${t('shell.crashed.title')}. ${t('shell.crashed.again')}`}
        onPress={again}
      >
        {t('shell.crashed.again')}
      </Button>
    </div>
  );
}

interface CrashScreenProps {
  readonly error: unknown;
  readonly again: () => void;
  readonly isWhole: boolean;
}

function CrashScreen({ error, again, isWhole }: CrashScreenProps) {
  const t = useText();
  const queries = useQueryClient();
  const { text, isCopied, copy } = useDiagnostics(error);
  const save = useSaveDiagnostics();
  const savedAs = save.data?.savedAs ?? null;
  // The page's state may be the cause, so everything is loaded again from main.
  const beginAgain = () => {
    if (isWhole) queries.clear();
    again();
  };
  const screen = (
    <div className={css[isWhole ? 'whole' : 'screen']}>
      <VisuallyHidden elementType="h1">{t('common.appName')}</VisuallyHidden>
      <EmptyState
        icon={LifeBuoy}
        title={t(isWhole ? 'shell.crashed.whole' : 'shell.crashed.title')}
        action={
          <Button variant="primary" icon={RotateCw} onPress={beginAgain}>
            {t('shell.crashed.again')}
          </Button>
        }
      >
        {t('shell.crashed.text')}
      </EmptyState>
      <section className={css['report']} aria-label={t('shell.crashed.diagnostics')}>
        <h2 className="text-sm strong">{t('shell.crashed.diagnostics')}</h2>
        <p className={css['hint']}>{t('shell.crashed.diagnosticsText')}</p>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reachable by the keyboard */}
        <pre className={css['text']} lang="en" tabIndex={0}>
          {text}
        </pre>
        <div className="row gap-12 ending small muted">
          <output>
            {savedAs === null
              ? isCopied && t('shell.crashed.copied')
              : t('settings.privacy.reportSaved', { name: savedAs })}
          </output>
          <Button icon={FileDown} isLoading={save.isPending} onPress={() => save.mutate()}>
            {t('settings.privacy.report')}
          </Button>
          <Button icon={Copy} onPress={() => void copy()}>
            {t('shell.crashed.copy')}
          </Button>
        </div>
      </section>
    </div>
  );
  if (!isWhole) return screen;
  // The app description from main may be the cause, so this may crash too, in a boundary of its own.
  const windowControls = (
    <ErrorBoundary fallback={() => null}>
      <WindowControlsOfLast />
    </ErrorBoundary>
  );
  return (
    <RecoveryFrame label={t('shell.crashed.whole')} windowControls={windowControls}>
      {screen}
    </RecoveryFrame>
  );
}

export function PaneCrash({ name, again, error }: Parameters<PaneFallback>[0]) {
  const t = useText();
  const { text, isCopied, copy } = useDiagnostics(error);
  const [isShown, setIsShown] = useState(false);
  return (
    <section role="alert" aria-label={name} className={css['pane']}>
      <LifeBuoy aria-hidden size={18} strokeWidth={1.75} />
      <div className={css['paneWords']}>
        <b>{t('shell.crashed.pane', { name })}</b> {t('shell.crashed.text')}
        {isShown && (
          <>
            <p className={css['hint']}>{t('shell.crashed.diagnosticsText')}</p>
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reachable by the keyboard */}
            <pre className={css['text']} tabIndex={0}>
              {text}
            </pre>
            <div className="row gap-8 wrap">
              <Button size="sm" icon={Copy} onPress={() => void copy()}>
                {t('shell.crashed.copy')}
              </Button>
              <output>{isCopied && t('shell.crashed.copied')}</output>
            </div>
          </>
        )}
      </div>
      <div className="row gap-8 wrap">
        {!isShown && (
          <Button size="sm" variant="ghost" onPress={() => setIsShown(true)}>
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
