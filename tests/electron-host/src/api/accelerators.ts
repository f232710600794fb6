import { EventEmitter } from 'node:events';
import type { BrowserWindow } from './browser-window.ts';
import { warnOnce } from '../unsupported.ts';

type Run = (window: BrowserWindow) => void;
const registered = new Map<string, Run>();
/** 'changed' when the pages must watch for other keys. */
export const acceleratorChanges = new EventEmitter();
export const acceleratorCombos = (): string[] => [...registered.keys()];

const keyNames: Readonly<Record<string, string>> = {
  plus: '+',
  space: ' ',
  tab: 'tab',
  backspace: 'backspace',
  delete: 'delete',
  insert: 'insert',
  return: 'enter',
  enter: 'enter',
  up: 'arrowup',
  down: 'arrowdown',
  left: 'arrowleft',
  right: 'arrowright',
  home: 'home',
  end: 'end',
  pageup: 'pageup',
  pagedown: 'pagedown',
  escape: 'escape',
  esc: 'escape',
};
const modifiers: Readonly<Record<string, string>> = {
  command: 'meta',
  cmd: 'meta',
  super: 'meta',
  meta: 'meta',
  control: 'ctrl',
  ctrl: 'ctrl',
  commandorcontrol: process.platform === 'darwin' ? 'meta' : 'ctrl',
  cmdorctrl: process.platform === 'darwin' ? 'meta' : 'ctrl',
  alt: 'alt',
  option: 'alt',
  altgr: 'alt',
  shift: 'shift',
};
const order = ['ctrl', 'alt', 'shift', 'meta'];

/** `CmdOrCtrl+Shift+S` as the page reports keys: `ctrl+shift+s`. Null when it names a key that a page never sees. */
export function comboOf(accelerator: string): string | null {
  const parts = accelerator
    .replace(/\+\+$/, '+Plus')
    .split('+')
    .map((part) => part.trim().toLowerCase());
  const key = parts.pop() ?? '';
  const held = parts.map((part) => modifiers[part]);
  const named = keyNames[key] ?? (/^(.|f\d{1,2})$/u.test(key) ? key : undefined);
  if (named === undefined || held.includes(undefined)) return null;
  return [...order.filter((one) => held.includes(one)), named].join('+');
}

export function setAccelerators(entries: readonly (readonly [accelerator: string, run: Run])[]): void {
  registered.clear();
  for (const [accelerator, run] of entries) {
    const combo = comboOf(accelerator);
    if (combo === null) warnOnce(`accelerator ${accelerator}`);
    else registered.set(combo, run);
  }
  acceleratorChanges.emit('changed');
}

export const runAccelerator = (combo: string, window: BrowserWindow): void => registered.get(combo)?.(window);
