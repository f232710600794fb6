import { describe, expect, it } from 'vitest';
import { toAccelerator } from './accelerator.ts';
import { appMenu, fieldMenu, menuCommands, type AppMenuState } from './app-menu.ts';
import { commandOf, commands, isCommandId } from './command-list.ts';
import { createKeymap, judgeShortcut, keyPresets, overridesOf, presetOf } from './keymap.ts';

const state = (change: Partial<AppMenuState> = {}): AppMenuState => ({
  platform: 'linux',
  keymap: createKeymap({}),
  available: new Set(),
  chosen: new Set(),
  ...change,
});

describe('the menu', () => {
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
});

it.each([
  ['Ctrl+Alt+ArrowUp', 'Control+Alt+Up'],
  ['Mod+Backslash', 'CommandOrControl+\\'],
  ['Alt+NumpadAdd', 'Alt+numadd'],
  ['Shift+F6', 'Shift+F6'],
  ...['Escape', 'Space', 'KeyX', 'Shift+KeyX', 'Mod+IntlRo', 'Tab', 'F25'].map((shortcut) => [shortcut, null] as const),
] as const)('the accelerator of %s is %s', (shortcut, accelerator) => {
  expect(toAccelerator(shortcut)).toBe(accelerator);
});

it('a field offers all editing actions, with unavailable ones disabled; elsewhere only selected text can be copied', () => {
  const able = { canCut: true, canCopy: true, canPaste: true, canSelectAll: true };
  const editFlags = { canUndo: false, canRedo: false, ...able };
  const entries = fieldMenu({ isEditable: true, selectionText: '', editFlags });
  expect(entries.map(({ role }) => role)).toEqual(['undo', 'redo', 'cut', 'copy', 'paste', 'selectAll']);
  expect(entries.filter(({ enabled }) => !enabled).map(({ role }) => role)).toEqual(['undo', 'redo']);
  const selected = (selectionText: string) => fieldMenu({ isEditable: false, selectionText, editFlags });
  expect([selected('salom'), selected(' ')]).toEqual([[{ role: 'copy', enabled: true }], []]);
});

describe.each(keyPresets)('the keys of %s', (preset) => {
  const overrides = overridesOf[preset];

  it('belong to existing actions, are allowed for them, and are all applied', () => {
    for (const [id, key] of Object.entries(overrides)) {
      expect(isCommandId(id) && commandOf(id).isFixed !== true).toBe(true);
      expect(key === null || judgeShortcut(key) === 'good').toBe(true);
    }
    expect(createKeymap(overrides).overrides).toEqual(overrides);
    expect(presetOf(overrides)).toBe(preset);
  });

  it('have one meaning each', () => {
    const keymap = createKeymap(overrides);
    const clashes = commands.flatMap(({ id }) =>
      keymap.keysOf(id).flatMap((key) => keymap.conflictsOf(id, key).map((other) => `${key}: ${id}, ${other}`)),
    );
    expect(clashes).toEqual([]);
  });
});
