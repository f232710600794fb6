import { CircleAlert, CloudOff, ShieldX } from 'lucide-react';
import type { Failure } from '../../../../shared/result/failure.ts';
import { useConnection } from '../../../bridge/live-state.tsx';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useText } from '../../../lib/text.ts';
import { useSendBlocker } from '../../../parts/connection/use-send-blocker.ts';
import { Banner } from '../../../ui/banner.tsx';
import css from '../ask-screen.module.css';

/** Why nothing can be asked, or was not. */
export function Notices({ failures }: { readonly failures: readonly (Failure | null)[] }) {
  const t = useText();
  const words = useFailureWords();
  const { mode, isOnline, key } = useConnection();
  const grant = useSendBlocker('ask');
  const isOffline = mode === 'service' && !isOnline;
  const needsKey = mode === 'service' && !key.present;
  const rows = new Set<string>();
  const shown = failures.filter((one) => one !== null && !rows.has(one.row) && rows.add(one.row));
  return (
    <div className={css['notices']}>
      {isOffline && (
        <Banner tone="warn" icon={CloudOff} title={t('shell.offline.title')}>
          {t('ask.offline')}
        </Banner>
      )}
      {needsKey && (
        <Banner tone="warn" icon={ShieldX} title={t('ask.noKey.title')}>
          {t('ask.noKey.text')}
        </Banner>
      )}
      {grant && (
        <Banner tone="warn" icon={ShieldX} title={words(grant).title}>
          {words(grant).textAfterTitle}
        </Banner>
      )}
      {!isOffline &&
        shown.map(
          (failure) =>
            failure && (
              <Banner key={failure.row} role="alert" tone="bad" icon={CircleAlert} title={words(failure).title}>
                {words(failure).textAfterTitle}
              </Banner>
            ),
        )}
    </div>
  );
}
