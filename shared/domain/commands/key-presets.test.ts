import { describe, expect, it } from 'vitest';
import { commandOf, commands, isCommandId } from './command-list.ts';
import { createKeymap, judgeShortcut } from './keymap.ts';
import { keyPresets, overridesOf, presetOf } from './key-presets.ts';

describe.each(keyPresets)('the keys of %s', (preset) => {
  const overrides = overridesOf[preset];

  it('belong to actions that exist, may be theirs, and are all taken over', () => {
    for (const [id, key] of Object.entries(overrides)) {
      expect(isCommandId(id) && commandOf(id).isFixed !== true).toBe(true);
      expect(key === null || judgeShortcut(key) === 'good').toBe(true);
    }
    expect(createKeymap(overrides).overrides).toEqual(overrides);
    expect(presetOf(overrides)).toBe(preset);
  });

  it('mean one thing each', () => {
    const keymap = createKeymap(overrides);
    const clashes = commands.flatMap(({ id }) =>
      keymap.keysOf(id).flatMap((key) => keymap.conflictsOf(id, key).map((other) => `${key}: ${id}, ${other}`)),
    );
    expect(clashes).toEqual([]);
  });
});

it('keys of one’s own are no preset', () => {
  expect(presetOf({ ...overridesOf['subtitle-edit'], 'text.find': 'F4' })).toBeNull();
});
