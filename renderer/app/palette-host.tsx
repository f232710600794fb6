import { FileText, RotateCw, X } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { writtenLanguages } from '../../shared/domain/languages.ts';
import { useJobsNow, useSettings } from '../bridge/live-state.tsx';
import { useStudio } from '../bridge/studio-context.tsx';
import { useSettingsChange } from '../bridge/use-settings-change.ts';
import {
  commandIcon,
  CommandPalette,
  findByName,
  unaskedAtMost,
  wordsAsked,
  type PaletteEntry,
} from '../features/palette/index.ts';
import { sortJobs, useQueueRows, type QueueRow } from '../features/transcribe/index.ts';
import type { JobView } from '../../shared/domain/jobs/job-view.ts';
import type { CommandId } from '../../shared/domain/commands/command-list.ts';
import { isCommandId } from '../../shared/domain/commands/command-list.ts';
import { useAvailableCommands, useKeyFor, useRunCommand } from '../lib/commands.tsx';
import { useFormats, useText } from '../lib/text.ts';
import { transcriptsQuery } from '../transcripts/transcripts-query.ts';
import { useShellLayer } from './shell-layer.ts';

const remembered = 8;
const places: ReadonlySet<CommandId> = new Set(['section.transcribe', 'settings.open', 'shortcuts.open', 'jobs.open']);

/** The palette with everything that can be done and opened from where the person is. */
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
      onClose={() => {
        show('none');
      }}
      onChosen={(id) => {
        if (!isCommandId(id)) return;
        void change({ recentActions: [id, ...recentActions.filter((other) => other !== id)].slice(0, remembered) });
      }}
      onShortcuts={() => {
        show('shortcuts');
      }}
    />
  );
}

/** Every action in every language; made only while somebody looks, because what can be done changes often. */
function useCommandEntries(isOpen: boolean): readonly PaletteEntry[] {
  const { t, i18n } = useTranslation();
  const keyFor = useKeyFor();
  const run = useRunCommand();
  const available = useAvailableCommands();
  return useMemo(() => {
    if (!isOpen) return [];
    const others = writtenLanguages
      .filter((language) => language !== i18n.language)
      .map((language) => i18n.getFixedT(language));
    return available.map(({ id, group, title }) => ({
      id,
      group: places.has(id) ? ('goto' as const) : ('actions' as const),
      title: t(title),
      otherTitles: others.map((say) => say(title)),
      icon: commandIcon(id, group),
      shortcut: keyFor(id),
      run: () => {
        run(id);
      },
    }));
  }, [isOpen, available, t, i18n, keyFor, run]);
}

/** What is looked at for one query: what it fits best by name, and the next rows for the words of their actions. */
const namedAtMost = 60;
const nextAtMost = 30;

/** A row of the queue, or a text whose row was taken out of it, by the name that it is looked for. */
type Named =
  | { readonly name: string; readonly job: JobView }
  | { readonly name: string; readonly text: { readonly id: string; readonly createdAtMs: number } };

/** Transcripts to open, and what can be done with single files: made of what a query may mean, of thousands. */
function useRowEntries(isOpen: boolean): (query: string) => readonly PaletteEntry[] {
  const t = useText();
  const formats = useFormats();
  const jobsNow = useJobsNow();
  const rowsOf = useQueueRows();
  const [, navigate] = useLocation();
  const { data: texts } = useQuery({ ...transcriptsQuery(useStudio()), enabled: isOpen });
  const entriesOfRow = ({ job, actions }: QueueRow, title: string): readonly PaletteEntry[] => {
    const { open, main, cancel } = actions;
    const length = job.durationMs === null ? [] : [formats.clock(job.durationMs)];
    const base = { otherTitles: [], shortcut: null };
    if (open) {
      const note = [job.language.toUpperCase(), ...length].join(', ');
      return [{ ...base, id: `open-${job.id}`, group: 'transcripts', title, icon: FileText, note, run: open }];
    }
    return [
      ...(main
        ? [
            {
              ...base,
              id: `main-${job.id}`,
              group: 'jobs' as const,
              title: `${main.text}: ${job.name}`,
              icon: main.icon ?? RotateCw,
              run: main.onAction,
            },
          ]
        : []),
      ...(cancel
        ? [
            {
              ...base,
              id: `cancel-${job.id}`,
              group: 'jobs' as const,
              title: t('palette.cancelJob', { name: job.name }),
              icon: X,
              run: cancel,
            },
          ]
        : []),
    ];
  };
  const entriesOf = (named: Named): readonly PaletteEntry[] => {
    if ('job' in named) return rowsOf([named.job], 0).flatMap((row) => entriesOfRow(row, named.name));
    const { id, createdAtMs } = named.text;
    const run = () => {
      navigate(`/transcripts/${id}`);
    };
    const note = formats.date(createdAtMs);
    return [
      {
        otherTitles: [],
        shortcut: null,
        id: `text-${id}`,
        group: 'transcripts',
        title: named.name,
        icon: FileText,
        note,
        run,
      },
    ];
  };
  const make = useRef(entriesOf);
  useEffect(() => {
    make.current = entriesOf;
  });
  const allNamed = useMemo(() => onceFor((jobs: readonly JobView[]) => nameAll(jobs, texts ?? [])), [texts]);
  return useCallback(
    (query) => {
      const asked = wordsAsked(query);
      if (asked === null) return [];
      const all = allNamed(jobsNow());
      const meant =
        asked === ''
          ? all.filter(isText).slice(0, unaskedAtMost.transcripts)
          : new Set([
              ...findByName(all, asked, namedAtMost),
              ...all.filter((one) => !isText(one)).slice(0, nextAtMost),
            ]);
      return [...meant].flatMap((one) => make.current(one));
    },
    [jobsNow, allNamed],
  );
}

const isText = (named: Named): boolean => 'text' in named || named.job.state.tag === 'done';

/** In the order of the queue, then the texts without a row. */
function nameAll(
  jobs: readonly JobView[],
  texts: readonly { readonly id: string; readonly title: string; readonly createdAtMs: number }[],
): readonly Named[] {
  const titles = new Map(texts.map(({ id, title }) => [id, title]));
  const ofRows = new Set(jobs.map(({ state }) => (state.tag === 'done' ? state.transcriptId : '')));
  return [
    ...sortJobs(jobs).map((job) => ({
      name: (job.state.tag === 'done' && titles.get(job.state.transcriptId)) || job.name,
      job,
    })),
    ...texts.filter(({ id }) => !ofRows.has(id)).map((text) => ({ name: text.title, text })),
  ];
}

/** Keeps the last answer: the same rows are asked about with every letter that is typed. */
function onceFor<In, Out>(of: (asked: In) => Out): (asked: In) => Out {
  let last: { readonly asked: In; readonly answer: Out } | null = null;
  return (asked) => {
    if (last === null || last.asked !== asked) last = { asked, answer: of(asked) };
    return last.answer;
  };
}
