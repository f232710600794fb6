import { CircleAlert, CloudOff, ShieldX } from 'lucide-react';
import type { Failure } from '../../../../shared/result/failure.ts';
import { useConnection } from '../../../bridge/live-state.tsx';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useText } from '../../../lib/text.ts';
import { KeyHelp, NoKeyNotice, useLacksKey } from '../../../parts/connection/key-help.tsx';
import { useSendBlocker } from '../../../parts/connection/use-send-blocker.ts';
import { Banner } from '../../../ui/banner.tsx';
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
  const { mode, isOnline } = useConnection();
  const grant = useSendBlocker('ask');
  const isOffline = mode === 'service' && !isOnline;
  const lacksKey = useLacksKey();
  const rows = new Set<string>(told === null ? [] : [told.row]);
  // That there is no key says it all, so a question that was refused for it says nothing more.
  if (lacksKey) rows.add('E-235');
  const shown = failures.filter((one) => one !== null && !rows.has(one.row) && rows.add(one.row));
  return (
    <div className={css['notices']}>
      {isOffline && (
        <Banner tone="warn" icon={CloudOff} title={t('shell.offline.title')}>
          {t('ask.offline')}
        </Banner>
      )}
      {lacksKey && <NoKeyNotice text={t('ask.noKey.text')} />}
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
                {...(failure.row === 'E-032' && { actions: <KeyHelp /> })}
              >
                {words(failure).textAfterTitle}
              </Banner>
            ),
        )}
    </div>
  );
}
