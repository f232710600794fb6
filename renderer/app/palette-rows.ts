import { FileText, RotateCw, Search, X } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useLocation } from 'wouter';
import type { SpeechLanguage } from '../../shared/domain/languages.ts';
import type { JobView } from '../../shared/domain/jobs/job-view.ts';
import { useJobsNow } from '../bridge/live-state.tsx';
import { useStudio } from '../bridge/studio-context.tsx';
import {
  foundAtMost,
  rank,
  unaskedAtMost,
  wordsAsked,
  type MoreEntries,
  type PaletteEntry,
} from '../features/palette/index.ts';
import { sortJobs, useRowActions } from '../features/transcribe/index.ts';
import { pathWords } from '../lib/path-words.ts';
import { useFormats, useOtherWords, useText } from '../lib/text.ts';
import { usePlaceEntries } from './palette-places.ts';
import { transcriptsQuery } from '../parts/transcripts/transcripts-query.ts';

/** An action on a row, or a text to open, with its searchable words. */
interface Offer {
  readonly title: string;
  /** The action's title in the other languages, shared by all rows. */
  readonly otherTitles: readonly string[];
  readonly of:
    | { readonly kind: 'open'; readonly job: JobView; readonly language: SpeechLanguage | null }
    | { readonly kind: 'main' | 'cancel'; readonly job: JobView }
    | { readonly kind: 'text'; readonly text: TextLine };
}

interface TextLine {
  readonly id: string;
  readonly title: string;
  readonly language: SpeechLanguage;
  readonly createdAtMs: number;
  readonly durationMs: number | null;
  readonly sourceName: string;
}

/** Texts to open, and actions on single files: of thousands, those that a query may mean. */
export function useRowEntries(isOpen: boolean): (query: string) => MoreEntries {
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
      const inLibrary: readonly PaletteEntry[] =
        asked === ''
          ? []
          : [
              {
                id: 'library-search',
                isLastResort: true,
                group: 'goto',
                title: t('library.inPalette', { query: asked }),
                otherTitles: [],
                icon: Search,
                shortcut: null,
                run: () => {
                  navigate(`/library/search/${pathWords(asked)}`);
                },
              },
            ];
      return {
        entries: [
          ...placesFor(asked),
          ...made.flatMap((offer) => entryOf(offer, (counts.get(offer.title)?.length ?? 0) > 1) ?? []),
          ...inLibrary,
        ],
        moreCount: asked === '' ? 0 : fitting.length - made.length,
      };
    },
    [jobsNow, allOffers, entryOf, placesFor, t, navigate],
  );
}

const isText = ({ of }: Offer): boolean => of.kind === 'text' || of.kind === 'open';

/** Actions on an unfinished row. */
function useOffers(): (job: JobView) => readonly Offer[] {
  const t = useText();
  const actionsOf = useRowActions();
  // The string key of a row's main action is derived from its name.
  const others = useOtherWords() as unknown as () => readonly ((key: string) => string)[];
  return useCallback(
    (job) => {
      const { main, cancel } = actionsOf(job);
      const mainKey = job.state.tag === 'paused' ? 'transcribe.actions.resume' : `errors.actions.${main?.id ?? ''}`;
      return [
        ...(main === null
          ? []
          : [
              {
                title: `${main.text}: ${job.name}`,
                otherTitles: others().map((say) => say(mainKey)),
                of: { kind: 'main' as const, job },
              },
            ]),
        ...(cancel === null
          ? []
          : [
              {
                title: t('palette.cancelJob', { name: job.name }),
                otherTitles: others().map((say) => say('transcribe.actions.cancel')),
                of: { kind: 'cancel' as const, job },
              },
            ]),
      ];
    },
    [t, actionsOf, others],
  );
}

/** An offer as a palette entry with its current action; null when it is no longer available. */
function useEntry(): (offer: Offer, isShared: boolean) => PaletteEntry | null {
  const formats = useFormats();
  const actionsOf = useRowActions();
  const [, navigate] = useLocation();
  return useCallback(
    ({ title, otherTitles, of }, isShared) => {
      const base = { title, otherTitles, shortcut: null };
      /** The same facts for all, and the file where others have the title too. */
      const noteOf = (name: string, language: SpeechLanguage | null, durationMs: number | null, atMs: number) =>
        [
          ...(isShared ? [name] : []),
          ...(language === null ? [] : [language.toUpperCase()]),
          ...(durationMs === null ? [] : [formats.clock(durationMs)]),
          formats.date(atMs),
        ].join(', ');
      if (of.kind === 'text') {
        const run = () => {
          navigate(`/transcripts/${of.text.id}`);
        };
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

function withoutRow(texts: readonly TextLine[], jobs: readonly JobView[]): readonly TextLine[] {
  const ofRows = new Set(jobs.map(({ state }) => (state.tag === 'done' ? (state.transcriptId ?? '') : '')));
  return texts.filter(({ id }) => !ofRows.has(id));
}

/** Caches the last result: each typed letter asks about the same rows. */
function onceFor<In, Out>(of: (asked: In) => Out): (asked: In) => Out {
  let last: { readonly asked: In; readonly answer: Out } | null = null;
  return (asked) => {
    if (last === null || last.asked !== asked) last = { asked, answer: of(asked) };
    return last.answer;
  };
}
