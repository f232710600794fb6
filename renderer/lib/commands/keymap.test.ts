import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isShortcut, shortcutOfPress } from '../hotkeys.ts';
import { commands } from '../../../shared/domain/commands/command-list.ts';
import { createKeymap, isTypingKey, judgeShortcut, withKey } from '../../../shared/domain/commands/keymap.ts';
import { createCommandRegistry } from './registry.ts';

describe('the default keys', () => {
  const keymap = createKeymap({});

  it('conflict nowhere', () => {
    const clashes = commands.flatMap(({ id }) =>
      keymap.keysOf(id).map((key) => [id, key, keymap.conflictsOf(id, key)] as const),
    );
    expect(clashes.filter(([, , others]) => others.length > 0)).toEqual([]);
    expect(clashes.length).toBeGreaterThan(30);
  });

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
  it('replace the default and its alternatives, and can be removed', () => {
    const keymap = createKeymap({ 'zoom.in': 'Mod+KeyI', 'files.add': null });
    expect(keymap.keysOf('zoom.in')).toEqual(['Mod+KeyI']);
    expect(keymap.keyOf('files.add')).toBeNull();
    expect(keymap.keyOf('folder.add')).toBe('Mod+Shift+KeyO');
  });

  it('are ignored when the action is unknown or fixed or the key is not allowed', () => {
    const keymap = createKeymap({
      'no.such': 'F9',
      'playback.toggleInText': 'F9',
      'files.add': 'Enter',
      'jobs.open': '',
    });
    expect(keymap.overrides).toEqual({});
  });

  it('conflict only if both actions are available together', () => {
    const keymap = createKeymap({});
    expect(keymap.conflictsOf('files.add', 'Mod+KeyK')).toEqual(['palette.open']);
    expect(keymap.conflictsOf('transcript.export', 'Mod+KeyJ')).toEqual(['jobs.open']);
    expect(keymap.conflictsOf('playback.back', 'Delete')).toEqual([]);
    expect(keymap.conflictsOf('files.add', 'F9')).toEqual([]);
  });

  it('equal to the default are no change', () => {
    expect(withKey({ 'files.add': 'F9' }, 'files.add', 'Mod+KeyO')).toEqual({});
    expect(withKey({}, 'files.add', null)).toEqual({ 'files.add': null });
  });

  it.each([
    ['Mod+KeyC', 'taken'],
    ['Tab', 'taken'],
    ['Enter', 'taken'],
    ['Mod+Enter', 'good'],
    ['F9', 'good'],
    ['KeyJ', 'good'],
    ['Mod+', 'bad'],
    ['Shift+Mod+KeyA', 'bad'],
    ['ControlLeft', 'bad'],
    ['__proto__', 'bad'],
  ])('%s is %s', (shortcut, verdict) => {
    expect(judgeShortcut(shortcut)).toBe(verdict);
  });

  it('are paused in text fields only if they would type', () => {
    expect(['KeyJ', 'Shift+KeyJ', 'Digit1', 'F5', 'Escape', 'Mod+KeyJ'].map(isTypingKey)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

it('a key press is stored so that the same press is recognized again', () => {
  fc.assert(
    fc.property(
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
      },
    ),
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
    expect(ran).toEqual(['screen', 'shell']);
  });

  it('notifies of every change, and without a handler it does not run', () => {
    const registry = createCommandRegistry();
    const versions: number[] = [];
    registry.subscribe(() => versions.push(registry.version()));
    expect(registry.run('jobs.open')).toBe(false);
    const leave = registry.register('jobs.open', () => undefined, registry.takePlace());
    expect(registry.isAvailable('jobs.open')).toBe(true);
    leave();
    expect(registry.isAvailable('jobs.open')).toBe(false);
    expect(new Set(versions).size).toBe(2);
  });
});
