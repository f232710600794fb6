import type { Shortcut } from '../../shared/domain/commands/accelerator.ts';

export type { Shortcut };

type KeyPress = Pick<KeyboardEvent, 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

const isMac = typeof navigator !== 'undefined' && navigator.userAgent.includes('Macintosh');

export function isShortcut(event: KeyPress, shortcut: Shortcut, onMac: boolean = isMac): boolean {
  // Called for every shortcut with every typed key, most of which differ.
  if (event.code !== shortcut.slice(shortcut.lastIndexOf('+') + 1)) return false;
  const wants = new Set(shortcut.split('+').slice(0, -1));
  const mod = wants.has('Mod');
  return (
    event.ctrlKey === (wants.has('Ctrl') || (mod && !onMac)) &&
    event.metaKey === (mod && onMac) &&
    event.shiftKey === wants.has('Shift') &&
    event.altKey === wants.has('Alt')
  );
}

export function shortcutOfPress(event: KeyPress, onMac: boolean = isMac): Shortcut | null {
  if (/^(Control|Shift|Alt|Meta|OS)(Left|Right)?$/.test(event.code) || event.code === '') return null;
  const isMod = onMac ? event.metaKey : event.ctrlKey;
  return [
    ...(isMod ? ['Mod'] : []),
    ...(onMac && event.ctrlKey ? ['Ctrl'] : []),
    ...(event.altKey ? ['Alt'] : []),
    ...(event.shiftKey ? ['Shift'] : []),
    event.code,
  ].join('+');
}

const names: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
  Delete: 'Del',
  Backspace: '⌫',
  Semicolon: ';',
  Comma: ',',
  Slash: '/',
  Backslash: '\\',
  BracketLeft: '[',
  BracketRight: ']',
  Period: '.',
  Quote: "'",
  Backquote: '`',
  Equal: '+',
  Minus: '−',
};
const macModifiers: Readonly<Record<string, string>> = { Mod: '⌘', Ctrl: '⌃', Alt: '⌥', Shift: '⇧' };

/** `Mod+KeyO` is `['Ctrl', 'O']`. */
export function keyCaps(shortcut: Shortcut, onMac: boolean = isMac): readonly string[] {
  return shortcut.split('+').map((part, index, all) => {
    if (index < all.length - 1) return onMac ? (macModifiers[part] ?? part) : part === 'Mod' ? 'Ctrl' : part;
    return names[part] ?? part.replace(/^(Key|Digit|Numpad)/, '');
  });
}

export const ariaShortcut = (shortcut: Shortcut, onMac: boolean = isMac): string =>
  shortcut
    .split('+')
    .map((part) =>
      part === 'Mod' ? (onMac ? 'Meta' : 'Control') : part === 'Ctrl' ? 'Control' : part.replace(/^(Key|Digit)/, ''),
    )
    .join('+');

export const layers = '[role="dialog"], [role="alertdialog"], [role="menu"]';

/** What is only fading out no longer counts. */
export const openLayers = (): readonly Element[] =>
  [...document.querySelectorAll(layers)].filter((layer) => layer.closest('[data-exiting]') === null);

/** A switch, a choice and a slider are inputs as well, but take no letters. */
export const isTextField = (target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && !/^(?:checkbox|radio|range|color|file|button|submit)$/u.test(target.type));

export const isTypingTarget = (target: EventTarget | null): boolean =>
  isTextField(target) ||
  target instanceof HTMLSelectElement ||
  (target instanceof HTMLElement && target.isContentEditable);
