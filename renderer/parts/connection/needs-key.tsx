import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useText } from '../../lib/text.ts';
import { Button } from '../../ui/button.tsx';
import css from './needs-key.module.css';

/** Where it is said what a key adds. */
export const keyPlace = '/account';

/** Says in one sentence that something is not done on this computer, and leads to what a key adds. */
export function NeedsKey({ children }: { readonly children: ReactNode }) {
  const t = useText();
  const [, navigate] = useLocation();
  return (
    <div className={css['line']}>
      <p>{children}</p>
      <Button
        size="sm"
        variant="ghost"
        iconAfter={ChevronRight}
        onPress={() => {
          navigate(keyPlace);
        }}
      >
        {t('shell.more.title')}
      </Button>
    </div>
  );
}
