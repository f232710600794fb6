import { FileText, RotateCw, X } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { writtenLanguages } from '../../shared/domain/languages.ts';
import { useJobs, useSettings } from '../bridge/live-state.tsx';
import { useStudio } from '../bridge/studio-context.tsx';
import { useSettingsChange } from '../bridge/use-settings-change.ts';
import { commandIcon, CommandPalette, type PaletteEntry } from '../features/palette/index.ts';
import { useQueueRows } from '../features/transcribe/index.ts';
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
  const rows = useRowEntries(isOpen);
  return (
    <CommandPalette
      isOpen={isOpen}
      entries={[...commands, ...rows]}
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

/** Transcripts to open, and what can be done with single files; computed only while somebody looks. */
function useRowEntries(isOpen: boolean): readonly PaletteEntry[] {
  const t = useText();
  const formats = useFormats();
  const { jobs } = useJobs();
  const rowsOf = useQueueRows();
  const [, navigate] = useLocation();
  const { data: texts = [] } = useQuery({ ...transcriptsQuery(useStudio()), enabled: isOpen });
  if (!isOpen) return [];
  const titles = new Map(texts.map(({ id, title }) => [id, title]));
  const ofRows = new Set(jobs.map(({ state }) => (state.tag === 'done' ? state.transcriptId : '')));
  // Taken out of the queue, and still in the library.
  const withoutRow = texts
    .filter(({ id }) => !ofRows.has(id))
    .map(({ id, title, createdAtMs }): PaletteEntry => ({
      otherTitles: [],
      shortcut: null,
      id: `text-${id}`,
      group: 'transcripts',
      title,
      icon: FileText,
      note: formats.date(createdAtMs),
      run: () => {
        navigate(`/transcripts/${id}`);
      },
    }));
  const entriesOfRows = rowsOf(jobs, 0).flatMap(({ job, actions }): readonly PaletteEntry[] => {
    const { open, main, cancel } = actions;
    const length = job.durationMs === null ? [] : [formats.clock(job.durationMs)];
    const base = { otherTitles: [], shortcut: null };
    if (open) {
      const title = (job.state.tag === 'done' && titles.get(job.state.transcriptId)) || job.name;
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
  });
  return [...entriesOfRows, ...withoutRow];
}
