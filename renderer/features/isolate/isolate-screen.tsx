import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Blend as BlendIcon, CircleAlert, FlaskConical, FolderOpen, Plus, CopyCheck, FileX2 } from 'lucide-react';
import { useEffect, useRef, useState, type CSSProperties, type ReactNode } from 'react';
import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import { modeOf } from '../../../shared/domain/modes.ts';
import { useJobs, useSettings } from '../../bridge/live-state.tsx';
import { failureOf, valueOrThrow } from '../../bridge/request-error.ts';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useSettingsChange } from '../../bridge/use-settings-change.ts';
import { cx } from '../../lib/class-names.ts';
import { useCommands, useKeyFor } from '../../lib/commands.tsx';
import { useFailureText, useFailureFacts } from '../../lib/failure-text.ts';
import { Scope } from '../../lib/scope.ts';
import type { SectionScreenProps } from '../../lib/section.ts';
import { useText } from '../../lib/text.ts';
import { useUndoKey } from '../../lib/use-undo-key.ts';
import { NoKeyNotice, useLacksKey } from '../../parts/connection/key-help.tsx';
import { AddingNotice } from '../../parts/files/adding-notice.tsx';
import { DropOverlay, DropZone } from '../../parts/files/drop-zone.tsx';
import { useFileDrop } from '../../parts/files/use-file-drop.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useCopy } from '../../ui/notices.ts';
import { PaneErrorBoundary } from '../../ui/pane-error-boundary.tsx';
import { Inspector, Panel, PanelActions, PanelContent, PanelTitle } from '../../ui/panel.tsx';
import { Splitter } from '../../ui/splitter.tsx';
import { useIsolate, useIsolateOptions, useIsolateState } from './isolate-context.ts';
import css from './isolate-screen.module.css';
import { withRepeats } from './model/repeats.ts';
import { Blend, NoiseOnly } from './ui/blend.tsx';
import { Compare } from './ui/compare.tsx';
import { fewest, IsolateList } from './ui/isolate-list.tsx';
import { NextFiles, ReadyToSend, Sums } from './ui/next-files.tsx';
import { PartOfRecording } from './ui/part-of-recording.tsx';
import { Recording, Results } from './ui/results.tsx';
import { useComparison } from './ui/use-comparison.ts';
import { useHideRows } from './ui/use-rows.ts';

/** Up to so many skipped files are named at once; more are those of a folder, and are listed on request. */
const namedSkips = 3;

const pollMs = 700;

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
  const audioId = subpath !== '' ? subpath : isKeptThere ? kept : null;
  useEffect(() => {
    if (subpath !== '') store.show(subpath);
  }, [store, subpath]);
  useOffer();
  const close = () => {
    onSubpath('');
    store.show(null);
    focusRow(audioId, jobs);
  };
  const shown = jobs.find(({ state }) => state.tag === 'done' && audioId !== null && state.audioId === audioId);
  // A hidden recording does not stay open with its buttons that cost; another key press would hide the next one.
  const listedId = useRef<string | null>(null);
  useEffect(() => {
    if (shown !== undefined) listedId.current = audioId;
    else if (subpath !== '' && listedId.current === subpath) onSubpath('');
  }, [shown, audioId, subpath, onSubpath]);
  useCommands({ 'isolate.hide': shown !== undefined && (() => void hide([shown])) });
  const sample = modeOf(mode).isPractice && (
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
      <Opened audioId={audioId} jobs={jobs} onOpen={onSubpath} onClose={close} sample={sample} onAdd={addFiles} />
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

function focusRow(audioId: string | null, jobs: readonly JobView[]): void {
  const job = jobs.find(({ state }) => state.tag === 'done' && state.audioId === audioId);
  const grid = document.querySelector<HTMLElement>('main [role="grid"]');
  const row = job && grid?.querySelector<HTMLElement>(`[data-key="${CSS.escape(job.id)}"]`);
  (row ?? grid)?.focus();
}

function Opened(props: {
  readonly audioId: string | null;
  readonly jobs: readonly JobView[];
  readonly onOpen: (audioId: string) => void;
  readonly onClose: () => void;
  readonly sample: ReactNode;
  readonly onAdd: () => void;
}) {
  const { audioId, jobs, onOpen, onClose, sample, onAdd } = props;
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
  // While the next recording loads, its place is kept.
  const isOpen = audioId !== null && failure === null;
  return (
    <>
      <PanelContent label={t('isolate.title')}>
        <div className={css['content']}>
          <ReadyToSend jobs={jobs} />
          <div className={css['top']}>
            <Notices />
            {failure && <Banner role="alert" tone="bad" icon={CircleAlert} title={words(failure).text} />}
            {/* Files can be dropped anywhere, so beside a comparison the drop zone makes room for it. */}
            {!isOpen && (
              <DropZone
                isSmall={jobs.length > 0}
                title={t('isolate.drop.title')}
                text={t('isolate.drop.text')}
                onBrowse={onAdd}
              />
            )}
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
              <IsolateList jobs={jobs} shownAudioId={audioId} onOpen={onOpen} />
            </div>
          ) : (
            <EmptyState icon={BlendIcon} title={t('isolate.empty.title')} action={sample}>
              {t('isolate.empty.text')}
            </EmptyState>
          )}
        </div>
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

const barHeight = 45;
const headHeight = 34;
const rowHeight = 41;

function useListHeight(rowCount: number) {
  const { isolateListHeight } = useSettings();
  const change = useSettingsChange();
  const [moved, setMoved] = useState<{ readonly height: number | null } | null>(null);
  const listHeight = moved === null ? isolateListHeight : moved.height;
  const around = headHeight + (rowCount < fewest ? 0 : barHeight);
  const usual = around + Math.min(rowCount, 5) * rowHeight;
  return {
    listHeight,
    splitter: {
      size: listHeight,
      usual,
      min: Math.min(usual, around + 2 * rowHeight),
      max: Math.max(usual, window.innerHeight - 320),
      onMove: (height: number | null) => setMoved({ height }),
      onDone: (height: number | null) => void change({ isolateListHeight: height }).finally(() => setMoved(null)),
    },
  };
}

function Notices() {
  const t = useText();
  const copy = useCopy();
  const words = useFailureText();
  const store = useIsolate();
  const state = useIsolateState((now) => now);
  const { refused, failure, repeated } = state;
  const skippedCount = refused.length + state.unnamedCount;
  const options = useIsolateOptions();
  const factsOf = useFailureFacts();
  const lacksKey = useLacksKey();
  const [listsSkipped, setListsSkipped] = useState(false);
  const facts = failure === null ? [] : factsOf(failure).map(({ label, value }) => `${label}: ${value}`);
  return (
    <>
      {lacksKey && <NoKeyNotice />}
      <AddingNotice
        count={state.addingCount}
        step={state.addingStep}
        stopped={state.stoppedAdding}
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
            <Button size="sm" onPress={() => void copy(facts.join('\n'))}>
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
                  {!words(reason).text.includes(name) && <b>{name} </b>}
                  {words(reason).text}
                </li>
              ))}
            </ul>
          )}
        </Banner>
      )}
    </>
  );
}
