import { Menu, type MenuItemConstructorOptions } from 'electron';
import { appMenu, type MenuCommand, type MenuEntry } from '../../shared/domain/commands/app-menu.ts';
import { isCommandId, titleValues, type CommandId } from '../../shared/domain/commands/command-list.ts';
import { createKeymap } from '../../shared/domain/commands/keymap.ts';
import type { StoredSettings } from '../services/settings/stored-settings.ts';
import { translate } from './words.ts';

export interface AppMenuOptions {
  readonly platform: 'darwin' | 'linux' | 'win32';
  readonly settings: () => StoredSettings;
  readonly invoke: (id: CommandId) => void;
  readonly quit: () => void;
}

type MenuFacts = Pick<StoredSettings, 'interfaceLanguage' | 'appearance' | 'shortcuts' | 'jumpMs'>;

/** Elsewhere than on macOS its standard keys work and the page draws the same menu behind a button. */
export function createAppMenu({ platform, settings, invoke, quit }: AppMenuOptions) {
  let available: ReadonlySet<CommandId> = new Set();
  let names: Readonly<Record<string, string>> = {};
  let shown = '';

  const click = (id: CommandId) => {
    if (id === 'app.quit') quit();
    else invoke(id);
  };

  const show = ({ interfaceLanguage, appearance, shortcuts, jumpMs }: MenuFacts) => {
    const entries = appMenu({
      platform,
      keymap: createKeymap(shortcuts, true, platform),
      // Quitting needs no page, so it is always available.
      available: new Set([...available, 'app.quit']),
      chosen: new Set([`appearance.${appearance}`, `language.${interfaceLanguage}`].filter(isCommandId)),
    });
    const wanted = JSON.stringify([interfaceLanguage, jumpMs, names, entries]);
    if (wanted === shown) return;
    shown = wanted;
    const say: Say = (title) => translate(interfaceLanguage, title, titleValues(jumpMs));
    // A lone & would underline the letter after it.
    const nameOf: NameOf = ({ id, title }) => names[id]?.replaceAll('&', '&&') ?? say(title);
    Menu.setApplicationMenu(Menu.buildFromTemplate(entries.map((entry) => toItem(entry, say, nameOf, click))));
  };

  return {
    quit,
    /** The language, the shortcuts or an option may have changed. */
    refresh: () => show(settings()),
    setAvailable(ids: readonly string[], named: Readonly<Record<string, string>>): void {
      names = named;
      available = new Set(ids.filter(isCommandId));
      show(settings());
    },
  };
}

export type AppMenu = ReturnType<typeof createAppMenu>;

type Say = (title: string) => string;
type NameOf = (command: MenuCommand) => string;

function toItem(
  entry: MenuEntry,
  say: Say,
  nameOf: NameOf,
  click: (id: CommandId) => void,
): MenuItemConstructorOptions {
  switch (entry.kind) {
    case 'separator':
      return { type: 'separator' };
    case 'role':
      return { role: entry.role, label: say(`menu.roles.${entry.role}`) };
    case 'submenu':
      return {
        id: entry.id,
        label: say(entry.title),
        submenu: entry.entries.map((inner) => toItem(inner, say, nameOf, click)),
      };
    case 'command':
      return {
        id: entry.id,
        label: nameOf(entry),
        enabled: entry.isEnabled,
        ...(entry.isChosen === null ? {} : { type: 'radio' as const, checked: entry.isChosen }),
        // The page handles its shortcuts first and knows when they are inactive; the menu only shows them (macOS always
        // binds them).
        ...(entry.accelerator === null ? {} : { accelerator: entry.accelerator, registerAccelerator: false }),
        click: () => click(entry.id),
      };
  }
}
