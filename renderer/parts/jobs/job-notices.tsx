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
import type { FailureAction } from '../../../shared/domain/failures/actions.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { modeOf } from '../../../shared/domain/modes.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { useConnection, useReadJobs } from '../../bridge/live-state.tsx';
import { useFailureActionText, useFailureText } from '../../lib/failure-text.ts';
import { useText } from '../../lib/text.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { NoKeyNotice, useLacksKey, useSendBlocker } from '../connection/key-help.tsx';
import { useMissingModels } from '../models/model-steps.tsx';
import { queueNotices, type BlockedBy, type QueueNotice } from './job-order.ts';
import { useJobList, useJobsState, useListedJobs } from './jobs-context.ts';

const icons: Readonly<Record<BlockedBy, LucideIcon>> = {
  key: KeyRound,
  permission: ShieldX,
  credits: Coins,
  disk: HardDrive,
  offline: CloudOff,
  service: ServerOff,
  model: Laptop,
};

/** What keeps these rows from being sent, or will, and why the last command was refused. */
export function JobNotices() {
  const { jobs } = useListedJobs();
  const t = useText();
  const words = useFailureText();
  const { store, openSettings } = useJobList();
  // That a model is missing is said already.
  const isModelOffered = useMissingModels() !== null && store.of === 'transcribe';
  const { isOnline, mode, practice } = useConnection();
  const notices = queueNotices(jobs).filter(({ by }) => by !== 'model' || !isModelOffered);
  const lacksKey = useLacksKey();
  const shown = notices.filter(({ by }) => !(lacksKey && by === 'key'));
  const isRetriable = ({ failure: of }: QueueNotice) => words(of).actions.some((action) => retries.has(action));
  // What free requests found out about the key, shown before anything is sent with it.
  const missingGrant = useSendBlocker(store.of === 'transcribe' ? 'transcribe' : 'isolate');
  const isOfflineTold = notices.some(({ by }) => by === 'offline');
  return (
    <>
      {modeOf(mode).isOnThisComputer && practice === 'failed' && (
        <Banner
          role="alert"
          tone="bad"
          icon={FlaskConical}
          title={words(makeFailure('practice-not-started')).title}
          actions={
            <>
              <Button size="sm" onPress={() => void store.ask('jobs.resumeQueue', {})}>
                {t('common.tryNow')}
              </Button>
              <Button size="sm" onPress={openSettings}>
                {t('shell.settings.open')}
              </Button>
            </>
          }
        >
          {words(makeFailure('practice-not-started')).textAfterTitle}
        </Banner>
      )}
      {missingGrant && !notices.some(({ by }) => by === 'permission' || by === 'key') && (
        <Banner
          tone="bad"
          icon={ShieldX}
          title={words(missingGrant).title}
          actions={<NoticeAction action="change-key" />}
        >
          {words(missingGrant).textAfterTitle}
        </Banner>
      )}
      {mode === 'service' && !isOnline && !isOfflineTold && (
        <Banner tone="warn" icon={CloudOff} title={t('shell.offline.title')}>
          {t('shell.offline.text')}
        </Banner>
      )}
      {lacksKey && <NoKeyNotice />}
      {shown.map((notice, at) => (
        <Notice
          key={notice.by}
          notice={notice}
          // One try is for all that waits.
          mayRetry={!shown.slice(0, at).some(isRetriable)}
        />
      ))}
      <RefusedAction />
    </>
  );
}

export function RefusedAction() {
  const t = useText();
  const words = useFailureText();
  const { store } = useJobList();
  const failure = useJobsState((state) => state.failure);
  if (failure === null) return null;
  const { title, textAfterTitle } = words(failure);
  return (
    <Banner
      role="alert"
      tone="bad"
      icon={CircleAlert}
      title={title}
      onDismiss={store.hideFailure}
      dismissLabel={t('common.dismiss')}
    >
      {textAfterTitle}
    </Banner>
  );
}

const retries: ReadonlySet<FailureAction> = new Set<FailureAction>(['try-now', 'go-on', 'retry']);

function Notice({ notice, mayRetry }: { readonly notice: QueueNotice; readonly mayRetry: boolean }) {
  const t = useText();
  const words = useFailureText();
  const { title, textAfterTitle, actions } = words(notice.failure);
  return (
    <Banner
      tone={notice.by === 'key' || notice.by === 'permission' ? 'bad' : 'warn'}
      icon={icons[notice.by]}
      title={title}
      actions={actions.map(
        (action) => (mayRetry || !retries.has(action)) && <NoticeAction key={action} action={action} />,
      )}
    >
      {textAfterTitle} {t('transcribe.waitingFiles', { count: notice.waitingCount })}
    </Banner>
  );
}

function NoticeAction({ action }: { readonly action: FailureAction }): ReactNode {
  const { store, openSettings } = useJobList();
  const actionText = useFailureActionText();
  const run = {
    'try-now': () => void store.ask('jobs.resumeQueue', {}),
    'go-on': () => void store.ask('jobs.resumeQueue', {}),
    retry: () => void store.ask('jobs.resumeQueue', {}),
    'enter-key': () => void store.ask('connection.enterKey', {}),
    'change-key': () => void store.ask('connection.enterKey', {}),
    'recheck-key': () => void store.ask('connection.recheckKey', {}),
    'change-address': openSettings,
  }[action as string];
  return run ? (
    <Button size="sm" onPress={run}>
      {actionText(action)}
    </Button>
  ) : null;
}

/** The rows exist in the library but could not be read here, so an empty list would be misleading. */
export function NotRead({ failure }: { readonly failure: Failure }) {
  const t = useText();
  const { title, textAfterTitle } = useFailureText()(failure);
  const { isReading, read } = useReadJobs();
  return (
    <Banner
      role="alert"
      tone="bad"
      icon={CircleAlert}
      title={t('transcribe.notRead')}
      actions={
        <Button size="sm" isLoading={isReading} onPress={read}>
          {t('common.tryAgain')}
        </Button>
      }
    >
      {title.replace(/[.]?$/u, '.')} {textAfterTitle}
    </Banner>
  );
}
