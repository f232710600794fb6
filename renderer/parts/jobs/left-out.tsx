import { CircleSlash, CopyCheck, FileWarning, FileX2, FolderOpen, FolderSync, Plus, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import { modeOf } from '../../../shared/domain/modes.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { useJobsFact, useJobsNow, useSettings } from '../../bridge/live-state.tsx';
import { useKeyFor, useRunCommand } from '../../lib/commands.tsx';
import { useFailureText } from '../../lib/failure-text.ts';
import { useFormats, useText } from '../../lib/text.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { command } from '../../ui/menu.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { SplitButton } from '../../ui/split-button.tsx';
import { isTwin } from './job-order.ts';
import { useJobList, useJobsState } from './jobs-context.ts';
import css from './left-out.module.css';

const additions = {
  'files.add': [Plus, 'transcribe.addFiles'],
  'folder.add': [FolderOpen, 'transcribe.addFolder'],
  'folder.watch': [FolderSync, 'transcribe.watchFolder'],
} as const;

export function AddButton(props: {
  readonly text: string;
  readonly variant?: 'primary' | 'default';
  readonly more: readonly (keyof typeof additions)[];
}) {
  const { text, variant = 'primary', more } = props;
  const t = useText();
  const keyFor = useKeyFor();
  const run = useRunCommand();
  return (
    <SplitButton
      variant={variant}
      icon={Plus}
      text={text}
      tip={{ text, shortcut: keyFor('files.add') }}
      menuLabel={t('transcribe.addMore')}
      entries={more.map((id) => {
        const [icon, name] = additions[id];
        return command(id, icon, t(name), () => run(id), { shortcut: keyFor(id) });
      })}
      onPress={() => run('files.add')}
    />
  );
}

/** Where files are added: `children` asks for them, the rest says what became of those that were. */
export function AddingArea({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <div className={css['area']}>
        {children}
        <LeftOut />
        <Repeated />
        <CutShort />
        <Twins />
      </div>
      <Adding />
      <StoppedAdding />
    </>
  );
}

function Adding() {
  const t = useText();
  const formats = useFormats();
  const { store } = useJobList();
  const count = useJobsState((state) => state.addingCount);
  const step = useJobsState((state) => state.addingStep);
  const isAdding = count > 0 || step !== null;
  return (
    <div className={css['adding']} hidden={!isAdding}>
      {/* Announced once: a screen reader would read changing numbers endlessly. */}
      <output className="row gap-8 if-any">
        {isAdding && (
          <>
            <Spinner /> {step === null ? t('transcribe.adding', { count }) : t('transcribe.addingRows')}
          </>
        )}
      </output>
      {step !== null && step.totalCount > 0 && (
        <>
          <ProgressBar
            className={css['bar']}
            label={t('transcribe.addingRows')}
            progress={{ tag: 'determinate', fraction: step.doneCount / step.totalCount }}
          />
          <span className="small digits">
            {t('transcribe.addingOf', {
              done: formats.number(step.doneCount),
              total: formats.number(step.totalCount),
            })}
          </span>
          <Button size="sm" variant="ghost" onPress={() => void store.stopAdding()}>
            {t('transcribe.stopAdding')}
          </Button>
        </>
      )}
    </div>
  );
}

function StoppedAdding() {
  const t = useText();
  const formats = useFormats();
  const { store } = useJobList();
  const stopped = useJobsState((state) => state.stoppedAdding);
  if (stopped === null) return null;
  const [added, left] = [formats.number(stopped.addedCount), formats.number(stopped.leftCount)];
  return (
    <Banner icon={CircleSlash} title={t('transcribe.addingStopped')} onDismiss={() => store.dismiss('stoppedAdding')}>
      {stopped.addedCount === 0 ? t('transcribe.nothingAdded') : t('transcribe.partAdded', { added, left })}
    </Banner>
  );
}

/** Their title says everything; that nothing was charged need not be repeated for each. */
const saidByTitle: ReadonlySet<string> = new Set(['empty_file', 'empty_folder', 'not_audio', 'no_sound']);

const drawnAtOnce = 100;
const namedFiles = 3;

/** Few rejected files are listed at once, more on request. */
function LeftOut() {
  const t = useText();
  const words = useFailureText();
  const run = useRunCommand();
  const { store } = useJobList();
  const refused = useJobsState((state) => state.refused);
  const unnamedCount = useJobsState((state) => state.unnamedCount);
  const [wanted, setWanted] = useState(drawnAtOnce);
  const [wasOpened, setWasOpened] = useState(false);
  const reasonOf = (failure: Failure) => {
    // The name is shown before the reason already.
    const { name: _, ...params } = failure.params ?? {};
    const said = words({ ...failure, params });
    return saidByTitle.has(failure.code) ? said.title : said.text;
  };
  const count = refused.length + unnamedCount;
  if (count === 0) return null;
  const isFew = count <= namedFiles;
  const isOpen = isFew || wasOpened;
  const shown = refused.slice(0, wanted);
  return (
    <Banner
      role="alert"
      tone="warn"
      icon={FileX2}
      title={t('transcribe.refused.title', { count })}
      onDismiss={() => {
        setWasOpened(false);
        store.dismissRefused();
      }}
      actions={
        <>
          {refused.some(({ failure }) => failure.code === 'text_file') && (
            <Button size="sm" variant="ghost" onPress={() => run('transcripts.import')}>
              {t('palette.commands.importTranscripts')}
            </Button>
          )}
          {!isFew && (
            <Button size="sm" variant="ghost" onPress={() => setWasOpened(!isOpen)}>
              {t(isOpen ? 'transcribe.refused.hideList' : 'transcribe.refused.show')}
            </Button>
          )}
        </>
      }
    >
      {isOpen && (
        <ul className={css['list']}>
          {shown.map(({ key, name, failure }) => (
            <li key={key}>
              <b>{name}</b>: {reasonOf(failure)}
            </li>
          ))}
          {count > shown.length && (
            <li>
              {t('transcribe.refused.more', { count: count - shown.length })}
              {refused.length > shown.length && (
                <Button size="sm" variant="ghost" onPress={() => setWanted(wanted + drawnAtOnce)}>
                  {t('transcribe.refused.showMore')}
                </Button>
              )}
            </li>
          )}
        </ul>
      )}
    </Banner>
  );
}

/** A tooltip names the remaining files. */
const Names = ({ names }: { readonly names: readonly string[] }) => (
  <span title={names.join('\n')}>{names.slice(0, namedFiles).join(', ')}</span>
);

/** Files that the queue already has are no problem, so one line reports them and offers to add them again. */
function Repeated() {
  const t = useText();
  const { store } = useJobList();
  const repeated = useJobsState((state) => state.repeated);
  if (repeated === null) return null;
  return (
    <Banner
      icon={CopyCheck}
      title={t('transcribe.repeated', { count: repeated.count })}
      onDismiss={() => store.dismiss('repeated')}
      actions={
        <Button size="sm" variant="ghost" onPress={() => void store.addRepeated()}>
          {t('transcribe.addRepeated')}
        </Button>
      }
    >
      <Names names={repeated.files.map(({ name }) => name)} />
    </Banner>
  );
}

/** Their rows wait for the user, who may want to look for the whole file first. */
function CutShort() {
  const t = useText();
  const { store } = useJobList();
  const names = useJobsState((state) => state.cutShort);
  if (names.length === 0) return null;
  return (
    <Banner
      icon={FileWarning}
      title={t('transcribe.cutShort', { count: names.length })}
      onDismiss={() => store.dismiss('cutShort')}
    >
      <Names names={names} />. {t('transcribe.cutShortText')}
    </Banner>
  );
}

const isIsolatedTwin = (job: JobView): boolean => job.kind === 'isolate' && isTwin(job);

/** For several duplicates at once: what they have in common, and one decision for all. */
function Twins() {
  const t = useText();
  const isLocal = modeOf(useSettings().mode).origin === 'local';
  const { store, removeRows } = useJobList();
  const fits = store.of === 'transcribe' ? isTwin : isIsolatedTwin;
  const count = useJobsFact((jobs) => jobs.filter(fits).length);
  const jobsNow = useJobsNow();
  if (count < 2) return null;
  const remove = () => removeRows(jobsNow().flatMap((job) => (fits(job) ? job.id : [])));
  return (
    <Banner
      icon={CopyCheck}
      title={t('transcribe.twins', { count })}
      actions={
        <Button size="sm" variant="ghost" icon={Trash2} onPress={remove}>
          {t('transcribe.removeTwins', { count })}
        </Button>
      }
    >
      {t(isLocal ? 'transcribe.here.twinsText' : 'transcribe.twinsText')}
    </Banner>
  );
}
