import {
  CircleAlert,
  CloudOff,
  Coins,
  FlaskConical,
  HardDrive,
  KeyRound,
  Laptop,
  ServerOff,
  ShieldX,
  type LucideIcon,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { makeFailure } from '../../../../shared/domain/failures/make-failure.ts';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import type { FailureAction } from '../../../../shared/domain/failures/actions.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useConnection } from '../../../bridge/live-state.tsx';
import { NoKeyNotice, useLacksKey } from '../../../parts/connection/key-help.tsx';
import { useSendBlocker } from '../../../parts/connection/use-send-blocker.ts';
import { useFailureActionText, useFailureWords } from '../../../lib/failure-words.ts';
import { useText } from '../../../lib/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { queueNotices, type BlockedBy, type QueueNotice } from '../model/selectors.ts';
import { useTranscribe, useTranscribeState } from '../transcribe-context.ts';

const icons: Readonly<Record<BlockedBy, LucideIcon>> = {
  key: KeyRound,
  permission: ShieldX,
  credits: Coins,
  disk: HardDrive,
  offline: CloudOff,
  service: ServerOff,
  model: Laptop,
};

/** Problems that block the whole queue, each shown once until it is resolved. */
export function QueueBanners({
  jobs,
  isModelOffered,
}: {
  readonly jobs: readonly JobView[];
  /** That a model is missing is said already. */
  readonly isModelOffered: boolean;
}) {
  const t = useText();
  const words = useFailureWords();
  const { store, openSettings } = useTranscribe();
  const { isOnline, mode, practice } = useConnection();
  const failure = useTranscribeState((state) => state.failure);
  const notices = queueNotices(jobs).filter(({ by }) => by !== 'model' || !isModelOffered);
  const lacksKey = useLacksKey();
  const isOfflineTold = notices.some(({ by }) => by === 'offline');
  return (
    <>
      {modeOf(mode).isOnThisComputer && practice === 'failed' && (
        <Banner
          role="alert"
          tone="bad"
          icon={FlaskConical}
          title={words(makeFailure('E-232')).title}
          actions={
            <>
              <Button size="sm" onPress={() => void store.resumeQueue()}>
                {t('common.tryNow')}
              </Button>
              <Button size="sm" onPress={openSettings}>
                {t('shell.settings.open')}
              </Button>
            </>
          }
        >
          {words(makeFailure('E-232')).textAfterTitle}
        </Banner>
      )}
      <MissingGrant isTold={notices.some(({ by }) => by === 'permission' || by === 'key')} />
      {mode === 'service' && !isOnline && !isOfflineTold && (
        <Banner tone="warn" icon={CloudOff} title={t('shell.offline.title')}>
          {t('shell.offline.text')}
        </Banner>
      )}
      {lacksKey && <NoKeyNotice />}
      {notices.map((notice) => !(lacksKey && notice.by === 'key') && <Notice key={notice.by} notice={notice} />)}
      {failure && (
        <Banner
          role="alert"
          tone="bad"
          icon={CircleAlert}
          title={words(failure).title}
          onDismiss={store.hideFailure}
          dismissLabel={t('common.dismiss')}
        >
          {words(failure).textAfterTitle}
        </Banner>
      )}
    </>
  );
}

/** What free requests found out about the key, shown before anything is sent with it. */
function MissingGrant({ isTold }: { readonly isTold: boolean }) {
  const words = useFailureWords();
  const failure = useSendBlocker('transcribe');
  if (failure === null || isTold) return null;
  const { title, textAfterTitle } = words(failure);
  return (
    <Banner tone="bad" icon={ShieldX} title={title} actions={<NoticeAction action="change-key" />}>
      {textAfterTitle}
    </Banner>
  );
}

function Notice({ notice }: { readonly notice: QueueNotice }) {
  const t = useText();
  const words = useFailureWords();
  const { title, textAfterTitle, actions } = words(notice.failure);
  return (
    <Banner
      tone={notice.by === 'key' || notice.by === 'permission' ? 'bad' : 'warn'}
      icon={icons[notice.by]}
      title={title}
      actions={actions.map((action) => (
        <NoticeAction key={action} action={action} />
      ))}
    >
      {textAfterTitle} {t('transcribe.waitingFiles', { count: notice.waitingCount })}
    </Banner>
  );
}

/** A button for each action that this screen can perform. */
function NoticeAction({ action }: { readonly action: FailureAction }): ReactNode {
  const { store, openSettings } = useTranscribe();
  const actionText = useFailureActionText();
  const run = {
    'try-now': () => void store.resumeQueue(),
    'go-on': () => void store.resumeQueue(),
    retry: () => void store.resumeQueue(),
    'enter-key': () => void store.enterKey(),
    'change-key': () => void store.enterKey(),
    'recheck-key': () => void store.recheckKey(),
    'change-address': openSettings,
  }[action as string];
  return run ? (
    <Button size="sm" onPress={run}>
      {actionText(action)}
    </Button>
  ) : null;
}
