import { useQuery } from '@tanstack/react-query';
import {
  CircleAlert,
  FlaskConical,
  FolderOpen,
  FolderSync,
  Plus,
  Captions,
  FileSearch,
  Pause,
  Play,
  RotateCw,
  Share,
  Trash2,
  X,
  CloudOff,
  Coins,
  HardDrive,
  KeyRound,
  Laptop,
  ServerOff,
  ShieldX,
  type LucideIcon,
} from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { Toolbar } from 'react-aria-components';
import { useLocation } from 'wouter';
import { baseName } from '../../../shared/domain/exports/safe-file-name.ts';
import type { FailureAction } from '../../../shared/domain/failures/actions.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import { speechLanguages } from '../../../shared/domain/languages.ts';
import { expectedCredits, minuteMs } from '../../../shared/domain/ledger/expected-cost.ts';
import { modeOf } from '../../../shared/domain/modes.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { useJobs, useJobsFact, useReadJobs, useSettings, useQueue, useConnection } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useCreditRate } from '../../bridge/use-credits.ts';
import { useFolderChoice } from '../../bridge/use-settings-change.ts';
import { useKeyFor, useRunCommand } from '../../lib/commands.tsx';
import { useFailureText, useFailureActionText } from '../../lib/failure-text.ts';
import { useFormats, useText } from '../../lib/text.ts';
import { useNow } from '../../lib/use-now.ts';
import { useUndoKey } from '../../lib/use-undo-key.ts';
import { NoKeyNotice, useLacksKey, useSendBlocker } from '../../parts/connection/key-help.tsx';
import { ManyExports } from '../../parts/exports/many-exports.tsx';
import { AddingNotice } from '../../parts/files/adding-notice.tsx';
import { DropOverlay, DropZone } from '../../parts/files/drop-zone.tsx';
import { useTextsAndRecordingsDrop } from '../../parts/files/use-file-drop.ts';
import { MissingModel, useMissingModels } from '../../parts/models/model-steps.tsx';
import { transcriptsQuery, useFreshTranscripts } from '../../parts/transcripts/transcripts-query.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { PaneErrorBoundary } from '../../ui/pane-error-boundary.tsx';
import { Panel, PanelActions, PanelContent, PanelTitle } from '../../ui/panel.tsx';
import {
  queueItems,
  sameItems,
  shownJobs,
  isPausable,
  withTwins,
  isCancellable,
  isRemovable,
  queueNotices,
  type BlockedBy,
  type QueueNotice,
} from './model/queue-order.ts';
import { useTranscribe, useTranscribeState } from './transcribe-context.ts';
import css from './transcribe-screen.module.css';
import { BatchHeader } from './ui/batch-header.tsx';
import { NextFilesOptions } from './ui/next-files-options.tsx';
import { QueueList } from './ui/queue-list.tsx';
import { RefusedList, Repeated, Twins } from './ui/refused-list.tsx';

const icons: Readonly<Record<BlockedBy, LucideIcon>> = {
  key: KeyRound,
  permission: ShieldX,
  credits: Coins,
  disk: HardDrive,
  offline: CloudOff,
  service: ServerOff,
  model: Laptop,
};

export function TranscribeScreen() {
  const t = useText();
  const { store } = useTranscribe();
  const [, navigate] = useLocation();
  const keyFor = useKeyFor();
  const choose = useFolderChoice();
  const run = useRunCommand();
  const hasJobs = useJobsFact(isThereAny);
  const { speechLanguage, includeSpeakers, mode, watchFolderName } = useSettings();
  const missing = useMissingModels();
  const canUndo = useTranscribeState(({ undos }) => undos.length > 0);
  useUndoKey(canUndo ? () => store.getState().undos.at(-1)?.() : null);
  const over = useTextsAndRecordingsDrop((recordings, on) => {
    const chosen = speechLanguages.find((one) => one === on);
    if (chosen === undefined) void store.drop(recordings, { language: speechLanguage, includeSpeakers });
    else void store.addDropped(recordings, { language: chosen, includeSpeakers });
  });
  const price = usePrice();
  const addFiles = () => run('files.add');
  const addFolder = () => run('folder.add');
  const samples = (
    <Button icon={FlaskConical} onPress={() => run('samples.add')}>
      {t('transcribe.trySamples')}
    </Button>
  );
  return (
    <Panel
      header={
        <>
          <PanelTitle>{t('transcribe.title')}</PanelTitle>
          <PanelActions>
            <Button
              variant="ghost"
              icon={FolderSync}
              onPress={() => {
                if (watchFolderName === null) void choose('watch');
                else navigate('/settings/automation/watch');
              }}
            >
              {watchFolderName === null
                ? t('transcribe.watchFolder')
                : t('settings.automation.watching', { folder: shortened(watchFolderName) })}
            </Button>
            <Button variant="ghost" icon={FolderOpen} onPress={addFolder}>
              {t('transcribe.addFolder')}
            </Button>
            <Button
              variant={missing ? 'default' : 'primary'}
              icon={Plus}
              shortcut={keyFor('files.add')}
              onPress={addFiles}
            >
              {t('transcribe.addFiles')}
            </Button>
          </PanelActions>
        </>
      }
    >
      <PanelContent label={t('transcribe.title')}>
        <div className={css['content']}>
          <PaneErrorBoundary name={t('transcribe.notices')}>
            <Notices />
          </PaneErrorBoundary>
          <div className={css['drop']}>
            {missing ? (
              <MissingModel models={missing} text={t('models.needText')} />
            ) : (
              <DropZone
                isSmall={hasJobs}
                title={t('transcribe.drop.title')}
                text={t('transcribe.drop.formats')}
                price={price}
                onBrowse={addFiles}
              />
            )}
            <RefusedList />
            <Repeated />
            <Twins />
          </div>
          <Adding />
          <Jobs samples={modeOf(mode).isPractice && samples} />
        </div>
        <Selection />
      </PanelContent>
      <PaneErrorBoundary name={t('transcribe.next.title')}>
        <NextFilesOptions />
      </PaneErrorBoundary>
      <DropOverlay
        over={over}
        choices={{
          label: t('transcribe.drop.overLanguage'),
          usual: speechLanguage,
          options: speechLanguages.map((value) => ({ value, text: t(`common.languages.${value}`), lang: value })),
        }}
      />
    </Panel>
  );
}

function usePrice(): string | undefined {
  const t = useText();
  const formats = useFormats();
  const { mode } = useSettings();
  const rate = useCreditRate();
  if (modeOf(mode).isFree) return undefined;
  const credits = rate.creditsPerHour === null ? null : expectedCredits([{ durationMs: minuteMs, sizeBytes: 0 }], rate);
  if (credits === null) return t('transcribe.drop.charged');
  const count = Math.ceil(credits * 10) / 10;
  return t('transcribe.drop.chargedAbout', { count, amount: formats.number(count) });
}

const shortened = (name: string): string => (name.length <= 24 ? name : `${name.slice(0, 23)}…`);

const isPaused = ({ state }: JobView) => state.tag === 'paused';
const isFailed = ({ state }: JobView) => state.tag === 'failed';
const isThereAny = (jobs: readonly JobView[]) => jobs.length > 0;

// Separate components, so that a change of the rows does not redraw the whole screen.
function Adding() {
  const { store } = useTranscribe();
  return (
    <AddingNotice
      count={useTranscribeState((state) => state.addingCount)}
      step={useTranscribeState((state) => state.addingStep)}
      stopped={useTranscribeState((state) => state.stoppedAdding)}
      onStop={() => void store.stopAdding()}
      onHideStopped={store.hideStopped}
    />
  );
}

function Jobs({ samples }: { readonly samples: ReactNode }) {
  const t = useText();
  const { jobs, isLoading, failure } = useJobs();
  return (
    <>
      {failure && <NotRead failure={failure} />}
      {jobs.length > 0 ? (
        <PaneErrorBoundary name={t('transcribe.queue')}>
          <Queue jobs={jobs} />
        </PaneErrorBoundary>
      ) : (
        !isLoading && failure === null && <EmptyQueue samples={samples} />
      )}
    </>
  );
}

function Queue({ jobs }: { readonly jobs: readonly JobView[] }) {
  const t = useText();
  const { store } = useTranscribe();
  const filter = useTranscribeState((state) => state.filter);
  const order = useTranscribeState((state) => state.order);
  useFreshTranscripts();
  const { data: transcripts } = useQuery(transcriptsQuery(useStudio()));
  const texts = useMemo(() => new Map((transcripts ?? []).map((text) => [text.id, text])), [transcripts]);
  const areTextsKnown = transcripts !== undefined;
  const current = useMemo(() => withTwins(jobs, areTextsKnown ? texts : null), [jobs, texts, areTextsKnown]);
  const nowMs = useNow(false);
  const shown = useMemo(
    () => queueItems(shownJobs(current, filter, order), texts, order === 'queue' ? { nowMs } : null),
    [current, filter, order, texts, nowMs],
  );
  const [keepSame] = useState(sameItems);
  const items = useMemo(() => keepSame(shown), [keepSame, shown]);
  return (
    <>
      <BatchHeader jobs={jobs} />
      {items.length > 0 ? (
        <QueueList items={items} />
      ) : (
        <p className={css['nothing']}>
          {t('transcribe.batch.nothing')}{' '}
          <Button size="sm" variant="ghost" onPress={() => store.filterBy('all')}>
            {t('transcribe.batch.showAll')}
          </Button>
        </p>
      )}
    </>
  );
}

/** The rows exist in the library but could not be read here, so an empty list would be misleading. */
function NotRead({ failure }: { readonly failure: Failure }) {
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

function EmptyQueue({ samples }: { readonly samples: ReactNode }) {
  const t = useText();
  const run = useRunCommand();
  const { data: transcripts = [] } = useQuery(transcriptsQuery(useStudio()));
  const find = transcripts.length > 0 && (
    <Button icon={FileSearch} onPress={() => run('transcripts.find')}>
      {t('palette.commands.findTranscript')}
    </Button>
  );
  return (
    <EmptyState
      icon={Captions}
      title={t('transcribe.empty.title')}
      action={
        (find || samples) && (
          <>
            {find}
            {samples}
          </>
        )
      }
    >
      {t('transcribe.empty.text')}
    </EmptyState>
  );
}

/** Placed below the list, so that rows stay under the pointer and none is covered. */
function Selection() {
  const { jobs } = useJobs();
  const t = useText();
  const { store, removeRows, cancelRows } = useTranscribe();
  const selectedIds = useTranscribeState((state) => state.selectedIds);
  const selected = jobs.filter(({ id }) => selectedIds.has(id));
  const [isExporting, setExporting] = useState(false);
  const { isHeld } = useQueue();
  // What was wanted of an earlier selection does not open by itself for the next one.
  if (isExporting && selected.length === 0) setExporting(false);
  if (selected.length === 0) return null;
  const forRows = (
    fits: (job: JobView) => boolean,
    icon: LucideIcon,
    text: string,
    act: (ids: readonly string[]) => void,
  ) => {
    const ids = selected.filter(fits).map(({ id }) => id);
    return (
      ids.length > 0 && (
        <Button size="sm" icon={icon} onPress={() => act(ids)}>
          {text}
        </Button>
      )
    );
  };
  const transcripts = selected.flatMap(({ name, kind, state }) =>
    kind === 'transcribe' && state.tag === 'done' && state.transcriptId !== undefined
      ? [{ id: state.transcriptId, title: baseName(name) }]
      : [],
  );
  return (
    <Toolbar className={css['bar'] ?? ''} aria-label={t('transcribe.selection.label')}>
      <output className={css['count']}>{t('transcribe.selection.count', { count: selected.length })}</output>
      <div className={css['actions']}>
        {!isHeld && forRows(isPausable, Pause, t('transcribe.actions.pause'), (ids) => void store.actOn(ids, 'pause'))}
        {forRows(isPaused, Play, t('transcribe.actions.resume'), (ids) => void store.actOn(ids, 'go-on'))}
        {forRows(isFailed, RotateCw, t('common.retry'), (ids) => void store.actOn(ids, 'retry'))}
        {forRows(isCancellable, X, t('transcribe.actions.cancel'), cancelRows)}
        {transcripts.length > 0 && (
          <Button size="sm" icon={Share} onPress={() => setExporting(true)}>
            {t('transcribe.selection.export')}
          </Button>
        )}
        {isExporting && <ManyExports transcripts={transcripts} onClose={() => setExporting(false)} />}
        {forRows(isRemovable, Trash2, t('common.remove'), removeRows)}
      </div>
      <IconButton
        size="sm"
        icon={X}
        className={css['clear']}
        label={t('transcribe.selection.clear')}
        onPress={() => store.select(new Set())}
      />
    </Toolbar>
  );
}

function Notices() {
  const { jobs } = useJobs();
  // That a model is missing is said already.
  const isModelOffered = useMissingModels() !== null;
  const t = useText();
  const words = useFailureText();
  const { store, openSettings } = useTranscribe();
  const { isOnline, mode, practice } = useConnection();
  const failure = useTranscribeState((state) => state.failure);
  const notices = queueNotices(jobs).filter(({ by }) => by !== 'model' || !isModelOffered);
  const lacksKey = useLacksKey();
  // What free requests found out about the key, shown before anything is sent with it.
  const missingGrant = useSendBlocker('transcribe');
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
              <Button size="sm" onPress={() => void store.resumeQueue()}>
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

function Notice({ notice }: { readonly notice: QueueNotice }) {
  const t = useText();
  const words = useFailureText();
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
