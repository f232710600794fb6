import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Blend as BlendIcon, CircleAlert, FlaskConical } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import { modeOf } from '../../../shared/domain/modes.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { useSettings } from '../../bridge/live-state.tsx';
import { failureOf, valueOrThrow } from '../../bridge/request-error.ts';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useCommands } from '../../lib/commands.tsx';
import { useFailureText } from '../../lib/failure-text.ts';
import { Scope } from '../../lib/scope.ts';
import type { SectionScreenProps } from '../../lib/section.ts';
import { useText } from '../../lib/text.ts';
import { DropOverlay, DropZone } from '../../parts/files/drop-zone.tsx';
import { useFileDrop } from '../../parts/files/use-file-drop.ts';
import { JobList, JobSelection } from '../../parts/jobs/job-list.tsx';
import { JobNotices } from '../../parts/jobs/job-notices.tsx';
import { useJobList, useListedJobs, useUndoLast } from '../../parts/jobs/jobs-context.ts';
import { JobsProvider } from '../../parts/jobs/jobs-provider.tsx';
import { AddButton, AddingArea } from '../../parts/jobs/left-out.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Panel, PanelActions, PanelContent, PanelTitle } from '../../ui/panel.tsx';
import { useIsolate, useIsolateState } from './isolate-provider.tsx';
import css from './isolate-screen.module.css';
import { NextFiles, ReadyToSend } from './ui/next-files.tsx';
import { usePrice } from './ui/use-cost-words.ts';
import { BackButton, Recording } from './ui/recording.tsx';
import { hasSeveralReady, SaveFailures, SaveMany, useSaveAll } from './ui/save-all.tsx';

export function IsolateScreen(props: SectionScreenProps) {
  return (
    <JobsProvider store={useIsolate().list}>
      <Screen {...props} />
    </JobsProvider>
  );
}

function Screen({ subpath, onSubpath }: SectionScreenProps) {
  const store = useIsolate();
  const { list } = store;
  const { jobs } = useListedJobs();
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
  const [leftId, setLeftId] = useState<string | null>(null);
  const close = () => {
    if (shownId !== null) setLeftId(shownId);
    onSubpath('');
    store.show(null);
  };
  // What is added, and what is refused of it, is shown in the list.
  const shownInList = (add: () => Promise<unknown>) => () => {
    close();
    void add();
  };
  const over = useFileDrop((files) => shownInList(() => list.addDropped(files))());
  const undo = useUndoLast();
  useCommands({
    'files.add': shownInList(() => list.addPicked('files')),
    'folder.add': shownInList(() => list.addPicked('folder')),
    'isolate.undoHide': undo ?? false,
  });
  const { removeRows } = useJobList();
  // A hidden recording does not stay open with its buttons that cost; another key press would hide the next one.
  const listedId = useRef<string | null>(null);
  useEffect(() => {
    if (shownId !== null) listedId.current = audioId;
    else if (subpath !== '' && listedId.current === subpath) onSubpath('');
  }, [shownId, audioId, subpath, onSubpath]);
  useCommands({ 'isolate.hide': shownId !== null && (() => removeRows([shownId])) });
  const studio = useStudio();
  const queries = useQueryClient();
  const queryKey = ['isolation', 'open', audioId];
  const { data: audio, error } = useQuery({
    queryKey,
    queryFn: () => valueOrThrow(studio.request('isolation.open', { audioId: audioId ?? '' })),
    enabled: audioId !== null,
    retry: false,
  });
  const failure = audioId === null ? null : failureOf(error);
  const overlay = <DropOverlay over={over} />;
  if (audioId === null || failure !== null)
    return (
      <List leftId={leftId} failure={failure}>
        {overlay}
      </List>
    );
  if (audio === undefined)
    return (
      <Panel
        header={
          <>
            <BackButton onClose={close} />
            <PanelTitle>{shown?.name}</PanelTitle>
          </>
        }
      >
        {overlay}
      </Panel>
    );
  return (
    <Recording
      key={audio.audioId}
      audio={audio}
      onClose={close}
      onChanged={() => void queries.invalidateQueries({ queryKey })}
    >
      {overlay}
    </Recording>
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

/** With more rows the sample is only in the palette. */
const mostForSample = 3;

function List(props: {
  /** The row whose recording was open. */
  readonly leftId: string | null;
  readonly failure: Failure | null;
  readonly children: ReactNode;
}) {
  const { leftId, failure, children } = props;
  const t = useText();
  const { mode } = useSettings();
  const { addSample } = useIsolate();
  const { jobs } = useListedJobs();
  const words = useFailureText();
  const saveAll = useSaveAll();
  useFocusOn(leftId);
  const isEmpty = jobs.length === 0;
  const price = usePrice();
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
            {!isEmpty && jobs.length <= mostForSample && sample}
            <NextFiles listed={jobs.length} />
            <AddButton text={t('isolate.add')} more={['folder.add']} />
          </PanelActions>
        </>
      }
    >
      <PanelContent label={t('isolate.title')}>
        <div className={css['content']}>
          <ReadyToSend jobs={jobs} />
          <JobNotices />
          {failure && <Banner role="alert" tone="bad" icon={CircleAlert} title={words(failure).text} />}
          <AddingArea>
            <DropZone
              isSmall={!isEmpty}
              title={t('isolate.drop.title')}
              text={[isEmpty && t('isolate.drop.text'), price ?? (isEmpty ? null : t('transcribe.drop.kinds'))]
                .filter(Boolean)
                .join(' ')}
            />
          </AddingArea>
          <JobList
            empty={
              <EmptyState icon={BlendIcon} title={t('isolate.empty.title')} action={sample}>
                {t('isolate.empty.text')}
              </EmptyState>
            }
          >
            {hasSeveralReady(jobs) && <SaveMany jobs={jobs} saveAll={saveAll} />}
          </JobList>
          <SaveFailures {...saveAll} />
        </div>
        <JobSelection>{(selected) => <SaveMany isSelection jobs={selected} saveAll={saveAll} />}</JobSelection>
      </PanelContent>
      {children}
    </Panel>
  );
}

/** Back in the list, the row that was open has the focus. */
function useFocusOn(jobId: string | null): void {
  const { store } = useJobList();
  const focus = useEffectEvent(() => {
    if (jobId === null) return;
    store.goTo({ jobId, opens: false });
    const grid = document.querySelector<HTMLElement>('main [role="grid"]');
    (grid?.querySelector<HTMLElement>(`[data-key="${CSS.escape(jobId)}"]`) ?? grid)?.focus();
  });
  useEffect(() => focus(), []);
}
