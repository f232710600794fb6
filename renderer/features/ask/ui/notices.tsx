import { CircleAlert, CloudOff, KeyRound, ShieldX } from 'lucide-react';
import { useLocation } from 'wouter';
import type { Failure } from '../../../../shared/result/failure.ts';
import { useConnection } from '../../../bridge/live-state.tsx';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useText } from '../../../lib/text.ts';
import { useSendBlocker } from '../../../parts/connection/use-send-blocker.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import css from '../ask-screen.module.css';

interface NoticesProps {
  readonly failures: readonly (Failure | null)[];
  /** The thread says this already. */
  readonly told: Failure | null;
}

/** Why nothing can be asked, or was not. */
export function Notices({ failures, told }: NoticesProps) {
  const t = useText();
  const words = useFailureWords();
  const { mode, isOnline, key } = useConnection();
  const grant = useSendBlocker('ask');
  const isOffline = mode === 'service' && !isOnline;
  const needsKey = mode === 'service' && !key.present;
  const rows = new Set<string>(told === null ? [] : [told.row]);
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
              <Banner
                key={failure.row}
                role="alert"
                tone="bad"
                icon={CircleAlert}
                title={words(failure).title}
                {...(failure.row === 'E-032' && { actions: <KeyHelp failure={failure} /> })}
              >
                {words(failure).textAfterTitle}
              </Banner>
            ),
        )}
    </div>
  );
}

/** Where a key that was not accepted is put right: practice mode has its own among the keys of the account. */
export function KeyHelp({ failure }: { readonly failure: Failure | null }) {
  const t = useText();
  const { mode } = useConnection();
  const [, navigate] = useLocation();
  if (failure?.row !== 'E-032') return null;
  const isPractice = mode === 'practice';
  return (
    <Button
      size="sm"
      icon={KeyRound}
      onPress={() => {
        navigate(isPractice ? '/account/keys' : '/settings/connection');
      }}
    >
      {t(isPractice ? 'ask.openKeys' : 'ask.openConnection')}
    </Button>
  );
}
