import { CircleAlert, FlaskConical, FolderOpen, FolderSync, Plus } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import { speechLanguages } from '../../../shared/domain/languages.ts';
import { expectedCredits, minuteMs } from '../../../shared/domain/ledger/expected-cost.ts';
import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { useLocation } from 'wouter';
import { modeOf } from '../../../shared/domain/modes.ts';
import { useJobs, useJobsFact, useReadJobs, useSettings } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useCreditRate } from '../../bridge/use-credits.ts';
import { useFolderChoice } from '../../bridge/use-settings-change.ts';
import { useKeyFor, useRunCommand } from '../../lib/commands.tsx';
import { useFailureWords } from '../../lib/failure-words.ts';
import { useFormats, useText } from '../../lib/text.ts';
import { useNow } from '../../lib/use-now.ts';
import { useUndoKey } from '../../lib/use-undo-key.ts';
import { AddingNotice } from '../../parts/files/adding-notice.tsx';
import { DropOverlay, DropZone } from '../../parts/files/drop-zone.tsx';
import { useTextsAndRecordingsDrop } from '../../parts/files/use-file-drop.ts';
import { MissingModel } from '../../parts/models/missing-model.tsx';
import { useMissingModels } from '../../parts/models/use-local-models.ts';
import { transcriptsQuery, useFreshTranscripts } from '../../parts/transcripts/transcripts-query.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { PaneGuard } from '../../ui/pane-guard.tsx';
import { Panel, PanelActions, PanelContent, PanelTitle } from '../../ui/panel.tsx';
import { queueItems, sameItems, shownJobs } from './model/queue-order.ts';
import { withTwins } from './model/selectors.ts';
import { useTranscribe, useTranscribeState } from './transcribe-context.ts';
import css from './transcribe-screen.module.css';
import { BatchHeader } from './ui/batch-header.tsx';
import { EmptyQueue } from './ui/empty-queue.tsx';
import { NextFilesOptions } from './ui/next-files-options.tsx';
import { QueueBanners } from './ui/queue-banners.tsx';
import { QueueList } from './ui/queue-list.tsx';
import { RefusedList, Repeated, Twins } from './ui/refused-list.tsx';
import { SelectionBar } from './ui/selection-bar.tsx';

/** The Transcribe section: recordings go in, and every job is listed, failed ones first. */
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
          <PaneGuard name={t('transcribe.notices')}>
            <Notices />
          </PaneGuard>
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
      <PaneGuard name={t('transcribe.next.title')}>
        <NextFilesOptions />
      </PaneGuard>
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

/** What adding costs, as far as it is known; undefined where it is free. */
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

/** Short enough for a button. */
const shortened = (name: string): string => (name.length <= 24 ? name : `${name.slice(0, 23)}…`);

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

function Notices() {
  const { jobs } = useJobs();
  return <QueueBanners jobs={jobs} isModelOffered={useMissingModels() !== null} />;
}

function Jobs({ samples }: { readonly samples: ReactNode }) {
  const t = useText();
  const { jobs, isLoading, failure } = useJobs();
  return (
    <>
      {failure && <NotRead failure={failure} />}
      {jobs.length > 0 ? (
        <PaneGuard name={t('transcribe.queue')}>
          <Queue jobs={jobs} />
        </PaneGuard>
      ) : (
        !isLoading && failure === null && <EmptyQueue samples={samples} />
      )}
    </>
  );
}

function Queue({ jobs }: { readonly jobs: readonly JobView[] }) {
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
      {items.length > 0 ? <QueueList items={items} /> : <NothingShown />}
    </>
  );
}

/** Placed below the list, so that rows stay under the pointer and none is covered. */
function Selection() {
  const { jobs } = useJobs();
  return <SelectionBar jobs={jobs} />;
}

/** The rows exist in the library but could not be read here, so an empty list would be misleading. */
function NotRead({ failure }: { readonly failure: Failure }) {
  const t = useText();
  const { title, textAfterTitle } = useFailureWords()(failure);
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

function NothingShown() {
  const t = useText();
  const { store } = useTranscribe();
  return (
    <p className={css['nothing']}>
      {t('transcribe.batch.nothing')}{' '}
      <Button
        size="sm"
        variant="ghost"
        onPress={() => {
          store.filterBy('all');
        }}
      >
        {t('transcribe.batch.showAll')}
      </Button>
    </p>
  );
}
