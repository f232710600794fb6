import { describe, expect, it } from 'vitest';
import { commandOf, commands, isCommandId } from './command-list.ts';
import { createKeymap, judgeShortcut } from './keymap.ts';
import { keyPresets, overridesOf, presetOf } from './key-presets.ts';

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

it('custom keys are no preset', () => {
  expect(presetOf({ ...overridesOf['subtitle-edit'], 'text.find': 'F4' })).toBeNull();
});
