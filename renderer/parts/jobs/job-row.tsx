import { Ellipsis, GripVertical, Pause, Users, X } from 'lucide-react';
import { createContext, use, useState, type ReactNode } from 'react';
import { VisuallyHidden } from 'react-aria-components';
import type { JobView } from '../../../shared/domain/jobs/job-view.ts';
import { speechLanguages, type SpeechLanguage } from '../../../shared/domain/languages.ts';
import { modeOf } from '../../../shared/domain/modes.ts';
import { useSettings } from '../../bridge/live-state.tsx';
import { cx } from '../../lib/class-names.ts';
import { useCreditsWords, useFormats, useText } from '../../lib/text.ts';
import { useNow } from '../../lib/use-now.ts';
import { Button, type ButtonProps } from '../../ui/button.tsx';
import { LanguageTag } from '../../ui/chip.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, type MenuCommand, type MenuEntry } from '../../ui/menu.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useJobActions } from './job-actions.ts';
import css from './job-list.module.css';
import { isMovable, isTicking, isWholeSent, type JobItem, type ResultFacts } from './job-order.ts';
import { useJobPresentation, type JobPresentation } from './job-presentation.ts';
import { useJobList, useJobsState } from './jobs-context.ts';

/** Passed by context, so that the grid's render function keeps its identity. */
export const DraggedRow = createContext<string | null>(null);

/** The entries of an open menu stay in their places while the row changes; what is not possible any more is dimmed. */
const keepEntries = (kept: readonly MenuEntry[], now: readonly MenuEntry[]): readonly MenuEntry[] =>
  kept.map((entry) => {
    if (entry === 'separator') return entry;
    const same = now.find((other) => other !== 'separator' && other.id === entry.id);
    return same ?? ('entries' in entry ? { ...entry, entries: [] } : { ...entry, isDisabled: true });
  });

export function JobRow({ item: { job, title, result, heading } }: { readonly item: JobItem }) {
  const t = useText();
  const formats = useFormats();
  const nowMs = useNow(isTicking(job));
  const look = useJobPresentation()(job, nowMs);
  const actions = useJobActions()(job);
  const isDragged = use(DraggedRow) === job.id;
  const { state } = job;
  const isDone = state.tag === 'done';
  // Most rows of a long list are done, so green would carry no information.
  const tone = isDone ? 'neutral' : look.tone;
  const speakerCount = isDone ? (state.speakerCount ?? 0) : 0;
  // What the user set in the text counts more than what was sent.
  const language = job.kind === 'transcribe' ? (result?.language ?? job.language) : null;
  const isLegacy = job.kind === 'transcribe' && job.isLegacy === true;
  const facts = [...(isLegacy ? [t('transcribe.next.legacy')] : []), ...look.facts].join(' · ');
  const [wasOpen] = useState(!isDone);
  const heard = state.tag === 'processing' ? state.heard : undefined;
  const progress = look.progress && (
    <ProgressBar
      className={heard ? undefined : css['bar']}
      label={`${title}: ${look.status}`}
      progress={look.progress}
    />
  );
  return (
    <>
      {heading && (
        <p className={css['heading']} data-heading>
          {t(`transcribe.group.${heading.group}`)}
          <span className={css['headingCount']}>{formats.number(heading.count)}</span>
        </p>
      )}
      <div className={css['cells']} data-taken={isDragged ? '' : undefined}>
        <Select job={job} title={title}>
          <span className={cx('grid', wasOpen && isDone && css['drawn'])}>
            <StatusIcon icon={look.icon} tone={tone} className={css['bare']} />
          </span>
        </Select>
        <span className="cut medium" lang={(isDone && language) || undefined} title={job.name}>
          {title}
        </span>
        {job.kind === 'transcribe' && <Language job={job} title={title} language={result?.language ?? job.language} />}
        <span className={css['length']}>{job.durationMs === null ? '' : formats.clock(job.durationMs)}</span>
        {(speakerCount > 0 || (job.kind === 'transcribe' && job.includeSpeakers)) && (
          <span className={css['speakers']}>
            <Users aria-hidden size={14} strokeWidth={1.75} />
            {speakerCount > 0 && <span aria-hidden>{formats.number(speakerCount)}</span>}
            <VisuallyHidden>
              {speakerCount > 0 ? t('common.speakers', { count: speakerCount }) : t('transcribe.state.speakersOn')}
            </VisuallyHidden>
          </span>
        )}
        {look.explanation && (
          <div className={css['more']}>
            <p className={css['explanation']}>{look.explanation}</p>
            <MainAction main={actions.main} />
          </div>
        )}
        {heard && (
          <div className={css['heard']}>
            <p lang={language ?? undefined}>{heard.latestText}</p>
            {progress}
          </div>
        )}
        <span className={css['end']}>
          <span className={cx(css['state'], isDone && css['ended'])}>
            {result && <ResultFactsOf result={result} />}
            {!heard && progress}
            {isDone && <VisuallyHidden>{t('transcribe.state.done')}</VisuallyHidden>}
            <span data-tone={tone} className={css['status']}>
              {look.status}
            </span>
            {facts !== '' && <span className="thin digits subtle">{facts}</span>}
          </span>
          <Actions job={job} title={title} actions={actions} hasMain={look.explanation === null} />
        </span>
      </div>
    </>
  );
}

/** Practice mode is free, and what it returns are notes and not words. */
function ResultFactsOf({ result: { wordCount, credits } }: { readonly result: ResultFacts }) {
  const t = useText();
  const formats = useFormats();
  const { mode } = useSettings();
  const creditsWords = useCreditsWords();
  if (modeOf(mode).isFree) return null;
  const details = [
    ...(wordCount > 0 ? [t('transcribe.state.words', { count: wordCount, amount: formats.number(wordCount) })] : []),
    ...(credits === null ? [] : [creditsWords(credits)]),
  ];
  return details.length === 0 ? null : <span className="thin digits subtle">{details.join(' · ')}</span>;
}

function Language(props: {
  readonly job: JobView & { readonly kind: 'transcribe' };
  readonly title: string;
  readonly language: SpeechLanguage;
}) {
  const { job, title, language } = props;
  const t = useText();
  const { store } = useJobList();
  const { state } = job;
  const name = t(`common.languageNames.${language}`);
  if (!isMovable(job) || (state.tag === 'paused' && state.sentBytes > 0))
    return <LanguageTag code={language} name={name} />;
  return (
    <Menu
      label={t('transcribe.actions.languageFor', { name: title, language: name })}
      chosenId={language}
      trigger={
        <Button
          size="sm"
          variant="ghost"
          className={css['language']}
          label={t('transcribe.actions.languageFor', { name: title, language: `${name}, ${language.toUpperCase()}` })}
        >
          {language.toUpperCase()}
        </Button>
      }
      entries={speechLanguages.map((one) => ({
        id: one,
        text: t(`common.languages.${one}`),
        onAction: () => void store.ask('jobs.changeLanguage', { jobId: job.id, language: one }),
      }))}
    />
  );
}

/** The checkbox replaces the icon while the pointer is over the row or any row is selected. */
function Select(props: { readonly job: JobView; readonly title: string; readonly children: ReactNode }) {
  const { job, title, children } = props;
  const t = useText();
  const { store } = useJobList();
  const isSelected = useJobsState(({ selectedIds }) => selectedIds.has(job.id));
  const isSelecting = useJobsState(({ selectedIds }) => selectedIds.size > 0);
  return (
    <span className={cx(css['select'], isSelecting && css['selecting'])}>
      {children}
      <input
        type="checkbox"
        tabIndex={-1}
        aria-label={t('transcribe.selection.one', { name: title })}
        checked={isSelected}
        onChange={() => {
          const ids = new Set(store.getState().selectedIds);
          if (!ids.delete(job.id)) ids.add(job.id);
          store.select(ids);
        }}
      />
    </span>
  );
}

function Actions(props: {
  readonly job: JobView;
  readonly title: string;
  readonly actions: ReturnType<ReturnType<typeof useJobActions>>;
  readonly hasMain: boolean;
}) {
  const { job, title, actions, hasMain } = props;
  const t = useText();
  const { store } = useJobList();
  const isMenuOpen = useJobsState(({ overlay }) => overlay.tag === 'menu' && overlay.jobId === job.id);
  const [kept, setKept] = useState<readonly MenuEntry[] | null>(null);
  if (isMenuOpen !== (kept !== null)) setKept(isMenuOpen ? actions.entries() : null);
  return (
    <span className={cx('row gap-2 ending rigid', job.state.tag === 'done' && !isMenuOpen && css['quiet'])}>
      {hasMain && <MainAction main={actions.main} />}
      {job.state.tag === 'waiting' && (
        // For the pointer only; the keyboard has Alt with an arrow key, and the menu.
        <span aria-hidden data-drag className={css['grip']} title={t('transcribe.actions.moveFor', { name: title })}>
          <GripVertical size={16} strokeWidth={1.75} />
        </span>
      )}
      {actions.pause && job.state.tag === 'uploading' && !isWholeSent(job) && (
        <IconButton
          size="sm"
          icon={Pause}
          label={t('transcribe.actions.pauseFor', { name: title })}
          onPress={actions.pause}
        />
      )}
      <Menu
        label={t('transcribe.actions.moreFor', { name: title })}
        entries={kept === null ? actions.entries : () => keepEntries(kept, actions.entries())}
        isOpen={isMenuOpen}
        onOpenChange={(isOpen) => {
          if (isOpen) store.show({ tag: 'menu', jobId: job.id });
          else if (store.getState().overlay.tag === 'menu') store.hide();
        }}
        trigger={<IconButton size="sm" icon={Ellipsis} label={t('transcribe.actions.moreFor', { name: title })} />}
      />
    </span>
  );
}

function MainAction({ main, ...as }: { readonly main: MenuCommand | null } & Pick<ButtonProps, 'label' | 'onPress'>) {
  return (
    main && (
      <Button size="sm" {...(main.icon && { icon: main.icon })} onPress={main.onAction} {...as}>
        {main.text}
      </Button>
    )
  );
}

function StatusIcon(props: Pick<JobPresentation, 'tone' | 'icon'> & { readonly className?: string | undefined }) {
  const { tone, icon: Icon, className } = props;
  return (
    <span aria-hidden data-tone={tone} className={cx(css['tile'], className)}>
      {Icon === 'spinner' ? <Spinner /> : <Icon size={16} strokeWidth={1.75} />}
    </span>
  );
}

/** A row where there is little room. `leaving`: a dialog or another screen follows, which this must not cover. */
export function JobLine(props: { readonly job: JobView; readonly leaving: (run: () => void) => () => void }) {
  const { job, leaving } = props;
  const t = useText();
  const look = useJobPresentation()(job, useNow(isTicking(job)));
  const { open, main, cancel } = useJobActions()(job);
  const { name } = job;
  const [fact] = look.facts;
  return (
    <li className={css['line']}>
      <StatusIcon icon={look.icon} tone={look.tone} />
      <div className={css['words']}>
        <span className="cut medium">{name}</span>
        <span className={css['meta']}>
          <span className={css['status']} data-tone={look.tone}>
            {look.status}
          </span>
          {fact !== undefined && ` · ${fact}`}
        </span>
        {look.progress && <ProgressBar label={`${name}: ${look.status}`} progress={look.progress} />}
      </div>
      {main && (
        <MainAction
          main={main}
          label={`${main.text}: ${name}`}
          onPress={open === null ? main.onAction : leaving(open)}
        />
      )}
      {cancel && job.state.tag !== 'needs-user' && (
        <IconButton size="sm" icon={X} label={t('jobs.cancel', { name })} onPress={leaving(cancel)} />
      )}
    </li>
  );
}
