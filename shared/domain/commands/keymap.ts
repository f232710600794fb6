import type { Shortcut } from './accelerator.ts';
import { commandOf, commands, isCommandId, type CommandId } from './command-list.ts';

/** The user's changes: a shortcut, or null for no key; a command that is absent has its default. */
export type KeyOverrides = Readonly<Record<string, Shortcut | null>>;

export interface Keymap {
  readonly overrides: KeyOverrides;
  readonly keyOf: (id: CommandId) => Shortcut | null;
  readonly defaultOf: (id: CommandId) => Shortcut | null;
  readonly keysOf: (id: CommandId) => readonly Shortcut[];
  readonly conflictsOf: (id: CommandId, shortcut: Shortcut) => readonly CommandId[];
}

type Platform = 'darwin' | 'linux' | 'win32';

export const defaultKeyOf = (id: CommandId): Shortcut | null => commandOf(id).key;

/** Ignores unknown and fixed commands. Without `usesLetters` no key that types a letter or digit runs anything. */
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

function canMeet(one: CommandId, other: CommandId): boolean {
  if (commandOf(one).isInFields === true || commandOf(other).isInFields === true) return false;
  const [first, second] = [commandOf(one).place, commandOf(other).place];
  return first === second || first === 'everywhere' || second === 'everywhere';
}

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

export const keyPresets = ['studio', 'otranscribe', 'express-scribe', 'descript', 'subtitle-edit'] as const;
export type KeyPreset = (typeof keyPresets)[number];

/** Names of programs are the same in every language. */
export const presetNames: { readonly [Preset in KeyPreset]: string } = {
  studio: 'Ovoz Studio',
  otranscribe: 'oTranscribe',
  'express-scribe': 'Express Scribe',
  descript: 'Descript',
  'subtitle-edit': 'Subtitle Edit',
};

/** Where other programs differ from ours; `docs/key-presets.md` says which of them were verified. */
export const overridesOf: { readonly [Preset in KeyPreset]: KeyOverrides } = {
  studio: {},
  // Esc, F1 to F4 and the key to jump to a time are our defaults as well: they come from this program.
  otranscribe: {
    'versions.open': 'Mod+KeyS',
    'text.insertTime': 'Mod+KeyJ',
    'jobs.open': 'Alt+KeyJ',
  },
  'express-scribe': {
    'playback.pause': 'F4',
    'playback.toggle': 'F9',
    'playback.back': 'F7',
    'playback.forward': 'F8',
    'playback.slower': 'F2',
    'playback.faster': 'F3',
    'captions.nextProblem': 'Mod+F8',
    'captions.previousProblem': 'Mod+Shift+F8',
    'text.lastEdited': 'Mod+F7',
  },
  descript: {
    'playback.toggle': 'Mod+Enter',
    'segment.split': 'Mod+KeyR',
    'segment.next': 'Alt+ArrowDown',
    'segment.previous': 'Alt+ArrowUp',
  },
  'subtitle-edit': {
    'segment.setStart': 'F11',
    'segment.setEnd': 'F12',
    'segment.previous': 'Alt+ArrowUp',
    'segment.next': 'Alt+ArrowDown',
    'segment.split': 'Mod+Alt+KeyV',
    'segment.insert': 'Alt+Insert',
    'playback.back': 'Alt+ArrowLeft',
    'playback.forward': 'Alt+ArrowRight',
    'segment.nudgeEndEarlier': 'Mod+Alt+Comma',
    'segment.nudgeEndLater': 'Mod+Alt+Period',
    'segment.nudgeStartEarlier': 'Mod+Alt+Shift+Comma',
    'segment.nudgeStartLater': 'Mod+Alt+Shift+Period',
    'text.findNext': 'F3',
    'text.findPrevious': 'Shift+F3',
    'playback.slower': 'Mod+Alt+BracketLeft',
    'playback.faster': 'Mod+Alt+BracketRight',
  },
};

const differenceFrom = (preset: KeyPreset, overrides: KeyOverrides): number =>
  Object.keys({ ...overridesOf[preset], ...overrides }).filter((id) => overridesOf[preset][id] !== overrides[id])
    .length;

export const nearestPreset = (overrides: KeyOverrides): KeyPreset =>
  keyPresets.reduce((nearest, preset) =>
    differenceFrom(preset, overrides) < differenceFrom(nearest, overrides) ? preset : nearest,
  );

export function presetOf(overrides: KeyOverrides): KeyPreset | null {
  const nearest = nearestPreset(overrides);
  return differenceFrom(nearest, overrides) === 0 ? nearest : null;
}
