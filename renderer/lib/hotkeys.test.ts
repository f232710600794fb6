import { describe, expect, it } from 'vitest';
import { ariaShortcut, isShortcut, keyCaps } from './hotkeys.ts';

const press = (code: string, held: Partial<Record<'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey', boolean>> = {}) => ({
  code,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...held,
});

describe('shortcuts', () => {
  it('depend on the position of the key, whatever letter the layout puts there', () => {
    expect(isShortcut({ ...press('KeyO', { ctrlKey: true }) }, 'Mod+KeyO', false)).toBe(true);
    expect(isShortcut(press('KeyO'), 'Mod+KeyO', false)).toBe(false);
  });

  it('require exactly their modifiers', () => {
    expect(isShortcut(press('F6', { shiftKey: true }), 'F6', false)).toBe(false);
    expect(isShortcut(press('F6', { shiftKey: true }), 'Shift+F6', false)).toBe(true);
    expect(isShortcut(press('KeyO', { ctrlKey: true, altKey: true }), 'Mod+KeyO', false)).toBe(false);
  });

  it('take the command key on macOS', () => {
    expect(isShortcut(press('KeyO', { metaKey: true }), 'Mod+KeyO', true)).toBe(true);
    expect(isShortcut(press('KeyO', { ctrlKey: true }), 'Mod+KeyO', true)).toBe(false);
  });

  it('are drawn and named as users and screen readers expect', () => {
    expect(keyCaps('Mod+Shift+KeyK', false)).toEqual(['Ctrl', 'Shift', 'K']);
    expect(keyCaps('Mod+KeyK', true)).toEqual(['⌘', 'K']);
    expect(keyCaps('Alt+ArrowLeft', false)).toEqual(['Alt', '←']);
    expect(ariaShortcut('Mod+KeyO', false)).toBe('Control+O');
  });
});
