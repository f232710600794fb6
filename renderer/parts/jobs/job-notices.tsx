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
import { Banner, type BannerProps } from '../../ui/banner.tsx';
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
        <FailureBanner
          role="alert"
          icon={FlaskConical}
          failure={makeFailure('practice-not-started')}
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
        />
      )}
      {missingGrant && !notices.some(({ by }) => by === 'permission' || by === 'key') && (
        <FailureBanner icon={ShieldX} failure={missingGrant} actions={<NoticeAction action="change-key" />} />
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

function FailureBanner(props: Omit<BannerProps, 'title'> & { readonly failure: Failure }) {
  const { failure, children, ...banner } = props;
  const { title, textAfterTitle } = useFailureText()(failure);
  return (
    <Banner tone="bad" title={title} {...banner}>
      {children ? [textAfterTitle, ' ', children] : textAfterTitle}
    </Banner>
  );
}

/** Why the last command was refused. */
export function RefusedAction() {
  const { store } = useJobList();
  const failure = useJobsState((state) => state.failure);
  if (failure === null) return null;
  return <FailureBanner role="alert" icon={CircleAlert} failure={failure} onDismiss={() => store.dismiss('failure')} />;
}

const retries: ReadonlySet<FailureAction> = new Set<FailureAction>(['try-now', 'go-on', 'retry']);

function Notice({ notice, mayRetry }: { readonly notice: QueueNotice; readonly mayRetry: boolean }) {
  const t = useText();
  const words = useFailureText();
  return (
    <FailureBanner
      tone={notice.by === 'key' || notice.by === 'permission' ? 'bad' : 'warn'}
      icon={icons[notice.by]}
      failure={notice.failure}
      actions={words(notice.failure).actions.map(
        (action) => (mayRetry || !retries.has(action)) && <NoticeAction key={action} action={action} />,
      )}
    >
      {t('transcribe.waitingFiles', { count: notice.waitingCount })}
    </FailureBanner>
  );
}

function NoticeAction({ action }: { readonly action: FailureAction }): ReactNode {
  const { store, openSettings } = useJobList();
  const actionText = useFailureActionText();
  const run = {
    retry: () => void store.ask('jobs.resumeQueue', {}),
    'enter-key': () => void store.ask('connection.enterKey', {}),
    'recheck-key': () => void store.ask('connection.recheckKey', {}),
    'change-address': openSettings,
  }[retries.has(action) ? 'retry' : action === 'change-key' ? 'enter-key' : (action as string)];
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
