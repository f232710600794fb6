import { useQuery } from '@tanstack/react-query';
import type { ParseKeys } from 'i18next';
import { FileText, RotateCw, Search, X, Settings2 } from 'lucide-react';
import { useMemo, useCallback } from 'react';
import { useLocation } from 'wouter';
import {
  type CommandId,
  commandGroups,
  isCommandId,
  type CommandGroup,
} from '../../shared/domain/commands/command-list.ts';
import type { JobView } from '../../shared/domain/jobs/job-view.ts';
import type { SpeechLanguage } from '../../shared/domain/languages.ts';
import { useSettings, useJobsNow } from '../bridge/live-state.tsx';
import { useStudio } from '../bridge/studio-context.tsx';
import type { ListedTranscript } from '../bridge/types.ts';
import { useSettingsChange } from '../bridge/use-settings-change.ts';
import { accountPages } from '../features/account/index.ts';
import {
  commandIcon,
  CommandPalette,
  synonymsOf,
  type PaletteEntry,
  foundAtMost,
  rank,
  unaskedAtMost,
  wordsAsked,
  type MoreEntries,
} from '../features/palette/index.ts';
import { settingsIndex, settingsPages } from '../features/settings/index.ts';
import { useAvailableCommands, useCommandTitle, useKeyFor, useRunCommand } from '../lib/commands.tsx';
import { pathWords } from '../lib/path-words.ts';
import { useOtherWords, useText, plainText, useFormats } from '../lib/text.ts';
import { useJobActions } from '../parts/jobs/job-actions.ts';
import { sortJobs } from '../parts/jobs/job-order.ts';
import { transcriptsQuery } from '../parts/transcripts/transcripts-query.ts';
import { sections } from './sections.ts';
import { useShellLayer } from './shell-layer.ts';

const atMost = 8;
const isText = ({ of }: Offer): boolean => of.kind === 'text' || of.kind === 'open';

const remembered = 8;
const places: ReadonlySet<CommandId> = new Set([
  ...sections.map(({ command }) => command),
  'shortcuts.open',
  'jobs.open',
]);
const sectionIcons = new Map(sections.map(({ command, icon }) => [command, icon]));

export function PaletteHost() {
  const { layer, show } = useShellLayer();
  const { recentActions } = useSettings();
  const change = useSettingsChange();
  const isOpen = layer === 'palette';
  const commands = useCommandEntries(isOpen);
  const entriesFor = useRowEntries(isOpen);
  return (
    <CommandPalette
      isOpen={isOpen}
      entries={commands}
      entriesFor={entriesFor}
      recentIds={recentActions}
      onClose={() => show('none')}
      onChosen={(id) => {
        if (!isCommandId(id)) return;
        void change({ recentActions: [id, ...recentActions.filter((other) => other !== id)].slice(0, remembered) });
      }}
      onShortcuts={() => show('shortcuts')}
    />
  );
}

/** Commands for a text or its audio come first; window commands and quitting come last. */
function byUse<T extends { readonly id: CommandId; readonly group: CommandGroup }>(available: readonly T[]): T[] {
  const place = ({ id, group }: T) => (id === 'app.quit' ? commandGroups.length : commandGroups.indexOf(group));
  return available.toSorted((one, other) => place(one) - place(other));
}

/** Built only while the palette is open, because availability changes often. */
function useCommandEntries(isOpen: boolean): readonly PaletteEntry[] {
  const t = useText();
  const others = useOtherWords();
  const titleOf = useCommandTitle();
  const keyFor = useKeyFor();
  const run = useRunCommand();
  const available = useAvailableCommands(isOpen);
  return useMemo(() => {
    if (!isOpen) return [];
    const wordsFor = (id: CommandId) => {
      const key = synonymsOf(id);
      return key === null ? [] : [t, ...others()].flatMap((say) => say(key).split(', '));
    };
    return byUse(available).map(({ id, group, name }) => ({
      id,
      group: places.has(id) ? ('goto' as const) : ('actions' as const),
      title: name ?? titleOf(id),
      otherTitles: [
        ...(name === null ? [] : [titleOf(id)]),
        ...others().map((say) => titleOf(id, say)),
        ...wordsFor(id),
      ],
      icon: sectionIcons.get(id) ?? commandIcon(id, group),
      shortcut: keyFor(id),
      run: () => run(id),
    }));
  }, [isOpen, available, t, others, titleOf, keyFor, run]);
}

interface Offer {
  readonly title: string;
  readonly otherTitles: readonly string[];
  readonly of:
    | { readonly kind: 'open'; readonly job: JobView; readonly language: SpeechLanguage | null }
    | { readonly kind: 'main' | 'cancel'; readonly job: JobView }
    | { readonly kind: 'text'; readonly text: ListedTranscript };
}

function useRowEntries(isOpen: boolean): (query: string) => MoreEntries {
  const jobsNow = useJobsNow();
  const { data: texts } = useQuery({ ...transcriptsQuery(useStudio()), enabled: isOpen });
  const offersOf = useOffers();
  const entryOf = useEntry();
  const placesFor = usePlaceEntries();
  const t = useText();
  const [, navigate] = useLocation();
  const allOffers = useMemo(() => {
    const known = new Map((texts ?? []).map((text) => [text.id, text]));
    // Rows keep their identity until they change; only changed ones are processed again.
    const offered = new WeakMap<JobView, readonly Offer[]>();
    const offersFor = (job: JobView): readonly Offer[] => {
      const { state } = job;
      const isOpen = state.tag === 'done' && state.transcriptId !== undefined;
      const text = isOpen ? known.get(state.transcriptId) : undefined;
      const of = { kind: 'open' as const, job, language: text?.language ?? null };
      const offers =
        offered.get(job) ?? (isOpen ? [{ title: text?.title || job.name, otherTitles: [], of }] : offersOf(job));
      offered.set(job, offers);
      return offers;
    };
    return onceFor((jobs: readonly JobView[]) => [
      ...sortJobs(jobs).flatMap(offersFor),
      ...withoutRow(texts ?? [], jobs).map((text): Offer => ({
        title: text.title,
        otherTitles: [],
        of: { kind: 'text', text },
      })),
    ]);
  }, [texts, offersOf]);
  return useCallback(
    (query) => {
      const asked = wordsAsked(query);
      if (asked === null) return { entries: [], moreCount: 0 };
      const all = allOffers(jobsNow());
      const fitting = asked === '' ? all.filter(isText) : rank(all, asked).map(({ item }) => item);
      const made = fitting.slice(0, asked === '' ? unaskedAtMost.transcripts : foundAtMost);
      const counts = Map.groupBy(made, ({ title }) => title);
      const inLibrary: PaletteEntry = {
        id: 'library-search',
        isLastResort: true,
        group: 'goto',
        title: t('library.inPalette', { query: asked }),
        otherTitles: [],
        icon: Search,
        shortcut: null,
        run: () => navigate(`/library/search/${pathWords(asked)}`),
      };
      return {
        entries: [
          ...placesFor(asked),
          ...made.flatMap((offer) => entryOf(offer, (counts.get(offer.title)?.length ?? 0) > 1) ?? []),
          ...(asked === '' ? [] : [inLibrary]),
        ],
        moreCount: asked === '' ? 0 : fitting.length - made.length,
      };
    },
    [jobsNow, allOffers, entryOf, placesFor, t, navigate],
  );
}

function useOffers(): (job: JobView) => readonly Offer[] {
  const t = useText();
  const actionsOf = useJobActions();
  const others = useOtherWords();
  return useCallback(
    (job) => {
      const { main, cancel } = actionsOf(job);
      const of = job.state.tag === 'paused' ? (main?.id === 'send' ? 'send' : 'resume') : null;
      const mainKey = of === null ? `errors.actions.${main?.id ?? ''}` : `transcribe.actions.${of}`;
      const offers: Offer[] = [];
      if (main !== null)
        offers.push({
          title: `${main.text}: ${job.name}`,
          otherTitles: others().map((say) => plainText(say)(mainKey)),
          of: { kind: 'main', job },
        });
      if (cancel !== null)
        offers.push({
          title: t('palette.cancelJob', { name: job.name }),
          otherTitles: others().map((say) => say('transcribe.actions.cancel')),
          of: { kind: 'cancel', job },
        });
      return offers;
    },
    [t, actionsOf, others],
  );
}

function useEntry(): (offer: Offer, isShared: boolean) => PaletteEntry | null {
  const formats = useFormats();
  const actionsOf = useJobActions();
  const [, navigate] = useLocation();
  return useCallback(
    ({ title, otherTitles, of }, isShared) => {
      const base = { title, otherTitles, shortcut: null };
      const noteOf = (name: string, language: SpeechLanguage | null, durationMs: number | null, atMs: number) =>
        [
          ...(isShared ? [name] : []),
          ...(language === null ? [] : [language.toUpperCase()]),
          ...(durationMs === null ? [] : [formats.clock(durationMs)]),
          formats.date(atMs),
        ].join(', ');
      if (of.kind === 'text') {
        const run = () => navigate(`/transcripts/${of.text.id}`);
        const { id, sourceName, language, durationMs, createdAtMs } = of.text;
        const note = noteOf(sourceName, language, durationMs, createdAtMs);
        return { ...base, id: `text-${id}`, group: 'transcripts', icon: FileText, note, run };
      }
      const { job } = of;
      const { open, main, cancel } = actionsOf(job);
      if (of.kind === 'open' && open) {
        const language = job.kind === 'transcribe' ? (of.language ?? job.language) : null;
        const note = noteOf(job.name, language, job.durationMs, job.addedAtMs);
        return { ...base, id: `open-${job.id}`, group: 'transcripts', icon: FileText, note, run: open };
      }
      if (of.kind === 'main' && main)
        return { ...base, id: `main-${job.id}`, group: 'jobs', icon: main.icon ?? RotateCw, run: main.onAction };
      if (of.kind === 'cancel' && cancel)
        return { ...base, id: `cancel-${job.id}`, group: 'jobs', icon: X, run: cancel };
      return null;
    },
    [formats, actionsOf, navigate],
  );
}

function withoutRow(texts: readonly ListedTranscript[], jobs: readonly JobView[]): readonly ListedTranscript[] {
  const ofRows = new Set(jobs.map(({ state }) => (state.tag === 'done' ? (state.transcriptId ?? '') : '')));
  return texts.filter(({ id }) => !ofRows.has(id));
}

/** Each typed letter asks about the same rows. */
function onceFor<In, Out>(of: (asked: In) => Out): (asked: In) => Out {
  let last: { readonly asked: In; readonly answer: Out } | null = null;
  return (asked) => {
    if (last === null || last.asked !== asked) last = { asked, answer: of(asked) };
    return last.answer;
  };
}

function usePlaceEntries(): (asked: string) => readonly PaletteEntry[] {
  const t = useText();
  const others = useOtherWords();
  const [, navigate] = useLocation();
  return useCallback(
    (asked) => {
      if (asked === '') return [];
      const placeOf = (
        id: string,
        [title, ...more]: readonly [ParseKeys, ...ParseKeys[]],
        note: string,
        path: string,
      ) => ({
        id,
        group: 'goto' as const,
        title: t(title),
        note,
        otherTitles: [
          ...others().flatMap((say) => [title, ...more].map((key) => say(key))),
          ...more.map((key) => t(key)),
        ],
        icon: Settings2,
        shortcut: null,
        run: () => navigate(path),
      });
      const [settings, account] = [t('settings.title'), t('account.title')];
      const all: readonly PaletteEntry[] = [
        ...settingsPages.map((page) =>
          placeOf(`settings-${page}`, [`settings.pages.${page}`], settings, `/settings/${page}`),
        ),
        ...accountPages.map((page) =>
          placeOf(
            `account-${page}`,
            [`account.pages.${page}`],
            account,
            page === 'usage' ? '/account' : `/account/${page}`,
          ),
        ),
        ...settingsIndex.map(({ name, page, words }) =>
          placeOf(`setting-${name}`, words, `${settings}, ${t(`settings.pages.${page}`)}`, `/settings/${page}/${name}`),
        ),
      ];
      return rank(all, asked)
        .slice(0, atMost)
        .map(({ item }) => item);
    },
    [t, others, navigate],
  );
}
