import { describe, expect, it } from 'vitest';
import { catalogues } from '../../i18n/catalogues.ts';
import { toAccelerator } from './accelerator.ts';
import { appMenu, menuCommands, type AppMenuState, type MenuEntry } from './app-menu.ts';
import { commands, type CommandId } from './command-list.ts';
import { createKeymap } from './keymap.ts';

const state = (change: Partial<AppMenuState> = {}): AppMenuState => ({
  platform: 'linux',
  keymap: createKeymap({}),
  available: new Set(),
  chosen: new Set(),
  ...change,
});
const itemOf = (id: CommandId, change: Partial<AppMenuState> = {}) =>
  [...menuCommands(appMenu(state(change)))].find((item) => item.id === id);

/** The key of every string that a menu uses. */
function* titlesOf(entries: readonly MenuEntry[]): Generator<string> {
  for (const entry of entries) {
    if (entry.kind === 'command' || entry.kind === 'submenu') yield entry.title;
    if (entry.kind === 'role') yield `menu.roles.${entry.role}`;
    if (entry.kind === 'submenu') yield* titlesOf(entry.entries);
  }
}

const wordAt = (key: string): unknown => at(key) ?? at(`${key}_other`);
const at = (key: string): unknown =>
  key.split('.').reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], catalogues.en);

describe('the menu', () => {
  it('leaves F11 to a command that has it', () => {
    const rolesOf = (change: Partial<AppMenuState>) => [...titlesOf(appMenu(state(change)))];
    expect(rolesOf({})).toContain('menu.roles.togglefullscreen');
    const keymap = createKeymap({ 'segment.setStart': 'F11' });
    expect(rolesOf({ keymap })).not.toContain('menu.roles.togglefullscreen');
  });

  it.each(['linux', 'win32', 'darwin'] as const)(
    'on %s has every name of an action once, except those of one control',
    (platform) => {
      const available = new Set(commands.map(({ id }) => id));
      const there = [...menuCommands(appMenu(state({ platform, available })))].map(({ id }) => id);
      const offered = commands.filter(
        ({ id, isFixed }) => isFixed !== true && !(platform === 'darwin' && id === 'app.quit'),
      );
      const expected = offered
        .filter(({ title, group }, index) => offered.findIndex((o) => o.title === title && o.group === group) === index)
        .map(({ id }) => id);
      expect(there.toSorted()).toEqual(expected.toSorted());
    },
  );

  it('leaves out what belongs to another place or to work that is not there, except on macOS', () => {
    const available = new Set<CommandId>(['files.add', 'transcript.export']);
    const there = (platform: AppMenuState['platform']) =>
      new Set([...menuCommands(appMenu(state({ platform, available })))].map(({ id }) => id));
    const others = [
      'speak.undo',
      'speak.split',
      'isolate.start',
      'isolate.hide',
      'queue.pause',
      'queue.retryFailed',
    ] as const;
    expect(others.filter((id) => there('linux').has(id) || there('win32').has(id))).toEqual([]);
    expect(others.filter((id) => !there('darwin').has(id))).toEqual([]);
    // Of the place itself, what can't be done now is grey.
    expect(itemOf('transcript.delete', { available })).toMatchObject({ isEnabled: false });
    expect([...appMenu(state({ platform: 'linux' }))].map(({ entries }) => entries.length)).not.toContain(0);
  });

  it.each(['linux', 'darwin'] as const)(
    'on %s has the export in the file menu, grey where there is nothing to export',
    (platform) => {
      const file = (available: ReadonlySet<CommandId>) =>
        appMenu(state({ platform, available }))
          .find(({ id }) => id === 'files')
          ?.entries.find((entry) => entry.kind === 'command' && entry.id === 'transcript.export');
      expect(file(new Set())).toMatchObject({ isEnabled: false });
      expect(file(new Set(['transcript.export']))).toMatchObject({ isEnabled: true, shortcut: 'Mod+KeyE' });
    },
  );

  it('divides long menus by lines, none of them first, last or beside another', () => {
    const here = commands.filter(({ place }) => place === 'everywhere' || place === 'editor');
    const available = new Set(here.map(({ id }) => id));
    const menus = appMenu(state({ available }));
    const undivided = menus.map(({ id, entries }) => {
      const lengths = entries.reduce<number[]>(
        (parts, { kind }) => (kind === 'separator' ? [...parts, 0] : [...parts.slice(0, -1), (parts.at(-1) ?? 0) + 1]),
        [0],
      );
      return { id, lengths };
    });
    expect(undivided.filter(({ lengths }) => lengths.includes(0))).toEqual([]);
    expect(menus.filter(({ entries }) => entries.length > 25).map(({ id }) => id)).toEqual([]);
    expect(undivided.find(({ id }) => id === 'segments')?.lengths.length).toBeGreaterThan(2);
  });

  it('has what is done with a text in the edit menu', () => {
    const available = new Set<CommandId>(['text.find']);
    const entries = appMenu(state({ available })).find(({ id }) => id === 'edit')?.entries ?? [];
    expect([...menuCommands(entries)].map(({ id }) => id)).toContain('text.replace');
  });

  it('quits with the key that people of Linux use, which on Windows belongs to nothing', () => {
    const quit = (platform: 'linux' | 'win32') =>
      itemOf('app.quit', { platform, keymap: createKeymap({}, true, platform) })?.shortcut;
    expect([quit('linux'), quit('win32')]).toEqual(['Mod+KeyQ', null]);
  });

  it('runs of two actions with one name the one that can be done now', () => {
    const enabled = (available: CommandId) =>
      [...menuCommands(appMenu(state({ available: new Set([available]) })))]
        .filter(({ isEnabled }) => isEnabled)
        .map(({ id }) => id);
    expect(enabled('isolate.zoomIn')).toEqual(['isolate.zoomIn']);
    expect(enabled('waveform.zoomIn')).toEqual(['waveform.zoomIn']);
  });

  it.each(['linux', 'darwin'] as const)('on %s has strings for everything in it', (platform) => {
    const titles = [...titlesOf(appMenu(state({ platform })))];
    expect(titles.filter((title) => typeof wordAt(title) !== 'string')).toEqual([]);
    expect(titles.length).toBeGreaterThan(40);
  });

  it('shows the keys that the user has chosen', () => {
    expect(itemOf('files.add')).toMatchObject({ shortcut: 'Mod+KeyO', accelerator: 'CommandOrControl+O' });
    const keymap = createKeymap({ 'files.add': 'Alt+F9', 'settings.open': null });
    expect(itemOf('files.add', { keymap })?.accelerator).toBe('Alt+F9');
    expect(itemOf('settings.open', { keymap })).toMatchObject({ shortcut: null, accelerator: null });
  });

  it('enables only what can be done now, and always checks the active choice', () => {
    expect(itemOf('files.add')?.isEnabled).toBe(false);
    expect(itemOf('files.add', { available: new Set(['files.add']) })?.isEnabled).toBe(true);
    const chosen = new Set<CommandId>(['appearance.dark']);
    expect(itemOf('appearance.dark', { chosen })).toMatchObject({ isChosen: true, isEnabled: true });
    expect(itemOf('appearance.light', { chosen })).toMatchObject({ isChosen: false, isEnabled: false });
    expect(itemOf('files.add')?.isChosen).toBeNull();
  });
});

describe('an accelerator', () => {
  it.each([
    ['Mod+KeyO', 'CommandOrControl+O'],
    ['Mod+Shift+KeyE', 'CommandOrControl+Shift+E'],
    ['Ctrl+Alt+ArrowUp', 'Control+Alt+Up'],
    ['Mod+Backslash', 'CommandOrControl+\\'],
    ['Mod+Digit0', 'CommandOrControl+0'],
    ['Alt+NumpadAdd', 'Alt+numadd'],
    ['Mod+Numpad0', 'CommandOrControl+num0'],
    ['F6', 'F6'],
    ['Shift+F6', 'Shift+F6'],
    ['Mod+Space', 'CommandOrControl+Space'],
  ])('of %s is %s', (shortcut, accelerator) => {
    expect(toAccelerator(shortcut)).toBe(accelerator);
  });

  it.each(['Escape', 'Space', 'KeyX', 'Shift+KeyX', 'Mod+IntlRo', 'Tab', 'F25'])(
    'does not exist for %s',
    (shortcut) => {
      expect(toAccelerator(shortcut)).toBeNull();
    },
  );
});
