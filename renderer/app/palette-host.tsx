import { useMemo } from 'react';
import { useSettings } from '../bridge/live-state.tsx';
import { useSettingsChange } from '../bridge/use-settings-change.ts';
import { commandIcon, CommandPalette, synonymsOf, type PaletteEntry } from '../features/palette/index.ts';
import type { CommandId } from '../../shared/domain/commands/command-list.ts';
import { commandGroups, isCommandId, type CommandGroup } from '../../shared/domain/commands/command-list.ts';
import { useAvailableCommands, useCommandTitle, useKeyFor, useRunCommand } from '../lib/commands.tsx';
import { useOtherWords, useText } from '../lib/text.ts';
import { useRowEntries } from './palette-rows.ts';
import { sections } from './sections.ts';
import { useShellLayer } from './shell-layer.ts';

const remembered = 8;
const places: ReadonlySet<CommandId> = new Set([
  ...sections.map(({ command }) => command),
  'shortcuts.open',
  'jobs.open',
]);
const sectionIcons = new Map(sections.map(({ command, icon }) => [command, icon]));

/** The command palette with everything that can be run or opened from the current place. */
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

/** Commands for a text or its audio come first; window commands and quitting come last. */
function byUse<T extends { readonly id: CommandId; readonly group: CommandGroup }>(available: readonly T[]): T[] {
  const place = ({ id, group }: T) => (id === 'app.quit' ? commandGroups.length : commandGroups.indexOf(group));
  return available.toSorted((one, other) => place(one) - place(other));
}

/** Every command in every language; built only while the palette is open, because availability changes often. */
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
      run: () => {
        run(id);
      },
    }));
  }, [isOpen, available, t, others, titleOf, keyFor, run]);
}
