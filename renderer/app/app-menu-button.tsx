import { Menu as MenuIcon } from 'lucide-react';
import { appMenu, type MenuEntry as AppMenuEntry } from '../../shared/domain/commands/app-menu.ts';
import { commandOf, isCommandId, type CommandId } from '../../shared/domain/commands/command-list.ts';
import { useApp, useSettings } from '../bridge/live-state.tsx';
import { useStudio } from '../bridge/studio-context.tsx';
import { useAvailability, useCommandTitle, useKeyFor, useKeymap, useRunCommand } from '../lib/commands.tsx';
import { useText } from '../lib/text.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu, type MenuEntry } from '../ui/menu.tsx';
import { useShellLayer } from './shell-layer.ts';

/** The app menu where the system draws no menu bar: the same menus, built from the same list of commands. */
export function AppMenuButton() {
  const t = useText();
  const { capabilities } = useApp();
  const keyFor = useKeyFor();
  const { layer, show, hide } = useShellLayer();
  const entries = useEntries(layer === 'menu');
  if (capabilities.menuBar) return null;
  return (
    <Menu
      label={t('menu.button')}
      entries={entries}
      isOfShell
      placement="bottom start"
      isOpen={layer === 'menu'}
      onOpenChange={(isOpen) => {
        if (isOpen) show('menu');
        else hide('menu');
      }}
      trigger={<IconButton size="sm" icon={MenuIcon} label={t('menu.button')} shortcut={keyFor('menu.open')} />}
    />
  );
}

function useEntries(isOpen: boolean): readonly MenuEntry[] {
  const t = useText();
  const studio = useStudio();
  const { capabilities } = useApp();
  const { appearance, interfaceLanguage } = useSettings();
  const keymap = useKeymap();
  const { ids, names } = useAvailability();
  const run = useRunCommand();
  const titleOf = useCommandTitle();
  if (!isOpen) return [];

  const available = new Set(ids);
  const chosen = new Set<CommandId>([`appearance.${appearance}`, `language.${interfaceLanguage}`].filter(isCommandId));
  const doing = (id: CommandId) => ({
    isDisabled: !available.has(id) && !chosen.has(id),
    onAction: () => {
      run(id);
    },
  });
  const isEditing = ids.some((id) => commandOf(id).place === 'editor');
  const toEntry = (entry: AppMenuEntry): readonly MenuEntry[] => {
    switch (entry.kind) {
      case 'separator':
        return ['separator'];
      case 'role': {
        if (entry.role === 'undo' || entry.role === 'redo') {
          const id = `edit.${entry.role}` as const;
          return isEditing ? [{ id, text: titleOf(id), shortcut: keymap.keyOf(id), ...doing(id) }] : [];
        }
        // The other roles belong to the system: text fields have their own keys, and only the system's menu can trigger
        // them.
        const action = entry.role === 'minimize' || entry.role === 'close' ? entry.role : null;
        return action === null
          ? []
          : [
              {
                id: action,
                text: t(`menu.roles.${action}`),
                onAction: () => void studio.request('window.control', { action }),
              },
            ];
      }
      case 'submenu': {
        const entries = withoutLooseEnds(entry.entries.flatMap(toEntry));
        const mark = entry.entries.find((inner) => inner.kind === 'command' && inner.isChosen !== null);
        const held = entry.entries.find((inner) => inner.kind === 'command' && inner.isChosen === true);
        return entries.length === 0
          ? []
          : [
              {
                id: entry.id,
                text: t(entry.title),
                entries,
                ...(mark === undefined ? {} : { chosenId: held?.kind === 'command' ? held.id : null }),
              },
            ];
      }
      case 'command':
        return [
          {
            id: entry.id,
            text: entry.isChosen === null ? (names[entry.id] ?? titleOf(entry.id)) : t(entry.title),
            shortcut: entry.shortcut,
            ...doing(entry.id),
          },
        ];
    }
  };
  return appMenu({ platform: capabilities.platform, keymap, available, chosen }).flatMap(toEntry);
}

/** No line between nothing and something. */
function withoutLooseEnds(entries: readonly MenuEntry[]): readonly MenuEntry[] {
  return entries.filter(
    (entry, index) =>
      entry !== 'separator' || (index > 0 && index < entries.length - 1 && entries[index + 1] !== 'separator'),
  );
}
