import { Blend, Ellipsis, GripVertical, Pause, Users } from 'lucide-react';
import { use, useState, type ReactNode } from 'react';
import { VisuallyHidden } from 'react-aria-components';
import { speechLanguages, type SpeechLanguage } from '../../../../shared/domain/languages.ts';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { cx } from '../../../lib/class-names.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Button } from '../../../ui/button.tsx';
import { LanguageTag } from '../../../ui/chip.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu, type MenuEntry } from '../../../ui/menu.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { StatusIcon } from '../../../ui/status-icon.tsx';
import { isMovable, isWholeSent, type QueueItem, type TextFacts } from '../model/queue-order.ts';
import { isTicking } from '../model/selectors.ts';
import { useTranscribe, useTranscribeState } from '../transcribe-context.ts';
import { useJobActions } from './job-actions.ts';
import { useJobLook } from './job-words.ts';
import { DraggedRow } from './use-row-drag.ts';
import css from './job-row.module.css';

/** The content of a row; selection, keys and focus belong to the list. */
export function JobRow({ item: { job, title, text, heading } }: { readonly item: QueueItem }) {
  const t = useText();
  const formats = useFormats();
  const nowMs = useNow(isTicking(job));
  const waitMs = useWholeWait(job, nowMs);
  const look = useJobLook()(job, nowMs, waitMs);
  const { state } = job;
  const isTaken = use(DraggedRow) === job.id;
  // Most rows of a long list are done, so green would carry no information.
  const tone = state.tag === 'done' ? 'neutral' : look.tone;
  const speakerCount = state.tag === 'done' ? (state.speakerCount ?? 0) : 0;
  // What the user set in the text counts more than what was sent.
  const language = job.kind === 'transcribe' ? (text?.language ?? job.language) : null;
  const isLegacy = job.kind === 'transcribe' && job.isLegacy === true;
  const facts = [...(isLegacy ? [t('transcribe.next.legacy')] : []), ...look.facts].join(' · ');
  const [wasOpen] = useState(state.tag !== 'done');
  const heard = state.tag === 'processing' ? state.heard : undefined;
  const isQuiet = state.tag === 'done';
  return (
    <>
      {heading && (
        <p className={css['heading']} data-heading>
          {t(`transcribe.group.${heading.group}`)}
          <span className={css['headingCount']}>{formats.number(heading.count)}</span>
        </p>
      )}
      <div className={css['cells']} data-taken={isTaken ? '' : undefined}>
        <Select job={job} title={title}>
          <span className={cx(css['icon'], wasOpen && state.tag === 'done' && css['drawn'])}>
            <StatusIcon size="sm" icon={look.icon} tone={tone} />
          </span>
        </Select>
        <span
          className={css['title']}
          lang={state.tag === 'done' ? (language ?? undefined) : undefined}
          title={job.name}
        >
          {title}
        </span>
        {job.kind === 'transcribe' ? (
          <Language job={job} title={title} set={text?.language ?? null} />
        ) : (
          // The column is as wide as the code of a language.
          <span className={css['kind']} title={t(`transcribe.kinds.${job.kind}`)}>
            <Blend aria-hidden size={14} strokeWidth={1.75} />
            <VisuallyHidden>{t(`transcribe.kinds.${job.kind}`)}</VisuallyHidden>
          </span>
        )}
        <span className={css['length']}>{job.durationMs === null ? '' : formats.clock(job.durationMs)}</span>
        <span className={css['speakers']}>
          {(speakerCount > 0 || (job.kind === 'transcribe' && job.includeSpeakers)) && (
            <>
              <Users aria-hidden size={14} strokeWidth={1.75} />
              {speakerCount > 0 && <span aria-hidden>{formats.number(speakerCount)}</span>}
              <VisuallyHidden>
                {speakerCount > 0 ? t('common.speakers', { count: speakerCount }) : t('transcribe.state.speakersOn')}
              </VisuallyHidden>
            </>
          )}
        </span>
        {look.explanation && (
          <div className={css['more']}>
            <p className={css['explanation']}>{look.explanation}</p>
            <MainAction job={job} />
          </div>
        )}
        {heard && (
          <div className={css['heard']}>
            <p lang={language ?? undefined}>{heard.latestText}</p>
            {look.progress && <ProgressBar label={`${title}: ${look.status}`} progress={look.progress} />}
          </div>
        )}
        <span className={css['end']}>
          <span className={cx(css['state'], isQuiet && css['ended'])}>
            {text && <TextFactsOf text={text} />}
            {look.progress && !heard && (
              <ProgressBar className={css['bar']} label={`${title}: ${look.status}`} progress={look.progress} />
            )}
            {state.tag === 'done' && <VisuallyHidden>{t('transcribe.state.done')}</VisuallyHidden>}
            <span data-tone={tone} className={css['status']}>
              {look.status}
            </span>
            {facts !== '' && <span className={css['facts']}>{facts}</span>}
          </span>
          <Actions job={job} title={title} isQuiet={isQuiet} hasMain={look.explanation === null} />
        </span>
      </div>
    </>
  );
}

/**
 * The length of the transcript and its cost, if that was reported. Practice mode is free, and what it returns are notes
 * and not words.
 */
function TextFactsOf({ text: { wordCount, credits } }: { readonly text: TextFacts }) {
  const t = useText();
  const formats = useFormats();
  const { mode } = useSettings();
  if (modeOf(mode).isFree) return null;
  const amount = Math.ceil(Number(credits ?? 0) * 10) / 10;
  const details = [
    ...(wordCount > 0 ? [t('transcribe.state.words', { count: wordCount, amount: formats.number(wordCount) })] : []),
    ...(credits === null ? [] : [t('transcribe.cost.amount', { count: amount, amount: formats.number(amount) })]),
  ];
  return details.length === 0 ? null : <span className={css['facts']}>{details.join(' · ')}</span>;
}

/** The spoken language, which can be changed until something was sent. */
function Language({
  job,
  title,
  set,
}: {
  readonly job: JobView & { readonly kind: 'transcribe' };
  readonly title: string;
  /** In the finished text. */
  readonly set: SpeechLanguage | null;
}) {
  const t = useText();
  const { store } = useTranscribe();
  const { state } = job;
  const language = set ?? job.language;
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
        onAction: () => void store.changeLanguage(job, one),
      }))}
    />
  );
}

/** The checkbox replaces the icon while the pointer is over the row or any row is selected. */
function Select({
  job,
  title,
  children,
}: {
  readonly job: JobView;
  readonly title: string;
  readonly children: ReactNode;
}) {
  const t = useText();
  const { store } = useTranscribe();
  const isSelected = useTranscribeState(({ selectedIds }) => selectedIds.has(job.id));
  const isSelecting = useTranscribeState(({ selectedIds }) => selectedIds.size > 0);
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

function Actions({
  job,
  title,
  isQuiet,
  hasMain,
}: {
  readonly job: JobView;
  readonly title: string;
  readonly isQuiet: boolean;
  readonly hasMain: boolean;
}) {
  const t = useText();
  const { store } = useTranscribe();
  const actions = useJobActions()(job);
  const isMenuOpen = useTranscribeState(({ overlay }) => overlay.tag === 'menu' && overlay.jobId === job.id);
  const [kept, setKept] = useState<readonly MenuEntry[] | null>(null);
  if (isMenuOpen !== (kept !== null)) setKept(isMenuOpen ? actions.entries() : null);
  return (
    <span className={cx(css['actions'], isQuiet && !isMenuOpen && css['quiet'])}>
      {hasMain && <MainAction job={job} />}
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

/** The entries of an open menu stay in their places while the row changes; what is not possible any more is dimmed. */
const keepEntries = (kept: readonly MenuEntry[], now: readonly MenuEntry[]): readonly MenuEntry[] =>
  kept.map((entry) =>
    entry === 'separator'
      ? entry
      : (now.find((other) => other !== 'separator' && other.id === entry.id) ?? { ...entry, isDisabled: true }),
  );

/** The one action drawn as a button; its reason is shown below if there is one. */
function MainAction({ job }: { readonly job: JobView }) {
  const { main } = useJobActions()(job);
  if (main === null) return null;
  return (
    <Button size="sm" {...(main.icon ? { icon: main.icon } : {})} onPress={main.onAction}>
      {main.text}
    </Button>
  );
}

/** The length of the pause a row is in, remembered from when it was first shown. */
function useWholeWait({ state }: JobView, nowMs: number): number {
  const untilMs = state.tag === 'retrying' ? state.untilMs : null;
  const [wait, setWait] = useState({ untilMs, waitMs: untilMs === null ? 0 : untilMs - nowMs });
  if (wait.untilMs !== untilMs) setWait({ untilMs, waitMs: untilMs === null ? 0 : untilMs - nowMs });
  return wait.waitMs;
}
