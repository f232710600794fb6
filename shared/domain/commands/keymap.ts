import type { Shortcut } from './accelerator.ts';
import { commandOf, commands, isCommandId, type CommandId } from './command-list.ts';

/** The user's changes: a shortcut, or null for no key; a command that is absent has its default. */
export type KeyOverrides = Readonly<Record<string, Shortcut | null>>;

/** Which key means which action now. */
export interface Keymap {
  readonly overrides: KeyOverrides;
  /** The key to show; null when there is none. */
  readonly keyOf: (id: CommandId) => Shortcut | null;
  readonly defaultOf: (id: CommandId) => Shortcut | null;
  /** All keys that run it, the shown one first. */
  readonly keysOf: (id: CommandId) => readonly Shortcut[];
  /** The commands that `shortcut` would conflict with if `id` had it; empty when it is free. */
  readonly conflictsOf: (id: CommandId, shortcut: Shortcut) => readonly CommandId[];
}

type Platform = 'darwin' | 'linux' | 'win32';

/** The key an action starts with. */
export const defaultKeyOf = (id: CommandId): Shortcut | null => commandOf(id).key;

/**
 * Overrides of unknown or fixed commands, and keys that can't be bound, are ignored. Without `usesLetters` no key that
 * types a letter or a digit runs anything; such choices stay stored for when the setting is on again.
 */
export function createKeymap(stored: KeyOverrides, usesLetters = true, platform: Platform | null = null): Keymap {
  const defaultOf = (id: CommandId) => (platform === null ? null : commandOf(id).keyOn?.[platform]) ?? defaultKeyOf(id);
  const overrides: KeyOverrides = Object.fromEntries(
    Object.entries(stored).filter(
      ([id, key]) =>
        isCommandId(id) && commandOf(id).isFixed !== true && (key === null || judgeShortcut(key) === 'good'),
    ),
  );
  const isUsed = (key: Shortcut) => usesLetters || !isTypingKey(key);
  const keyOf = (id: CommandId) => {
    const key = Object.hasOwn(overrides, id) ? (overrides[id] ?? null) : defaultOf(id);
    return key !== null && (commandOf(id).isFixed === true || isUsed(key)) ? key : null;
  };
  const keysOf = (id: CommandId): readonly Shortcut[] => {
    const key = keyOf(id);
    const isDefault = !Object.hasOwn(overrides, id);
    return [...(key === null ? [] : [key]), ...(isDefault ? (commandOf(id).alsoKeys ?? []).filter(isUsed) : [])];
  };
  return {
    overrides,
    keyOf,
    keysOf,
    defaultOf,
    conflictsOf: (id, shortcut) =>
      commands
        .filter((other) => other.id !== id && canMeet(other.id, id) && keysOf(other.id).includes(shortcut))
        .map((other) => other.id),
  };
}

/** Whether both commands can be active in the same place. */
function canMeet(one: CommandId, other: CommandId): boolean {
  if (commandOf(one).isInFields === true || commandOf(other).isInFields === true) return false;
  const [first, second] = [commandOf(one).place, commandOf(other).place];
  return first === second || first === 'everywhere' || second === 'everywhere';
}

/** The overrides with one more choice; choosing the default removes the override. */
export function withKey(overrides: KeyOverrides, id: CommandId, key: Shortcut | null): KeyOverrides {
  const { [id]: _before, ...rest } = overrides;
  return key === defaultKeyOf(id) ? rest : { ...rest, [id]: key };
}

/** Keys that move the focus, type or close a layer everywhere; without a modifier they can't belong to a command. */
const takenAlone = /^(Tab|Enter|NumpadEnter|Space|Backspace|Delete|Home|End|PageUp|PageDown|Arrow\w+)$/;
/** Belong to text fields and to the system. */
const takenAlways: ReadonlySet<Shortcut> = new Set([
  ...['KeyA', 'KeyC', 'KeyV', 'KeyX', 'KeyZ', 'KeyY', 'Shift+KeyZ', 'KeyQ', 'KeyW'].map((key) => `Mod+${key}`),
  'Shift+Tab',
  'Alt+Tab',
  'Alt+F4',
  'Alt+Space',
]);
const shape = /^(Mod\+)?(Ctrl\+)?(Alt\+)?(Shift\+)?([A-Z][A-Za-z0-9]{0,20})$/;

/** Whether a command may have this key: `taken` belongs to text fields or the system, `bad` is no key at all. */
export function judgeShortcut(shortcut: Shortcut): 'good' | 'taken' | 'bad' {
  const match = shape.exec(shortcut);
  const code = match?.[5];
  if (!match || code === undefined || /^(Control|Shift|Alt|Meta)(Left|Right)$|^(Mod|Ctrl|Alt|Shift)$/.test(code))
    return 'bad';
  if (takenAlways.has(shortcut)) return 'taken';
  const hasModifier = match[1] !== undefined || match[2] !== undefined || match[3] !== undefined;
  return !hasModifier && takenAlone.test(code) ? 'taken' : 'good';
}

/** Types a letter or a digit in a text field, so it must be inactive there. */
export const isTypingKey = (shortcut: Shortcut): boolean =>
  !/^(Mod|Ctrl|Alt)\+/.test(shortcut) && !/(^|\+)(F\d{1,2}|Escape)$/.test(shortcut);
