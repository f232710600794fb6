import { useQuery } from '@tanstack/react-query';
import { Captions, FileSearch, FlaskConical, FolderSync } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { speechLanguages } from '../../../shared/domain/languages.ts';
import { modeOf } from '../../../shared/domain/modes.ts';
import { useSettings } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useRunCommand } from '../../lib/commands.tsx';
import { useText } from '../../lib/text.ts';
import { DropOverlay, DropZone } from '../../parts/files/drop-zone.tsx';
import { useTextsAndRecordingsDrop } from '../../parts/files/use-file-drop.ts';
import { JobList, JobSelection } from '../../parts/jobs/job-list.tsx';
import { JobNotices } from '../../parts/jobs/job-notices.tsx';
import { useJobList, useUndoLast } from '../../parts/jobs/jobs-context.ts';
import { AddButton, AddingArea } from '../../parts/jobs/left-out.tsx';
import { MissingModel, useMissingModels } from '../../parts/models/model-steps.tsx';
import { transcriptsQuery } from '../../parts/transcripts/transcripts-query.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PaneErrorBoundary } from '../../ui/pane-error-boundary.tsx';
import { Panel, PanelActions, PanelContent, PanelTitle } from '../../ui/panel.tsx';
import { NextFiles, usePrice } from './next-files.tsx';
import css from './transcribe-screen.module.css';

export function TranscribeScreen() {
  const t = useText();
  const { store } = useJobList();
  const run = useRunCommand();
  const { speechLanguage, mode } = useSettings();
  const missing = useMissingModels();
  useUndoLast();
  const over = useTextsAndRecordingsDrop((recordings, on) => {
    const chosen = speechLanguages.find((one) => one === on);
    if (chosen === undefined) void store.drop(recordings);
    else void store.addDropped(recordings, { language: chosen });
  });
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
            <AddButton
              text={t('transcribe.addFiles')}
              variant={missing ? 'default' : 'primary'}
              more={['files.add', 'folder.add', 'folder.watch']}
            />
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
            <div className={css['top']}>
              <PaneErrorBoundary name={t('transcribe.drop.title')}>
                {missing ? <MissingModel models={missing} text={t('models.needText')} /> : <AddHere />}
              </PaneErrorBoundary>
              <PaneErrorBoundary name={t('transcribe.next.title')}>
                <NextFiles />
              </PaneErrorBoundary>
            </div>
          </AddingArea>
          <WatchedFolders />
          <JobList empty={<EmptyQueue samples={modeOf(mode).isPractice && samples} />} />
        </div>
        <JobSelection />
      </PanelContent>
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

// A component of its own, so that a change of the rows does not redraw the whole screen.
function AddHere() {
  const t = useText();
  const price = usePrice();
  const { isPractice } = modeOf(useSettings().mode);
  return (
    <DropZone
      title={t('transcribe.drop.title')}
      text={isPractice ? t('transcribe.next.practiceHint') : (price ?? t('transcribe.drop.kinds'))}
    />
  );
}

/** Each one leads to where it is ended. */
function WatchedFolders() {
  const t = useText();
  const [, navigate] = useLocation();
  const { watchedFolders } = useSettings();
  return (
    watchedFolders.length > 0 && (
      <ul className="flow">
        {watchedFolders.map(({ id, name }) => (
          <li key={id}>
            <Button size="sm" variant="ghost" icon={FolderSync} onPress={() => navigate('/settings/automation/watch')}>
              {t('settings.automation.watching', { folder: name })}
            </Button>
          </li>
        ))}
      </ul>
    )
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
