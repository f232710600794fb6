import { Blend, Ellipsis, GripVertical, Pause, Users } from 'lucide-react';
import {
  useEffectEvent,
  useMemo,
  useRef,
  use,
  useState,
  type ReactNode,
  createContext,
  useEffect,
  type RefObject,
} from 'react';
import { VisuallyHidden } from 'react-aria-components';
import type { JobView } from '../../../../shared/domain/jobs/job-view.ts';
import { speechLanguages, type SpeechLanguage } from '../../../../shared/domain/languages.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import { useJobsNow, useSettings } from '../../../bridge/live-state.tsx';
import { cx } from '../../../lib/class-names.ts';
import { useCreditsWords, useText, useFormats } from '../../../lib/text.ts';
import { Scope } from '../../../lib/scope.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Button } from '../../../ui/button.tsx';
import { LanguageTag } from '../../../ui/chip.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu, type MenuEntry } from '../../../ui/menu.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { RowGrid } from '../../../ui/row-grid/row-grid.tsx';
import { StatusIcon } from '../../../ui/status-icon.tsx';
import { isMovable, lineOf, type QueueItem, isWholeSent, type TextFacts, isTicking } from '../model/queue-order.ts';
import { useTranscribe, useTranscribeState } from '../transcribe-context.ts';
import { useJobActions, useRowMove, useJobPresentation } from './job-rows.ts';
import css from './queue-list.module.css';

const DraggedRow = createContext<string | null>(null);
const edgePx = 32;
const scrollStepPx = 12;

/** The entries of an open menu stay in their places while the row changes; what is not possible any more is dimmed. */
const keepEntries = (kept: readonly MenuEntry[], now: readonly MenuEntry[]): readonly MenuEntry[] =>
  kept.map((entry) =>
    entry === 'separator'
      ? entry
      : (now.find((other) => other !== 'separator' && other.id === entry.id) ?? { ...entry, isDisabled: true }),
  );

const rowHeight = 41;
/** The number of rows that notices above the list leave visible; with less room the whole pane scrolls. */
const keptInView = 4;

const titleOf = ({ title }: QueueItem) => title;
const drawRow = (item: QueueItem) => <JobRow item={item} />;

/** Delete ends the selection or else the focused row, Alt with an arrow moves a waiting one. */
export function QueueList({ items }: { readonly items: readonly QueueItem[] }) {
  const t = useText();
  const actionsOf = useJobActions();
  const { store, deleteRows } = useTranscribe();
  const jobsNow = useJobsNow();
  const move = useRowMove();
  const selectedIds = useTranscribeState((state) => state.selectedIds);
  const isInLine = useTranscribeState(({ order }) => order === 'queue');
  const frame = useRef<HTMLDivElement>(null);
  const drag = useRowDrag(
    frame,
    () => lineOf(jobsNow()).map(({ id }) => id),
    (jobId, beforeId) => {
      store.sortBy('queue');
      void store.move([jobId], beforeId);
    },
  );
  const selection = useMemo(() => ({ ids: selectedIds, onChange: store.select }), [selectedIds, store]);
  return (
    <div ref={frame} className={css['frame']} data-dragging={drag === null ? undefined : ''}>
      <DraggedRow value={drag?.jobId ?? null}>
        <RowGrid
          label={t('transcribe.queue')}
          className={css['list']}
          style={{ minBlockSize: Math.min(items.length, keptInView) * rowHeight }}
          items={items}
          labelOf={titleOf}
          estimatedRowHeight={rowHeight}
          selection={selection}
          onOpen={({ job }) => {
            const { open, main } = actionsOf(job);
            if (open) open();
            else if (main?.id === 'open-earlier') main.onAction();
            else store.show({ tag: 'details', jobId: job.id });
          }}
          onMenu={({ job }) => store.show({ tag: 'menu', jobId: job.id })}
          onKey={({ key, altKey }, { job }) => {
            if (altKey && (key === 'ArrowUp' || key === 'ArrowDown')) {
              if (!isMovable(job)) return true;
              if (!isInLine) store.sortBy('queue');
              void move(job, key === 'ArrowUp' ? -1 : 1);
              return true;
            }
            if (key !== 'Delete') return false;
            const ticked = items.filter(({ id }) => selectedIds.has(id));
            const { remove, cancel } = actionsOf(job);
            if (ticked.length > 0) deleteRows(ticked.map(({ id }) => id));
            else (remove ?? cancel)?.();
            return true;
          }}
        >
          {drawRow}
        </RowGrid>
      </DraggedRow>
      {drag && <div aria-hidden className={css['mark']} style={{ insetBlockStart: drag.markAt }} />}
      {drag && (
        <div aria-hidden className={css['taken']} style={{ insetBlockStart: drag.pointerAt }}>
          {items.find(({ job }) => job.id === drag.jobId)?.title}
        </div>
      )}
    </div>
  );
}

function JobRow({ item: { job, title, text, heading } }: { readonly item: QueueItem }) {
  const t = useText();
  const formats = useFormats();
  const nowMs = useNow(isTicking(job));
  const look = useJobPresentation()(job, nowMs);
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

/** Practice mode is free, and what it returns are notes and not words. */
function TextFactsOf({ text: { wordCount, credits } }: { readonly text: TextFacts }) {
  const t = useText();
  const formats = useFormats();
  const { mode } = useSettings();
  const creditsWords = useCreditsWords();
  if (modeOf(mode).isFree) return null;
  const details = [
    ...(wordCount > 0 ? [t('transcribe.state.words', { count: wordCount, amount: formats.number(wordCount) })] : []),
    ...(credits === null ? [] : [creditsWords(credits)]),
  ];
  return details.length === 0 ? null : <span className={css['facts']}>{details.join(' · ')}</span>;
}

function Language(props: {
  readonly job: JobView & { readonly kind: 'transcribe' };
  readonly title: string;
  readonly set: SpeechLanguage | null;
}) {
  const { job, title, set } = props;
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
function Select(props: { readonly job: JobView; readonly title: string; readonly children: ReactNode }) {
  const { job, title, children } = props;
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

function Actions(props: {
  readonly job: JobView;
  readonly title: string;
  readonly isQuiet: boolean;
  readonly hasMain: boolean;
}) {
  const { job, title, isQuiet, hasMain } = props;
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

function MainAction({ job }: { readonly job: JobView }) {
  const { main } = useJobActions()(job);
  if (main === null) return null;
  return (
    <Button size="sm" {...(main.icon ? { icon: main.icon } : {})} onPress={main.onAction}>
      {main.text}
    </Button>
  );
}

interface RowDrag {
  readonly jobId: string;
  /** The distance of the insertion mark from the top of the visible list, in CSS pixels. */
  readonly markAt: number;
  /** The distance of the pointer from the top of the visible list, in CSS pixels. */
  readonly pointerAt: number;
}

/** Drags a row by its handle (`data-drag`); Escape cancels it. The keyboard has its own command. */
function useRowDrag(
  frame: RefObject<HTMLElement | null>,
  lineNow: () => readonly string[],
  moveBefore: (jobId: string, beforeId: string | null) => void,
): RowDrag | null {
  const line = useEffectEvent(lineNow);
  const onMove = useEffectEvent(moveBefore);
  const [drag, setDrag] = useState<RowDrag | null>(null);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const scope = new Scope();
    let held: { readonly jobId: string; readonly pointerId: number; y: number } | null = null;
    let target: string | null | undefined;
    const grid = () => element.querySelector<HTMLElement>('[role="grid"]');

    /** The movable row under the pointer decides: its upper half means before it, its lower half after it. */
    const look = () => {
      const list = grid();
      if (held === null || list === null) return;
      const { jobId, y } = held;
      const ids = line();
      const rows = [...list.querySelectorAll<HTMLElement>('[role="row"]')]
        .filter((row) => ids.includes(row.dataset['key'] ?? ''))
        .map((row) => ({ id: row.dataset['key'] ?? '', box: row.getBoundingClientRect() }))
        .toSorted((left, right) => left.box.top - right.box.top);
      const next = rows.find(({ box }) => y < box.top + box.height / 2);
      const last = rows.at(-1);
      if (next === undefined && last === undefined) return;
      const following = last === undefined ? -1 : ids.indexOf(last.id) + 1;
      target = next === undefined ? (ids[following] ?? null) : next.id;
      const markY = next === undefined ? (last?.box.bottom ?? 0) : next.box.top;
      const { top } = element.getBoundingClientRect();
      setDrag({ jobId, markAt: markY - top, pointerAt: y - top });
    };
    const scroll = () => {
      const list = grid();
      if (held === null || list === null) return;
      const box = list.getBoundingClientRect();
      const step = held.y < box.top + edgePx ? -scrollStepPx : held.y > box.bottom - edgePx ? scrollStepPx : 0;
      if (step === 0) return;
      list.scrollBy(0, step);
      look();
    };
    const end = (isDropped: boolean) => {
      if (held === null) return;
      const { jobId } = held;
      const beforeId = target;
      held = null;
      target = undefined;
      setDrag(null);
      if (isDropped && beforeId !== undefined && beforeId !== jobId) onMove(jobId, beforeId);
    };

    scope.listen<PointerEvent>(element, 'pointerdown', (event) => {
      const handle = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-drag]') : null;
      const jobId = handle?.closest<HTMLElement>('[role="row"]')?.dataset['key'];
      if (jobId === undefined || event.button !== 0) return;
      event.preventDefault();
      held = { jobId, pointerId: event.pointerId, y: event.clientY };
      element.setPointerCapture(event.pointerId);
    });
    scope.listen<PointerEvent>(element, 'pointermove', (event) => {
      if (held === null || event.pointerId !== held.pointerId) return;
      held.y = event.clientY;
      look();
      scroll();
    });
    scope.listen<PointerEvent>(element, 'pointerup', () => end(true));
    scope.listen<PointerEvent>(element, 'pointercancel', () => end(false));
    const onKeyDown = (event: KeyboardEvent) => {
      if (held === null || event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      end(false);
    };
    scope.listen(document, 'keydown', onKeyDown, { capture: true });
    return () => scope.dispose();
  }, [frame]);
  return drag;
}
