import { toAccelerator, type Shortcut } from './accelerator.ts';
import {
  commandGroups,
  commandOf,
  commands,
  type CommandGroup,
  type CommandId,
  type CommandTitle,
} from './command-list.ts';
import type { Keymap } from './keymap.ts';

export type MenuRole =
  | 'about'
  | 'services'
  | 'hide'
  | 'hideOthers'
  | 'unhide'
  | 'undo'
  | 'redo'
  | 'cut'
  | 'copy'
  | 'paste'
  | 'selectAll'
  | 'togglefullscreen'
  | 'minimize'
  | 'zoom'
  | 'close'
  | 'front'
  | 'quit';

export type MenuTitle =
  | `menu.${'app' | 'file' | 'edit' | 'view' | 'go' | 'window' | 'help' | 'appearance' | 'language'}`
  | `shortcuts.groups.${CommandGroup}`;

export type ChoiceTitle = `menu.choices.${'system' | 'light' | 'dark' | 'uz' | 'uzCyrl' | 'ru' | 'en'}`;

export interface MenuCommand {
  readonly kind: 'command';
  readonly id: CommandId;
  readonly title: CommandTitle | ChoiceTitle;
  readonly shortcut: Shortcut | null;
  readonly accelerator: string | null;
  readonly isEnabled: boolean;
  readonly isChosen: boolean | null;
}

export interface Submenu {
  readonly kind: 'submenu';
  readonly id: string;
  readonly title: MenuTitle;
  readonly entries: readonly MenuEntry[];
}

export type MenuEntry =
  | { readonly kind: 'separator' }
  | { readonly kind: 'role'; readonly role: MenuRole }
  | MenuCommand
  | Submenu;

export interface AppMenuState {
  readonly platform: 'darwin' | 'linux' | 'win32';
  readonly keymap: Keymap;
  readonly available: ReadonlySet<CommandId>;
  readonly chosen: ReadonlySet<CommandId>;
}

const separator = { kind: 'separator' } as const;
const role = (name: MenuRole) => ({ kind: 'role', role: name }) as const;

/** Exclusive options get a submenu of their own, and show only the option's name. */
const choices = {
  appearance: {
    title: 'menu.appearance',
    items: {
      'appearance.system': 'menu.choices.system',
      'appearance.light': 'menu.choices.light',
      'appearance.dark': 'menu.choices.dark',
    },
  },
  language: {
    title: 'menu.language',
    items: {
      'language.uz': 'menu.choices.uz',
      'language.uz-Cyrl': 'menu.choices.uzCyrl',
      'language.ru': 'menu.choices.ru',
      'language.en': 'menu.choices.en',
    },
  },
} as const satisfies Readonly<
  Record<string, { readonly title: MenuTitle; readonly items: Readonly<Partial<Record<CommandId, ChoiceTitle>>> }>
>;
const inChoices: ReadonlySet<string> = new Set(Object.values(choices).flatMap(({ items }) => Object.keys(items)));

/** In the file menu, as in other apps, and there also while nothing can be exported. */
const exporting: readonly CommandId[] = ['transcript.export', 'transcript.exportAgain'];

/** Where a system's own menus have them, they are not repeated elsewhere. */
const placedApart: ReadonlySet<CommandId> = new Set(['settings.open', 'app.quit', ...exporting]);

/** Of work that is mostly not there; where they can't be done, nobody looks for them. */
const onlyDuringWork: ReadonlySet<CommandId> = new Set([
  'queue.retryFailed',
  'queue.resume',
  'queue.pause',
  'queue.send',
  'queue.goOn',
]);

const titles: Readonly<Partial<Record<CommandGroup, MenuTitle>>> = {
  files: 'menu.file',
  view: 'menu.view',
  everywhere: 'menu.go',
  help: 'menu.help',
};

/** File and edit menus come first and the menu of places last, as in other apps; the rest keeps its order. */
const groupsInOrder: readonly CommandGroup[] = [
  'files',
  'text',
  ...commandGroups.filter((group) => !['files', 'text', 'view', 'everywhere', 'help'].includes(group)),
  'view',
  'everywhere',
];

/** Commands of other places are left out, except on macOS, where a menu always has the same items. */
export function appMenu({ platform, keymap, available, chosen }: AppMenuState): readonly Submenu[] {
  const isMac = platform === 'darwin';
  const places = new Set(commands.filter(({ id }) => available.has(id)).map(({ place }) => place));
  const isOffered = ({ id, place }: (typeof commands)[number]) =>
    isMac || available.has(id) || (!onlyDuringWork.has(id) && (place === 'everywhere' || places.has(place)));
  const item = (id: CommandId, title: MenuCommand['title']): MenuCommand => {
    const shortcut = keymap.keyOf(id);
    return {
      kind: 'command',
      id,
      title,
      shortcut,
      accelerator: shortcut === null ? null : toAccelerator(shortcut),
      isEnabled: available.has(id) || chosen.has(id),
      isChosen: inChoices.has(id) ? chosen.has(id) : null,
    };
  };
  const found = (id: CommandId): readonly MenuCommand[] =>
    commands.filter((command) => command.id === id).map((command) => item(id, command.title));
  const ofGroup = (group: CommandGroup): readonly MenuEntry[] =>
    commands
      .filter(
        (command) =>
          command.group === group &&
          command.isFixed !== true &&
          isOffered(command) &&
          !placedApart.has(command.id) &&
          !inChoices.has(command.id),
      )
      .map(({ id, title }) => item(id, title))
      .filter((own, _index, all) => {
        // Two places may call the same thing by one name: the one that can be done now stands for both.
        const sameNames = all.filter(({ title }) => title === own.title);
        return own === (sameNames.find(({ isEnabled }) => isEnabled) ?? sameNames[0]);
      })
      .flatMap((own, index) => (index > 0 && commandOf(own.id).startsSection === true ? [separator, own] : [own]));
  const exports = exporting.flatMap((id) =>
    found(id).filter((own) => id === 'transcript.export' || isMac || own.isEnabled),
  );
  const choiceMenus = Object.entries(choices).map(([id, { title, items }]): Submenu => ({
    kind: 'submenu',
    id,
    title,
    entries: Object.entries(items).map(([command, name]) => item(command as CommandId, name)),
  }));
  const submenu = (id: string, title: MenuTitle, entries: readonly MenuEntry[]): Submenu => ({
    kind: 'submenu',
    id,
    title,
    entries,
  });

  const roles: readonly MenuEntry[] = [
    role('undo'),
    role('redo'),
    separator,
    role('cut'),
    role('copy'),
    role('paste'),
    role('selectAll'),
  ];
  // The system's item would take its key from a command that has the same one.
  const isFullScreenKeyFree = isMac || commands.every(({ id }) => keymap.keyOf(id) !== 'F11');
  const groups = groupsInOrder.map((group) => {
    const own = ofGroup(group);
    if (group === 'text') return submenu('edit', 'menu.edit', own.length === 0 ? roles : [...roles, separator, ...own]);
    const extra: readonly MenuEntry[] =
      group === 'view'
        ? [separator, ...choiceMenus, ...(isFullScreenKeyFree ? [separator, role('togglefullscreen')] : [])]
        : group === 'files' && !isMac
          ? [
              separator,
              ...exports,
              separator,
              ...found('settings.open'),
              separator,
              role('close'),
              ...found('app.quit'),
            ]
          : group === 'files'
            ? [separator, ...exports, separator, role('close')]
            : [];
    return submenu(group, titles[group] ?? `shortcuts.groups.${group}`, [...own, ...extra]);
  });
  const app = submenu('app', 'menu.app', [
    role('about'),
    separator,
    ...found('settings.open'),
    separator,
    role('services'),
    separator,
    role('hide'),
    role('hideOthers'),
    role('unhide'),
    separator,
    role('quit'),
  ]);
  const window = submenu('window', 'menu.window', [
    role('minimize'),
    ...(isMac ? [role('zoom'), separator, role('front')] : []),
  ]);
  const help = submenu('help', 'menu.help', ofGroup('help'));
  return [...(isMac ? [app] : []), ...groups.filter(({ entries }) => entries.length > 0), window, help];
}

export function* menuCommands(entries: readonly MenuEntry[]): Generator<MenuCommand> {
  for (const entry of entries) {
    if (entry.kind === 'command') yield entry;
    else if (entry.kind === 'submenu') yield* menuCommands(entry.entries);
  }
}

interface PressedField {
  readonly isEditable: boolean;
  readonly selectionText: string;
  readonly editFlags: Readonly<
    Record<'canUndo' | 'canRedo' | 'canCut' | 'canCopy' | 'canPaste' | 'canSelectAll', boolean>
  >;
}

interface FieldMenuEntry {
  readonly role: 'undo' | 'redo' | 'cut' | 'copy' | 'paste' | 'selectAll';
  readonly enabled: boolean;
}

export function fieldMenu({ isEditable, selectionText, editFlags: can }: PressedField): readonly FieldMenuEntry[] {
  if (!isEditable) return selectionText.trim() === '' ? [] : [{ role: 'copy', enabled: true }];
  return [
    { role: 'undo', enabled: can.canUndo },
    { role: 'redo', enabled: can.canRedo },
    { role: 'cut', enabled: can.canCut },
    { role: 'copy', enabled: can.canCopy },
    { role: 'paste', enabled: can.canPaste },
    { role: 'selectAll', enabled: can.canSelectAll },
  ];
}
