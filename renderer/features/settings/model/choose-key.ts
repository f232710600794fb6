import { commandOf, type CommandId } from '../../../../shared/domain/commands/command-list.ts';
import { judgeShortcut, withKey, type KeyOverrides, type Keymap } from '../../../../shared/domain/commands/keymap.ts';
import type { Shortcut } from '../../../../shared/domain/commands/accelerator.ts';

type KeyVerdict =
  | { readonly tag: 'free' }
  | { readonly tag: 'taken' }
  | { readonly tag: 'fixed'; readonly ids: readonly CommandId[] }
  | { readonly tag: 'conflict'; readonly ids: readonly CommandId[] };

export function judgeKey(keymap: Keymap, id: CommandId, key: Shortcut): KeyVerdict {
  if (judgeShortcut(key) !== 'good') return { tag: 'taken' };
  const ids = keymap.conflictsOf(id, key);
  const fixed = ids.filter((other) => commandOf(other).isFixed === true);
  if (fixed.length > 0) return { tag: 'fixed', ids: fixed };
  return ids.length > 0 ? { tag: 'conflict', ids } : { tag: 'free' };
}

/** The overrides with `key` for one command and for no conflicting one. Null: no key. */
export function giveKey(overrides: KeyOverrides, keymap: Keymap, id: CommandId, key: Shortcut | null): KeyOverrides {
  const cleared = (key === null ? [] : keymap.conflictsOf(id, key)).reduce(
    (rest, other) => withKey(rest, other, null),
    overrides,
  );
  return withKey(cleared, id, key);
}
