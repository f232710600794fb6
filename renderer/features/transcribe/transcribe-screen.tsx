import { useQuery } from '@tanstack/react-query';
import { Captions, FileSearch, FlaskConical, FolderOpen, FolderSync, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import { speechLanguages } from '../../../shared/domain/languages.ts';
import { expectedCredits, minuteMs } from '../../../shared/domain/ledger/expected-cost.ts';
import { modeOf } from '../../../shared/domain/modes.ts';
import { useJobsFact, useSettings } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useCreditRate } from '../../bridge/use-credits.ts';
import { useFolderChoice } from '../../bridge/use-settings-change.ts';
import { useKeyFor, useRunCommand } from '../../lib/commands.tsx';
import { useFormats, useText } from '../../lib/text.ts';
import { DropOverlay, DropZone } from '../../parts/files/drop-zone.tsx';
import { useTextsAndRecordingsDrop } from '../../parts/files/use-file-drop.ts';
import { JobList, JobSelection } from '../../parts/jobs/job-list.tsx';
import { JobNotices, NotRead } from '../../parts/jobs/job-notices.tsx';
import { useJobList, useListedJobs, useNextTranscripts, useUndoLast } from '../../parts/jobs/jobs-context.ts';
import { AddingArea } from '../../parts/jobs/left-out.tsx';
import { MissingModel, useMissingModels } from '../../parts/models/model-steps.tsx';
import { transcriptsQuery } from '../../parts/transcripts/transcripts-query.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PaneErrorBoundary } from '../../ui/pane-error-boundary.tsx';
import { Panel, PanelActions, PanelContent, PanelTitle } from '../../ui/panel.tsx';
import { NextFiles } from './next-files.tsx';
import css from './transcribe-screen.module.css';

export function TranscribeScreen() {
  const t = useText();
  const { store } = useJobList();
  const [, navigate] = useLocation();
  const keyFor = useKeyFor();
  const choose = useFolderChoice();
  const run = useRunCommand();
  const hasJobs = useJobsFact(isThereAny);
  const { speechLanguage, mode, watchFolderName } = useSettings();
  const next = useNextTranscripts();
  const missing = useMissingModels();
  useUndoLast();
  const over = useTextsAndRecordingsDrop((recordings, on) => {
    const chosen = speechLanguages.find((one) => one === on);
    if (chosen === undefined) void store.drop(recordings, next());
    else void store.addDropped(recordings, { ...next(), language: chosen });
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
            <JobNotices />
          </PaneErrorBoundary>
          <AddingArea>
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
          </AddingArea>
          <Queue samples={modeOf(mode).isPractice && samples} />
        </div>
        <JobSelection />
      </PanelContent>
      <PaneErrorBoundary name={t('transcribe.next.title')}>
        <NextFiles />
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

const isThereAny = (jobs: readonly JobView[]) => jobs.length > 0;
const shortened = (name: string): string => (name.length <= 24 ? name : `${name.slice(0, 23)}…`);

// A component of its own, so that a change of the rows does not redraw the whole screen.
function Queue({ samples }: { readonly samples: ReactNode }) {
  const t = useText();
  const { jobs, isLoading, failure } = useListedJobs();
  if (failure !== null) return <NotRead failure={failure} />;
  if (jobs.length === 0) return isLoading ? null : <EmptyQueue samples={samples} />;
  return (
    <PaneErrorBoundary name={t('transcribe.queue')}>
      <JobList />
    </PaneErrorBoundary>
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
