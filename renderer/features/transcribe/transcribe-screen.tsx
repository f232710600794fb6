import { Captions, FlaskConical, FolderOpen, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { useJobs, useSettings } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useCommand } from '../../bridge/use-command.ts';
import { useText } from '../../lib/text.ts';
import { useHotkey } from '../../lib/use-hotkey.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Panel, PanelActions, PanelContent, PanelTitle } from '../../ui/panel.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { sortJobs } from './model/selectors.ts';
import { createTranscribeStore } from './model/transcribe-store.ts';
import { TranscribeContext, useTranscribe, useTranscribeState } from './transcribe-context.ts';
import css from './transcribe-screen.module.css';
import { BatchHeader } from './ui/batch-header.tsx';
import { DropOverlay, DropZone } from './ui/drop-zone.tsx';
import { NextFilesOptions } from './ui/next-files-options.tsx';
import { QueueBanners } from './ui/queue-banners.tsx';
import { QueueList } from './ui/queue-list.tsx';
import { QueueOverlays } from './ui/queue-overlays.tsx';
import { RefusedList } from './ui/refused-list.tsx';
import { useFileDrop } from './ui/use-file-drop.ts';

/** Recordings in, text out: everything on its way, failed first. */
export function TranscribeScreen({ onOpenSettings }: { readonly onOpenSettings: () => void }) {
  const studio = useStudio();
  const [, navigate] = useLocation();
  const [store] = useState(() => createTranscribeStore(studio));
  const actions = useMemo(
    () => ({
      store,
      openSettings: onOpenSettings,
      openTranscript: (transcriptId: string) => {
        navigate(`/transcripts/${transcriptId}`);
      },
    }),
    [store, navigate, onOpenSettings],
  );
  return (
    <TranscribeContext value={actions}>
      <TranscribePanel />
    </TranscribeContext>
  );
}

function TranscribePanel() {
  const t = useText();
  const { store } = useTranscribe();
  const { jobs, isLoading } = useJobs();
  const { speechLanguage, includeSpeakers, mode } = useSettings();
  const next = { language: speechLanguage, includeSpeakers };
  const over = useFileDrop((files) => void store.addDropped(files, next));
  const addFiles = () => void store.addPicked('files', next);
  const addFolder = () => void store.addPicked('folder', next);
  useHotkey('Mod+KeyO', addFiles);
  useCommand('files.add', addFiles);
  useCommand('folder.add', addFolder);
  const sorted = useMemo(() => sortJobs(jobs), [jobs]);
  const samples = (
    <Button icon={FlaskConical} onPress={() => void store.addSamples()}>
      {t('transcribe.trySamples')}
    </Button>
  );
  return (
    <Panel
      header={
        <>
          <PanelTitle>{t('transcribe.title')}</PanelTitle>
          <PanelActions>
            {mode === 'practice' && jobs.length > 0 && samples}
            <Button variant="ghost" icon={FolderOpen} onPress={addFolder}>
              {t('transcribe.addFolder')}
            </Button>
            <Button variant="primary" icon={Plus} shortcut="Mod+KeyO" onPress={addFiles}>
              {t('transcribe.addFiles')}
            </Button>
          </PanelActions>
        </>
      }
    >
      <PanelContent label={t('transcribe.title')}>
        <div className={css['content']}>
          <QueueBanners jobs={jobs} />
          <DropZone onBrowse={addFiles} />
          <Adding />
          <RefusedList />
          {jobs.length > 0 ? (
            <>
              <BatchHeader jobs={jobs} />
              <QueueList jobs={sorted} />
            </>
          ) : (
            !isLoading && (
              <EmptyState icon={Captions} title={t('transcribe.empty.title')} action={mode === 'practice' && samples}>
                {t('transcribe.empty.text')}
              </EmptyState>
            )
          )}
        </div>
      </PanelContent>
      <NextFilesOptions />
      <DropOverlay over={over} />
      <QueueOverlays jobs={jobs} />
    </Panel>
  );
}

function Adding() {
  const t = useText();
  const count = useTranscribeState((state) => state.addingCount);
  return (
    <output className={css['adding']}>
      {count > 0 && (
        <>
          <Spinner /> {t('transcribe.adding', { count })}
        </>
      )}
    </output>
  );
}
