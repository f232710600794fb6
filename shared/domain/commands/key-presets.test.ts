import { describe, expect, it } from 'vitest';
import { commandOf, commands, isCommandId } from './command-list.ts';
import { createKeymap, judgeShortcut } from './keymap.ts';
import { keyPresets, nearestPreset, overridesOf, presetOf } from './key-presets.ts';

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

it('Ctrl+J inserts the time at the caret, as in oTranscribe', () => {
  expect(createKeymap(overridesOf.otranscribe).keyOf('text.insertTime')).toBe('Mod+KeyJ');
});

it('custom keys are no preset', () => {
  expect(presetOf({ ...overridesOf['subtitle-edit'], 'text.find': 'F4' })).toBeNull();
});

it('custom keys were made from the preset from which the fewest differ, and from ours if none is nearer', () => {
  const { 'segment.split': _split, ...rest } = overridesOf['subtitle-edit'];
  expect(nearestPreset(rest)).toBe('subtitle-edit');
  expect(nearestPreset({ ...overridesOf.descript, 'playback.toggle': null })).toBe('descript');
  expect(nearestPreset({ ...overridesOf.otranscribe, 'text.find': 'F4' })).toBe('otranscribe');
  expect(nearestPreset({ 'versions.open': null })).toBe('studio');
  expect(nearestPreset({ 'text.find': 'F4', 'segment.split': 'F7' })).toBe('studio');
});
