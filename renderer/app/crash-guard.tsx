import { LifeBuoy } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../lib/text.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorBoundary } from '../ui/error-boundary.tsx';

/** One around each pane: a defect takes down no more than the pane it is in. */
export function CrashGuard({ children }: { readonly children: ReactNode }) {
  const t = useText();
  return (
    <ErrorBoundary
      fallback={(again) => (
        <EmptyState
          icon={LifeBuoy}
          title={t('shell.crashed.title')}
          action={<Button onPress={again}>{t('shell.crashed.again')}</Button>}
        >
          {t('shell.crashed.text')}
        </EmptyState>
      )}
    >
      {children}
    </ErrorBoundary>
  );
}
