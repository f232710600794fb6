import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronDown, FileClock, CircleAlert, FileText, FolderOpen, Pencil, Trash2 } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import { useLocation } from 'wouter';
import { spellName } from '../../shared/domain/text/uzbek-letters.ts';
import { lengthClock } from '../../shared/domain/time/time-code.ts';
import { useSettings } from '../bridge/live-state.tsx';
import { failureOf } from '../bridge/request-error.ts';
import { saveEverything } from '../bridge/save-before-leaving.ts';
import { useStudio } from '../bridge/studio-context.tsx';
import type { ListedTranscript } from '../bridge/types.ts';
import { useSettingsChange } from '../bridge/use-settings-change.ts';
import { useKeyFor } from '../lib/commands.tsx';
import { useFailureText } from '../lib/failure-text.ts';
import { Scope } from '../lib/scope.ts';
import type { Section } from '../lib/section.ts';
import { tellApart } from '../lib/tell-apart.ts';
import { leadIntoText } from '../lib/text-pane.ts';
import { useText, useFormats } from '../lib/text.ts';
import { useNow } from '../lib/use-now.ts';
import {
  itemRequests,
  transcriptsQuery,
  useFreshTranscripts,
  transcriptKey,
  transcriptListKey,
} from '../parts/transcripts/transcripts-query.ts';
import { NameDialog } from '../parts/transcripts/name-dialog.tsx';
import { Menu, MenuAt, type MenuPoint } from '../ui/menu.tsx';
import { useUndoNotice } from '../ui/notices.ts';
import { PressButton } from '../ui/press-button.tsx';
import { useToast } from '../ui/toast.tsx';
import { CrashGuard } from './crash-guard.tsx';
import { JobsDock } from './jobs-dock.tsx';
import css from './rail.module.css';
import { byLastUse } from './recent-order.ts';
import { useSectionLocation, homeSection, more, railGroups, useWorksHere } from './sections.ts';

const atMost = 6;

export function Rail() {
  const t = useText();
  return (
    <nav className={css['rail']} aria-label={t('shell.mainNavigation')} data-pane="rail">
      <RailLinks of={railGroups.text} />
      <Tools />
      <CrashGuard isSmall>
        <Recent />
      </CrashGuard>
      <div className={css['space']} />
      <CrashGuard isSmall>
        <JobsDock />
      </CrashGuard>
      <RailLinks of={railGroups.foot} hasMore />
    </nav>
  );
}

function RailLinks({ of, hasMore = false }: { readonly of: readonly Section[]; readonly hasMore?: boolean }) {
  const worksHere = useWorksHere();
  return of.flatMap((section) => {
    const shown = worksHere(section) === true ? section : hasMore ? more : null;
    return shown === null ? [] : [<RailLink key={section.path} section={shown} />];
  });
}

/** A rail of icons has no room for a heading and shows them all. */
function Tools() {
  const t = useText();
  const { areToolsFolded } = useSettings();
  const change = useSettingsChange();
  return (
    <>
      <PressButton
        className={css['fold']}
        isExpanded={!areToolsFolded}
        onPress={() => void change({ areToolsFolded: !areToolsFolded })}
      >
        {t('shell.tools')}
        <ChevronDown aria-hidden size={12} strokeWidth={2} />
      </PressButton>
      <div className={css['tools']} data-folded={areToolsFolded || undefined}>
        <RailLinks of={railGroups.tools} />
      </div>
    </>
  );
}

function RailLink({ section: { path, title, icon: Icon, command, Badge } }: { readonly section: Section }) {
  const t = useText();
  const [, navigate] = useLocation();
  const { section, isInDocument } = useSectionLocation();
  // A transcript opened from anywhere else, such as the settings, has its place under Transcribe.
  const shown = isInDocument && section.path !== '/library' ? homeSection : section;
  const shortcut = useKeyFor()(command);
  const text = t(title);
  return (
    <PressButton
      isLink
      className={css['item']}
      // A document is opened over its section, so the section is not the current page.
      current={shown.path !== path ? null : isInDocument ? 'true' : 'page'}
      shortcut={shortcut}
      tip={{ text, shortcut, placement: 'end' }}
      onPress={() => navigate(path)}
    >
      <Icon aria-hidden size={18} strokeWidth={1.75} />
      <span className={css['name']}>{text}</span>
      {Badge && <Badge />}
    </PressButton>
  );
}

function Recent() {
  useFreshTranscripts();
  const { data = [] } = useQuery(transcriptsQuery(useStudio()));
  return data.length === 0 ? null : <RecentList transcripts={data} />;
}

function RecentList({ transcripts }: { readonly transcripts: readonly ListedTranscript[] }) {
  const t = useText();
  const [location, navigate] = useLocation();
  const openId = /^\/transcripts\/([^/]+)/u.exec(location)?.[1] ?? null;
  const ordered = byLastUse(transcripts, useOpenings(openId));
  const menu = useRef<HTMLDivElement>(null);
  const section = useRef<HTMLElement>(null);
  const held = useHeldOrder(section, ordered);
  const shown = (held === null ? ordered : held.flatMap((id) => transcripts.find((one) => one.id === id) ?? [])).slice(
    0,
    atMost,
  );
  const recent = t('shell.recent');
  const formats = useFormats();
  const nowMs = useNow(false);
  const [asked, setAsked] = useState<AskedMenu | null>(null);
  const momentOf = ({ createdAtMs }: ListedTranscript) => formats.moment(createdAtMs, nowMs);
  const lengthOf = ({ durationMs }: ListedTranscript) => lengthClock(durationMs);
  const notes = tellApart(shown, [momentOf, lengthOf, ({ sourceName }) => sourceName]);
  const tipOf = (one: ListedTranscript) =>
    `${one.title}\n${[one.sourceName, momentOf(one), lengthOf(one)].join(' · ')}`;
  const open = (id: string) => navigate(`/transcripts/${id}`);
  return (
    <>
      <div ref={menu} className={css['recentMenu']}>
        <Menu
          label={recent}
          placement="bottom start"
          entries={shown.map((one) => ({
            id: one.id,
            text: one.title,
            detail: notes.get(one.id) ?? null,
            onAction: () => {
              open(one.id);
              leadOnFrom(menu.current);
            },
          }))}
          trigger={
            <PressButton className={css['item']} label={recent} tip={{ text: recent, placement: 'end' }}>
              <FileClock aria-hidden size={18} strokeWidth={1.75} />
              <span className={css['name']}>{recent}</span>
            </PressButton>
          }
        />
      </div>
      <section ref={section} className={css['recent']} aria-label={recent}>
        <h2 className={css['recentTitle']}>{recent}</h2>
        {shown.map((one) => (
          <PressButton
            key={one.id}
            isLink
            className={css['recentItem']}
            current={one.id === openId ? 'page' : null}
            tip={{ text: tipOf(one), placement: 'end' }}
            onPress={() => open(one.id)}
            onContextMenu={(event) => {
              event.preventDefault();
              setAsked({ transcript: one, at: { x: event.clientX, y: event.clientY } });
            }}
          >
            <span className={css['recentName']}>{one.title}</span>
            {notes.has(one.id) && <span className={css['recentNote']}>{notes.get(one.id)}</span>}
          </PressButton>
        ))}
      </section>
      <RecentMenu
        asked={asked}
        onClose={() => setAsked(null)}
        onOpen={open}
        onLeave={(id) => {
          if (id === openId) navigate(homeSection.path);
        }}
      />
    </>
  );
}

/** A menu that closes gives the focus back to its button, from where it goes on to the text. */
function leadOnFrom(menu: HTMLElement | null): void {
  document.addEventListener(
    'focusin',
    ({ target }) => {
      if (target instanceof HTMLElement && menu?.contains(target) === true) leadIntoText();
    },
    { once: true },
  );
}

/** Main notes openings too, but a list may have been asked for before. */
function useOpenings(openId: string | null): ReadonlyMap<string, number> {
  const [openings, setOpenings] = useState<ReadonlyMap<string, number>>(new Map());
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- rendering knows no time
    if (openId !== null) setOpenings((before) => new Map(before).set(openId, Date.now()));
  }, [openId]);
  return openings;
}

/** Nothing moves in a list while it is used by pointer or keyboard; null while it is not. */
function useHeldOrder(
  list: RefObject<HTMLElement | null>,
  ordered: readonly { readonly id: string }[],
): readonly string[] | null {
  const [held, setHeld] = useState<readonly string[] | null>(null);
  const hold = useEffectEvent(() => setHeld((before) => before ?? ordered.map(({ id }) => id)));
  useEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const scope = new Scope();
    const letGo = () => {
      if (!element.matches(':hover') && element.querySelector(':focus-visible') === null) setHeld(null);
    };
    for (const began of ['pointerenter', 'focusin']) scope.listen(element, began, () => hold());
    scope.listen(element, 'pointerleave', letGo);
    // The focus has not moved on before the event is over.
    scope.listen(element, 'focusout', () => queueMicrotask(letGo));
    return () => scope.dispose();
  }, [list]);
  return held;
}

interface AskedMenu {
  readonly transcript: ListedTranscript;
  readonly at: MenuPoint;
}

interface RecentMenuProps {
  readonly asked: AskedMenu | null;
  readonly onClose: () => void;
  readonly onOpen: (id: string) => void;
  readonly onLeave: (id: string) => void;
}

function RecentMenu({ asked, onClose, onOpen, onLeave }: RecentMenuProps) {
  const t = useText();
  const { trash, restore, rename, showRecording } = useItemActions();
  const [renamed, setRenamed] = useState<ListedTranscript | null>(null);
  const throwAway = async (transcript: ListedTranscript) => {
    // Of an open transcript, what was typed last goes to the trash with it.
    await saveEverything();
    onLeave(transcript.id);
    await trash(transcript, () => void restore(transcript));
  };
  const entries = ({ transcript }: AskedMenu) => [
    { id: 'open', text: t('library.open'), icon: FileText, onAction: () => onOpen(transcript.id) },
    { id: 'rename', text: t('library.rename'), icon: Pencil, onAction: () => setRenamed(transcript) },
    ...(transcript.hasRecording
      ? [
          {
            id: 'show-recording',
            text: t('transcribe.actions.showRecording'),
            icon: FolderOpen,
            onAction: () => void showRecording(transcript.id),
          },
        ]
      : []),
    'separator' as const,
    { id: 'trash', text: t('library.toTrash'), icon: Trash2, onAction: () => void throwAway(transcript) },
  ];
  return (
    <>
      {asked !== null && (
        <MenuAt
          key={`${String(asked.at.x)}-${String(asked.at.y)}`}
          label={asked.transcript.title}
          at={asked.at}
          entries={entries(asked)}
          onClose={onClose}
        />
      )}
      {renamed !== null && (
        <NameDialog
          title={t('library.rename')}
          name={renamed.title}
          onClose={() => setRenamed(null)}
          onName={(name) => {
            setRenamed(null);
            void rename(renamed, name);
          }}
        />
      )}
    </>
  );
}

function useItemActions() {
  const t = useText();
  const studio = useStudio();
  const queries = useQueryClient();
  const words = useFailureText();
  const showToast = useToast();
  const showUndo = useUndoNotice();
  const requests = itemRequests(studio);
  const refOf = ({ id }: ListedTranscript) => ({ kind: 'transcript' as const, id });
  const done = async (work: Promise<unknown>): Promise<boolean> => {
    try {
      await work;
      return true;
    } catch (error) {
      const failure = failureOf(error);
      if (failure === null) throw error;
      showToast({ icon: CircleAlert, text: words(failure).text });
      return false;
    } finally {
      void queries.invalidateQueries({ queryKey: transcriptListKey });
    }
  };
  const giveTitle = async (one: ListedTranscript, title: string): Promise<boolean> => {
    const isDone = await done(requests.rename(refOf(one), title));
    if (isDone)
      queries.setQueryData<{ readonly title: string }>(transcriptKey(one.id), (known) => known && { ...known, title });
    return isDone;
  };
  return {
    restore: (one: ListedTranscript) => done(requests.restore([refOf(one)])),
    trash: async (one: ListedTranscript, undo: () => void) => {
      if (await done(requests.trash([refOf(one)])))
        showUndo({ icon: Trash2, text: t('library.trashedTitle', { title: one.title }), undo });
    },
    rename: async (one: ListedTranscript, typed: string) => {
      const { title: before } = one;
      const name = typed === before ? before : spellName(one.language, typed);
      if (before === name || !(await giveTitle(one, name))) return;
      showUndo({
        icon: Pencil,
        text: t('library.renamed', { before, name }),
        undo: () => void giveTitle(one, before),
      });
    },
    showRecording: (id: string) => done(requests.showRecording(id)),
  };
}
