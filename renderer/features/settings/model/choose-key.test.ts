import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../../../tests/support/for-all.ts';
import { commands } from '../../../../shared/domain/commands/command-list.ts';
import { createKeymap, type KeyOverrides } from '../../../../shared/domain/commands/keymap.ts';
import { giveKey, judgeKey } from './choose-key.ts';

it('whatever is assigned, no two actions that are active together share a key', () => {
  const changeable = commands.filter(({ isFixed }) => isFixed !== true).map(({ id }) => id);
  const keys = fc.constantFrom('F8', 'Mod+KeyK', 'Mod+KeyO', 'Alt+Digit1', 'Mod+Shift+KeyE', 'Escape', 'F1');
  forAll(fc.array(fc.tuple(fc.constantFrom(...changeable), keys), { maxLength: 12 }), (choices) => {
    const overrides = choices.reduce<KeyOverrides>((before, [id, key]) => {
      const keymap = createKeymap(before);
      const { tag } = judgeKey(keymap, id, key);
      return tag === 'free' || tag === 'conflict' ? giveKey(before, keymap, id, key) : before;
    }, {});
    const keymap = createKeymap(overrides);
    for (const id of changeable) {
      const key = keymap.keyOf(id);
      if (key !== null) expect(keymap.conflictsOf(id, key)).toEqual([]);
    }
  });
});
