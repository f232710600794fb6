import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forAll } from '../../../tests/support/for-all.ts';
import { isShortcut, shortcutOfPress } from '../hotkeys.ts';
import { commands } from '../../../shared/domain/commands/command-list.ts';
import { createKeymap, judgeShortcut } from '../../../shared/domain/commands/keymap.ts';
import { createCommandRegistry } from '../commands.tsx';

describe('the default keys', () => {
  it('are keys that an action may have, unless they belong to a control', () => {
    const bad = commands.filter(
      ({ id, isFixed, key }) =>
        // Undo and redo have the same keys in every program, even if the screen and not a text field handles them.
        !['speak.undo', 'speak.redo'].includes(id) && isFixed !== true && key !== null && judgeShortcut(key) !== 'good',
    );
    expect(bad).toEqual([]);
  });
});

describe('custom keys', () => {
  it('replace the default and its alternatives, unless the action is unknown or fixed or the key is not allowed', () => {
    const refused = { 'no.such': 'F9', 'playback.toggleInText': 'F9', 'folder.add': 'Enter', 'jobs.open': '' };
    const keymap = createKeymap({ ...refused, 'zoom.in': 'Mod+KeyI', 'files.add': null });
    expect(keymap.overrides).toEqual({ 'zoom.in': 'Mod+KeyI', 'files.add': null });
    expect(keymap.keysOf('zoom.in')).toEqual(['Mod+KeyI']);
    expect(keymap.keyOf('files.add')).toBeNull();
    expect(keymap.keyOf('folder.add')).toBe('Mod+Shift+KeyO');
  });

  it('conflict only if both actions are available together', () => {
    const keymap = createKeymap({});
    expect(keymap.conflictsOf('transcript.export', 'Mod+KeyJ')).toEqual(['jobs.open']);
    expect(keymap.conflictsOf('playback.back', 'Delete')).toEqual([]);
  });

  it.each([
    ['Mod+KeyC', 'taken'],
    ['F9', 'good'],
    ['Shift+Mod+KeyA', 'bad'],
    ['__proto__', 'bad'],
  ])('%s is %s', (shortcut, verdict) => expect(judgeShortcut(shortcut)).toBe(verdict));
});

it('a key press is stored so that the same press is recognized again, and none with other modifiers', () => {
  forAll(
    fc.record({
      code: fc.constantFrom('KeyA', 'F5', 'Digit1', 'ArrowUp', 'Slash'),
      ctrlKey: fc.boolean(),
      metaKey: fc.boolean(),
      shiftKey: fc.boolean(),
      altKey: fc.boolean(),
    }),
    fc.boolean(),
    (press, onMac) => {
      if (!onMac && press.metaKey) return;
      const shortcut = shortcutOfPress(press, onMac);
      expect(shortcut !== null && isShortcut(press, shortcut, onMac)).toBe(true);
      expect(judgeShortcut(shortcut ?? '')).not.toBe('bad');
      for (const held of ['ctrlKey', 'shiftKey', 'altKey'] as const)
        expect(isShortcut({ ...press, [held]: !press[held] }, shortcut ?? '', onMac)).toBe(false);
    },
  );
});

describe('a command', () => {
  it('is run by the handler with the latest place, and by the earlier one after it is removed', () => {
    const registry = createCommandRegistry();
    const ran: string[] = [];
    const shell = registry.takePlace();
    const screen = registry.takePlace();
    const leave = registry.register('files.add', () => ran.push('screen'), screen);
    registry.register('files.add', () => ran.push('shell'), shell);
    registry.run('files.add');
    leave();
    leave();
    registry.run('files.add');
    expect(registry.run('jobs.open')).toBe(false);
    expect(ran).toEqual(['screen', 'shell']);
  });
});
