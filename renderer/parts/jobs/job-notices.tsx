import {
  CircleAlert,
  CloudOff,
  Coins,
  FlaskConical,
  HardDrive,
  KeyRound,
  Laptop,
  Pause,
  Play,
  ServerOff,
  ShieldX,
  type LucideIcon,
} from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import type { FailureAction } from '../../../shared/domain/failures/actions.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { batchProgress } from '../../../shared/domain/jobs/batch-progress.ts';
import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import { modeOf } from '../../../shared/domain/modes.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { useConnection, useQueue, useReadJobs } from '../../bridge/live-state.tsx';
import { useFailureActionText, useFailureText } from '../../lib/failure-text.ts';
import { useText } from '../../lib/text.ts';
import { Banner, type BannerProps } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { NoKeyNotice, useLacksKey, useSendBlocker } from '../connection/key-help.tsx';
import { useMissingModels } from '../models/model-steps.tsx';
import { isElsewhere, queueNotices, type BlockedBy, type QueueNotice } from './job-order.ts';
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
  const { store, openSettings } = useJobList();
  // That a model is missing is said already.
  const isModelOffered = useMissingModels() !== null && store.of === 'transcribe';
  const { isOnline, mode, practice } = useConnection();
  const notices = queueNotices(jobs);
  const lacksKey = useLacksKey();
  // What free requests found out about the key, shown before anything is sent with it.
  const missingGrant = useSendBlocker(store.of === 'transcribe' ? 'transcribe' : 'isolate');
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
      {mode === 'service' && !isOnline && !notices.some(({ by }) => by === 'offline') && (
        <Banner tone="warn" icon={CloudOff} title={t('shell.offline.title')}>
          {t('shell.offline.text')}
        </Banner>
      )}
      {lacksKey && <NoKeyNotice />}
      <Stopped
        jobs={jobs}
        notices={notices.filter(({ by }) => !(lacksKey && by === 'key') && !(isModelOffered && by === 'model'))}
      />
      <RefusedAction />
    </>
  );
}

/** Why rows are paused, each reason once. */
export function Stopped(props: { readonly jobs: readonly JobView[]; readonly notices?: readonly QueueNotice[] }) {
  const { jobs, notices = queueNotices(jobs) } = props;
  const t = useText();
  const words = useFailureText();
  const { goOn } = useJobList();
  const ofOthers = jobs.flatMap((job) => (isElsewhere(job) ? job.id : []));
  const isRetriable = ({ failure: of }: QueueNotice) => words(of).actions.some((action) => retries.has(action));
  return (
    <>
      {ofOthers.length > 0 && (
        <Banner
          tone="warn"
          icon={KeyRound}
          title={t('transcribe.state.pausedElsewhere')}
          actions={
            <Button size="sm" icon={Play} onPress={() => void goOn(ofOthers)}>
              {t('transcribe.actions.resume')}
            </Button>
          }
        >
          {t('transcribe.waitingFiles', { count: ofOthers.length })}
        </Banner>
      )}
      {notices.map((notice, at) => (
        <Notice
          key={notice.by}
          notice={notice}
          // One try is for all that waits.
          mayRetry={!notices.slice(0, at).some(isRetriable)}
        />
      ))}
    </>
  );
}

interface HeldProps {
  readonly jobs: readonly JobView[];
  readonly ref?: Ref<HTMLSpanElement>;
  readonly onResume: () => void;
}

/** That the user paused the whole queue. */
export function Held({ jobs, ref, onResume }: HeldProps) {
  const t = useText();
  const isLocal = modeOf(useConnection().mode).origin === 'local';
  const { isHeld } = useQueue();
  if (!isHeld) return null;
  const { waitingCount, atServiceCount } = batchProgress(jobs);
  return (
    <Banner
      icon={Pause}
      title={t('transcribe.batch.held')}
      actions={
        <span ref={ref}>
          <Button size="sm" icon={Play} onPress={onResume}>
            {t('transcribe.batch.goOn')}
          </Button>
        </span>
      }
    >
      {[
        t(isLocal ? 'transcribe.here.heldHint' : 'transcribe.batch.heldHint'),
        ...(waitingCount > 0 ? [t('transcribe.waitingFiles', { count: waitingCount })] : []),
        ...(isLocal || atServiceCount === 0 ? [] : [t('transcribe.batch.heldAtService', { count: atServiceCount })]),
      ].join(' ')}
    </Banner>
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
