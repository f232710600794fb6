import fc from 'fast-check';
import { expect, it } from 'vitest';
import { commands } from '../../../../shared/domain/commands/command-list.ts';
import { createKeymap, defaultKeyOf, type KeyOverrides } from '../../../../shared/domain/commands/keymap.ts';
import { giveKey, judgeKey } from './choose-key.ts';

const start = createKeymap({});

it('says whose key it is: nobody’s, a text field’s, one that can’t change, or another action’s', () => {
  expect(judgeKey(start, 'files.add', 'Mod+Alt+KeyJ')).toEqual({ tag: 'free' });
  expect(judgeKey(start, 'files.add', 'Mod+KeyC')).toEqual({ tag: 'taken' });
  expect(judgeKey(start, 'files.add', 'Enter')).toEqual({ tag: 'taken' });
  expect(judgeKey(start, 'files.add', 'Mod+KeyK')).toEqual({ tag: 'conflict', ids: ['palette.open'] });
  expect(judgeKey(start, 'files.add', defaultKeyOf('files.add') ?? '')).toEqual({ tag: 'free' });
});

it('a key taken from another action is removed there; the default keys come back without a trace', () => {
  const given = giveKey({}, start, 'files.add', 'Mod+KeyK');
  expect(given).toEqual({ 'files.add': 'Mod+KeyK', 'palette.open': null });
  expect(giveKey({ 'files.add': 'F8' }, createKeymap({ 'files.add': 'F8' }), 'files.add', 'Mod+KeyO')).toEqual({});
  expect(giveKey({ 'a.newer.action': 'F9' }, start, 'files.add', null)).toEqual({
    'a.newer.action': 'F9',
    'files.add': null,
  });
});

it('whatever is assigned, no two actions that are active together share a key', () => {
  const changeable = commands.filter(({ isFixed }) => isFixed !== true).map(({ id }) => id);
  const keys = fc.constantFrom('F8', 'Mod+KeyK', 'Mod+KeyO', 'Alt+Digit1', 'Mod+Shift+KeyE', 'Escape', 'F1');
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...changeable), keys), { maxLength: 12 }), (choices) => {
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
    }),
  );
});
