import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Blend, CircleAlert, CopyCheck, FileX2, FlaskConical, FolderOpen, Plus } from 'lucide-react';
import { useEffect, useRef, useState, type CSSProperties, type ReactNode } from 'react';
import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import { failureOf, valueOrThrow } from '../../bridge/request-error.ts';
import { useJobs, useSettings } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useCommands, useKeyFor } from '../../lib/commands.tsx';
import { useFailureFacts, useFailureWords } from '../../lib/failure-words.ts';
import type { SectionScreenProps } from '../../lib/section.ts';
import { useText } from '../../lib/text.ts';
import { useUndoKey } from '../../lib/use-undo-key.ts';
import { AddingNotice } from '../../parts/files/adding-notice.tsx';
import { DropOverlay, DropZone } from '../../parts/files/drop-zone.tsx';
import { useFileDrop } from '../../parts/files/use-file-drop.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PaneGuard } from '../../ui/pane-guard.tsx';
import { Inspector, Panel, PanelActions, PanelContent, PanelTitle } from '../../ui/panel.tsx';
import { useCopy } from '../../ui/notices.ts';
import { useIsolate, useIsolateOptions, useIsolateState } from './isolate-context.ts';
import css from './isolate-screen.module.css';
import { withRepeats } from './model/repeats.ts';
import { Compare } from './ui/compare.tsx';
import { fewest, IsolateList, sortIsolations } from './ui/isolate-list.tsx';
import { NextFiles } from './ui/next-files.tsx';
import { PartOfRecording } from './ui/part-of-recording.tsx';
import { ReadyToSend } from './ui/ready-to-send.tsx';
import { Recording } from './ui/recording.tsx';
import { Results } from './ui/results.tsx';
import { Sums } from './ui/sums.tsx';
import { useHideRows } from './ui/use-row-actions.ts';

const pollMs = 700;

/** The Isolate section: noisy recordings go in, and each result can be compared with its original. */
export function IsolateScreen({ subpath, onSubpath }: SectionScreenProps) {
  const t = useText();
  const store = useIsolate();
  const keyFor = useKeyFor();
  const { mode } = useSettings();
  const options = useIsolateOptions();
  const { jobs: all } = useJobs();
  const jobs = withRepeats(all.filter(({ kind }) => kind === 'isolate'));
  const over = useFileDrop((files) => void store.addDropped(files, options));
  const addFiles = () => void store.addPicked('files', options);
  const addFolder = () => void store.addPicked('folder', options);
  const canUndo = useIsolateState(({ hidden }) => hidden.length > 0);
  useCommands({
    'files.add': addFiles,
    'folder.add': addFolder,
    'isolate.undoHide': canUndo && (() => void store.undoHide()),
  });
  useUndoKey(canUndo ? () => void store.undoHide() : null);
  const hide = useHideRows();
  const kept = useIsolateState((state) => state.shownAudioId);
  const isKeptThere = jobs.some(({ state }) => state.tag === 'done' && state.audioId === kept);
  const audioId = subpath !== '' ? subpath : isKeptThere ? kept : newestResult(jobs);
  useEffect(() => {
    store.show(audioId);
  }, [store, audioId]);
  const shown = jobs.find(({ state }) => state.tag === 'done' && audioId !== null && state.audioId === audioId);
  // A hidden recording does not stay open with its buttons that cost; another key press would hide the next one.
  const listedId = useRef<string | null>(null);
  useEffect(() => {
    if (shown !== undefined) listedId.current = audioId;
    else if (subpath !== '' && listedId.current === subpath) onSubpath('');
  }, [shown, audioId, subpath, onSubpath]);
  useCommands({ 'isolate.hide': shown !== undefined && (() => void hide([shown])) });
  const sample = mode === 'practice' && (
    <Button icon={FlaskConical} onPress={() => void store.addSample(options)}>
      {t('isolate.sample')}
    </Button>
  );
  return (
    <Panel
      header={
        <>
          <PanelTitle>{t('isolate.title')}</PanelTitle>
          <PanelActions>
            {jobs.length > 0 && jobs.length < fewest && sample}
            <Button variant="ghost" icon={FolderOpen} onPress={addFolder}>
              {t('isolate.addFolder')}
            </Button>
            <Button variant="primary" icon={Plus} shortcut={keyFor('files.add')} onPress={addFiles}>
              {t('isolate.add')}
            </Button>
          </PanelActions>
        </>
      }
    >
      <Opened audioId={audioId} jobs={jobs} onOpen={onSubpath} sample={sample} onAdd={addFiles} />
      <DropOverlay over={over} />
    </Panel>
  );
}

/** The height that a list of a few rows leaves to the comparison: five rows and the bar of a longer list have room. */
const freedBy = (count: number): number => (count === 0 || count >= fewest ? 0 : (5 - count) * 41 + 49);

const newestResult = (jobs: readonly JobView[]): string | null => {
  const done = sortIsolations(jobs).find(({ state }) => state.tag === 'done');
  return done?.state.tag === 'done' ? (done.state.audioId ?? null) : null;
};

function Opened({
  audioId,
  jobs,
  onOpen,
  sample,
  onAdd,
}: {
  readonly audioId: string | null;
  readonly jobs: readonly JobView[];
  readonly onOpen: (audioId: string) => void;
  readonly sample: ReactNode;
  readonly onAdd: () => void;
}) {
  const t = useText();
  const studio = useStudio();
  const queries = useQueryClient();
  const queryKey = ['isolation', 'open', audioId];
  const { data, error } = useQuery({
    queryKey,
    queryFn: () => valueOrThrow(studio.request('isolation.open', { audioId: audioId ?? '' })),
    enabled: audioId !== null,
    retry: false,
    // Until another result is read this one stays, so that the list below keeps its height and scroll position.
    placeholderData: (before) => before,
    // The service prepares formats in the background; poll until they are ready.
    refetchInterval: ({ state }) =>
      state.data?.results.some((file) => file.state === 'preparing') === true ? pollMs : false,
  });
  const audio = audioId === null ? undefined : data;
  const failure = failureOf(error);
  const words = useFailureWords();
  return (
    <>
      <PanelContent label={t('isolate.title')}>
        <div className={css['content']} style={{ '--freed': `${String(freedBy(jobs.length))}px` } as CSSProperties}>
          <ReadyToSend jobs={jobs} />
          <div className={css['top']}>
            <Notices />
            {failure && <Banner role="alert" tone="bad" icon={CircleAlert} title={words(failure).text} />}
            {/* Files can be dropped anywhere, so beside a comparison the drop zone makes room for it. */}
            {audio === undefined && (
              <DropZone
                isSmall={jobs.length > 0}
                title={t('isolate.drop.title')}
                text={t('isolate.drop.text')}
                onBrowse={onAdd}
              />
            )}
          </div>
          {audio !== undefined && (
            <PaneGuard name={t('isolate.compare.label')}>
              <Compare key={audio.audioId} audio={audio} />
            </PaneGuard>
          )}
          {jobs.length > 0 ? (
            <IsolateList jobs={jobs} shownAudioId={audioId} onOpen={onOpen} />
          ) : (
            <EmptyState icon={Blend} title={t('isolate.empty.title')} action={sample}>
              {t('isolate.empty.text')}
            </EmptyState>
          )}
        </div>
      </PanelContent>
      <Inspector label={t('isolate.results.title')}>
        {audio !== undefined && (
          <>
            <PartOfRecording key={audio.audioId} audio={audio} />
            <Results audio={audio} onChanged={() => void queries.invalidateQueries({ queryKey })} />
            <Recording audio={audio} onChanged={() => void queries.invalidateQueries({ queryKey })} />
          </>
        )}
        {jobs.length >= fewest && <Sums jobs={jobs} />}
        <NextFiles jobs={jobs} />
      </Inspector>
    </>
  );
}

/** Up to so many skipped files are named at once; more are those of a folder, and are listed on request. */
const namedSkips = 3;

/** Files being added, files that were skipped with the reasons, and actions that failed. */
function Notices() {
  const t = useText();
  const copy = useCopy();
  const words = useFailureWords();
  const store = useIsolate();
  const addingCount = useIsolateState((state) => state.addingCount);
  const addingStep = useIsolateState((state) => state.addingStep);
  const stoppedAdding = useIsolateState((state) => state.stoppedAdding);
  const refused = useIsolateState((state) => state.refused);
  const skippedCount = useIsolateState((state) => state.refused.length + state.unnamedCount);
  const failure = useIsolateState((state) => state.failure);
  const repeated = useIsolateState((state) => state.repeated);
  const options = useIsolateOptions();
  const factsOf = useFailureFacts();
  const [listsSkipped, setListsSkipped] = useState(false);
  const copyDetails = async () => {
    if (failure === null) return;
    await copy(
      factsOf(failure)
        .map(({ label, value }) => `${label}: ${value}`)
        .join('\n'),
    );
  };
  return (
    <>
      <AddingNotice
        count={addingCount}
        step={addingStep}
        stopped={stoppedAdding}
        onStop={() => void store.stopAdding()}
        onHideStopped={store.hideStopped}
      />
      {failure && (
        <Banner
          role="alert"
          tone="bad"
          icon={CircleAlert}
          title={t('isolate.notAdded')}
          actions={
            <Button size="sm" onPress={() => void copyDetails()}>
              {t('common.failure.copyDetails')}
            </Button>
          }
          onDismiss={store.hideFailure}
          dismissLabel={t('common.dismiss')}
        >
          {words(failure).text}
        </Banner>
      )}
      {repeated && (
        <Banner
          icon={CopyCheck}
          title={t('transcribe.repeated', { count: repeated.count })}
          onDismiss={store.hideRepeated}
          dismissLabel={t('common.dismiss')}
          actions={
            <Button size="sm" onPress={() => void store.addRepeated(options)}>
              {t('transcribe.addRepeated')}
            </Button>
          }
        >
          {repeated.count === 1 ? repeated.files[0]?.name : t('transcribe.repeatedText')}
        </Banner>
      )}
      {skippedCount > 0 && (
        <Banner
          role="alert"
          tone="warn"
          icon={FileX2}
          title={t('isolate.skipped', { count: skippedCount })}
          onDismiss={() => {
            setListsSkipped(false);
            store.hideAllRefused();
          }}
          dismissLabel={t('common.dismiss')}
          actions={
            skippedCount > namedSkips && (
              <Button size="sm" variant="ghost" onPress={() => setListsSkipped(!listsSkipped)}>
                {t(listsSkipped ? 'transcribe.refused.hideList' : 'transcribe.refused.show')}
              </Button>
            )
          }
        >
          {(listsSkipped || skippedCount <= namedSkips) && (
            <ul className={css['skipped']}>
              {refused.slice(0, 50).map(({ key, name, failure: reason }) => (
                <li key={key}>
                  {words(reason).text.includes(name) ? (
                    words(reason).text
                  ) : (
                    <>
                      <b>{name}</b> {words(reason).text}
                    </>
                  )}
                </li>
              ))}
            </ul>
          )}
        </Banner>
      )}
    </>
  );
}
