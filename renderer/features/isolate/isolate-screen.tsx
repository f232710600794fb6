import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Blend as BlendIcon, CircleAlert, FlaskConical, FolderOpen, Plus } from 'lucide-react';
import { useEffect, useRef, useState, type CSSProperties, type ReactNode } from 'react';
import { modeOf } from '../../../shared/domain/modes.ts';
import { useSettings } from '../../bridge/live-state.tsx';
import { failureOf, valueOrThrow } from '../../bridge/request-error.ts';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useSettingsChange } from '../../bridge/use-settings-change.ts';
import { cx } from '../../lib/class-names.ts';
import { useCommands, useKeyFor } from '../../lib/commands.tsx';
import { useFailureText } from '../../lib/failure-text.ts';
import { Scope } from '../../lib/scope.ts';
import type { SectionScreenProps } from '../../lib/section.ts';
import { useText } from '../../lib/text.ts';
import { DropOverlay, DropZone } from '../../parts/files/drop-zone.tsx';
import { useFileDrop } from '../../parts/files/use-file-drop.ts';
import { JobList, JobSelection, rowHeight } from '../../parts/jobs/job-list.tsx';
import { JobNotices, NotRead } from '../../parts/jobs/job-notices.tsx';
import { useJobList, useListedJobs, useNextIsolations, useUndoLast } from '../../parts/jobs/jobs-context.ts';
import { JobsProvider } from '../../parts/jobs/jobs-provider.tsx';
import { AddingArea } from '../../parts/jobs/left-out.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PaneErrorBoundary } from '../../ui/pane-error-boundary.tsx';
import { Inspector, Panel, PanelActions, PanelContent, PanelTitle } from '../../ui/panel.tsx';
import { Splitter } from '../../ui/splitter.tsx';
import { useIsolate, useIsolateState } from './isolate-store.ts';
import { useAddSample } from './isolate-provider.tsx';
import css from './isolate-screen.module.css';
import { Blend, NoiseOnly } from './ui/blend.tsx';
import { Compare } from './ui/compare.tsx';
import { HiddenRows } from './ui/hidden-rows.tsx';
import { fewest, NextFiles, ReadyToSend, Sums } from './ui/next-files.tsx';
import { PartOfRecording } from './ui/part-of-recording.tsx';
import { Recording, Results } from './ui/results.tsx';
import { SaveFailures, SaveReady, SaveSelected, useSaveAll } from './ui/save-all.tsx';
import { useComparison } from './ui/use-comparison.ts';

const pollMs = 700;

export function IsolateScreen(props: SectionScreenProps) {
  return (
    <JobsProvider store={useIsolate().list}>
      <Screen {...props} />
    </JobsProvider>
  );
}

function Screen({ subpath, onSubpath }: SectionScreenProps) {
  const t = useText();
  const store = useIsolate();
  const { list } = store;
  const keyFor = useKeyFor();
  const { mode } = useSettings();
  const next = useNextIsolations();
  const addSample = useAddSample();
  const { jobs } = useListedJobs();
  const over = useFileDrop((files) => void list.addDropped(files, next()));
  const addFiles = () => void list.addPicked('files', next());
  const addFolder = () => void list.addPicked('folder', next());
  const undo = useUndoLast();
  useCommands({ 'files.add': addFiles, 'folder.add': addFolder, 'isolate.undoHide': undo ?? false });
  const { removeRows } = useJobList();
  const kept = useIsolateState((state) => state.shownAudioId);
  const isKeptThere = jobs.some(({ state }) => state.tag === 'done' && state.audioId === kept);
  const audioId = subpath !== '' ? subpath : isKeptThere ? kept : null;
  useEffect(() => {
    if (subpath !== '') store.show(subpath);
  }, [store, subpath]);
  useOffer();
  const shown = jobs.find(({ state }) => state.tag === 'done' && audioId !== null && state.audioId === audioId);
  const shownId = shown?.id ?? null;
  useEffect(() => {
    const { wanted } = list.getState();
    if (wanted !== null && shownId !== null && wanted.jobId !== shownId) list.goTo(null);
  }, [list, shownId]);
  const close = () => {
    onSubpath('');
    store.show(null);
    focusRow(shownId);
  };
  // A hidden recording does not stay open with its buttons that cost; another key press would hide the next one.
  const listedId = useRef<string | null>(null);
  useEffect(() => {
    if (shownId !== null) listedId.current = audioId;
    else if (subpath !== '' && listedId.current === subpath) onSubpath('');
  }, [shownId, audioId, subpath, onSubpath]);
  useCommands({ 'isolate.hide': shownId !== null && (() => removeRows([shownId])) });
  const sample = modeOf(mode).isPractice && (
    <Button icon={FlaskConical} onPress={() => void addSample()}>
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
              {t('transcribe.addFolder')}
            </Button>
            <Button variant="primary" icon={Plus} shortcut={keyFor('files.add')} onPress={addFiles}>
              {t('isolate.add')}
            </Button>
          </PanelActions>
        </>
      }
    >
      <Opened audioId={audioId} shownId={shownId} onClose={close} sample={sample} onAdd={addFiles} />
      <DropOverlay over={over} />
    </Panel>
  );
}

/** Controls under the pointer: nothing may move while the user is about to click one. */
const underPointer = '[role="row"]:hover, button:hover, label:hover, [role="slider"]:hover, select:hover';

/** Opens the result on offer as soon as nothing moves under the pointer by that. */
function useOffer(): void {
  const store = useIsolate();
  const offered = useIsolateState((state) => state.offeredAudioId);
  useEffect(() => {
    if (offered === null) return undefined;
    const scope = new Scope();
    const open = () => {
      if (document.querySelector('main')?.querySelector(underPointer) == null) store.show(offered);
    };
    scope.listen(window, 'pointermove', open);
    open();
    return () => scope.dispose();
  }, [store, offered]);
}

function focusRow(jobId: string | null): void {
  const grid = document.querySelector<HTMLElement>('main [role="grid"]');
  const row = jobId === null ? null : grid?.querySelector<HTMLElement>(`[data-key="${CSS.escape(jobId)}"]`);
  (row ?? grid)?.focus();
}

function Opened(props: {
  readonly audioId: string | null;
  readonly shownId: string | null;
  readonly onClose: () => void;
  readonly sample: ReactNode;
  readonly onAdd: () => void;
}) {
  const { audioId, shownId, onClose, sample, onAdd } = props;
  const { jobs, isLoading, failure: notRead } = useListedJobs();
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
    refetchInterval: ({ state }) =>
      state.data?.results.some((file) => file.state === 'preparing') === true ? pollMs : false,
  });
  const audio = audioId === null ? undefined : data;
  const comparison = useComparison(audio ?? null);
  const failure = failureOf(error);
  const words = useFailureText();
  const { listHeight, splitter } = useListHeight(jobs.length);
  const saveAll = useSaveAll();
  // While the next recording loads, its place is kept.
  const isOpen = audioId !== null && failure === null;
  return (
    <>
      <PanelContent label={t('isolate.title')}>
        <div className={css['content']}>
          <ReadyToSend jobs={jobs} />
          <div className={css['top']}>
            <JobNotices />
            {failure && <Banner role="alert" tone="bad" icon={CircleAlert} title={words(failure).text} />}
            <AddingArea>
              {/* Files can be dropped anywhere, so beside a comparison the drop zone makes room for it. */}
              {!isOpen && (
                <DropZone
                  isSmall={jobs.length > 0}
                  title={t('isolate.drop.title')}
                  text={t('isolate.drop.text')}
                  onBrowse={onAdd}
                />
              )}
            </AddingArea>
            {notRead && <NotRead failure={notRead} />}
          </div>
          {isOpen && (
            <div className={css['opened']} data-sized={listHeight === null ? undefined : ''}>
              {audio !== undefined && (
                <PaneErrorBoundary name={t('isolate.compare.label')}>
                  <Compare key={audio.audioId} audio={audio} comparison={comparison} onClose={onClose} />
                </PaneErrorBoundary>
              )}
            </div>
          )}
          {isOpen && jobs.length > 0 && <Splitter between="row" label={t('isolate.compare.resize')} {...splitter} />}
          {jobs.length > 0 ? (
            <div
              className={cx(css['rows'], isOpen && css['below'])}
              style={{ '--rows': listHeight ?? splitter.usual } as CSSProperties}
            >
              <PaneErrorBoundary name={t('isolate.list')}>
                <JobList shownId={shownId} keptInView={isOpen ? 1 : 4}>
                  <SaveReady saveAll={saveAll} />
                </JobList>
              </PaneErrorBoundary>
              <SaveFailures saveAll={saveAll} />
            </div>
          ) : (
            !isLoading &&
            notRead === null && (
              <EmptyState icon={BlendIcon} title={t('isolate.empty.title')} action={sample}>
                {t('isolate.empty.text')}
              </EmptyState>
            )
          )}
          <HiddenRows listed={jobs.length} />
        </div>
        <JobSelection>{(selected) => <SaveSelected jobs={selected} saveAll={saveAll} />}</JobSelection>
      </PanelContent>
      <Inspector label={t('isolate.results.title')}>
        <NextFiles jobs={jobs} isShort={isOpen} />
        {audio !== undefined && (
          <>
            <PartOfRecording key={audio.audioId} audio={audio} />
            {/* Apart from the key above: of two siblings with one key React keeps an old one on the screen. */}
            {comparison !== null && <Blend key={`blend ${comparison.audioId}`} comparison={comparison} />}
            <Results
              audio={audio}
              measured={comparison?.pair.measures?.isolated ?? null}
              onChanged={() => void queries.invalidateQueries({ queryKey })}
            />
            {comparison !== null && <NoiseOnly comparison={comparison} />}
            <Recording audio={audio} onChanged={() => void queries.invalidateQueries({ queryKey })} />
          </>
        )}
        {jobs.length >= fewest && <Sums jobs={jobs} />}
      </Inspector>
    </>
  );
}

/** Of the filters above the rows, with the gaps around both. */
const headerHeight = 52;

function useListHeight(rowCount: number) {
  const { isolateListHeight } = useSettings();
  const change = useSettingsChange();
  const [moved, setMoved] = useState<{ readonly height: number | null } | null>(null);
  const listHeight = moved === null ? isolateListHeight : moved.height;
  const usual = headerHeight + Math.min(rowCount, 5) * rowHeight;
  return {
    listHeight,
    splitter: {
      size: listHeight,
      usual,
      min: Math.min(usual, headerHeight + 2 * rowHeight),
      max: Math.max(usual, window.innerHeight - 320),
      onMove: (height: number | null) => setMoved({ height }),
      onDone: (height: number | null) => void change({ isolateListHeight: height }).finally(() => setMoved(null)),
    },
  };
}
