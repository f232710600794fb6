const named: Readonly<Record<string, string>> = {
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  Equal: '=',
  Minus: '-',
  Comma: ',',
  Period: '.',
  Slash: '/',
  Backslash: '\\',
  Semicolon: ';',
  Quote: "'",
  BracketLeft: '[',
  BracketRight: ']',
  Backquote: '`',
  NumpadAdd: 'numadd',
  NumpadSubtract: 'numsub',
  NumpadMultiply: 'nummult',
  NumpadDivide: 'numdiv',
  NumpadDecimal: 'numdec',
  NumpadEnter: 'Enter',
};
const sameName = /^(Enter|Space|Tab|Escape|Backspace|Delete|Insert|Home|End|PageUp|PageDown|F([1-9]|1\d|2[0-4]))$/;
const modifiers: Readonly<Record<string, string>> = {
  Mod: 'CommandOrControl',
  Ctrl: 'Control',
  Alt: 'Alt',
  Shift: 'Shift',
};

function keyName(code: string): string | null {
  const plain = /^(?:Key|Digit)([A-Z0-9])$/.exec(code)?.[1];
  if (plain !== undefined) return plain;
  const pad = /^Numpad(\d)$/.exec(code)?.[1];
  if (pad !== undefined) return `num${pad}`;
  return named[code] ?? (sameName.test(code) ? code : null);
}

/** In Electron's notation; null for keys that a menu can't name or would take from the focused control. */
export function toAccelerator(shortcut: Shortcut): string | null {
  const parts = shortcut.split('+');
  const code = parts.at(-1) ?? '';
  const held = parts.slice(0, -1).map((part) => modifiers[part]);
  const key = keyName(code);
  if (key === null || held.includes(undefined)) return null;
  const isAlone = held.every((modifier) => modifier === 'Shift');
  return isAlone && !/^F\d{1,2}$/.test(code) ? null : [...held, key].join('+');
}

/** By physical key, for Latin and Cyrillic layouts alike: `Mod+KeyO`. `Mod` is Ctrl, and ⌘ on macOS. */
export type Shortcut = string;
