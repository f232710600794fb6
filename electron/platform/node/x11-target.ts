import { execFile } from 'node:child_process';
import type { TargetWindow, TextTarget } from '../../services/dictation/deliver-text.ts';
import { smallEnvironment } from './practice-child.ts';

const patienceMs = 5000;
/** Physical keys. Insert is the same in every layout; there is no V in a purely Russian one. */
const keys = { ctrl: '37', shift: '50', v: '55', insert: '118' } as const;
/** Bit in the keyboard's LED mask: a layout other than the first is active. */
const otherLayoutLamp = 0x1000;
/** Programs in which Shift+Insert pastes the selection instead of the clipboard. */
const terminals = /term|konsole|alacritty|kitty|tilix|foot/i;
/** Terminals in which Ctrl+Shift+V pastes nothing. */
const oldTerminals = /^(u?xterm|u?rxvt|st|st-.*)$/i;

/** X11 windows via `xdotool`, a program that the user installed; null where it is missing. */
export async function openX11Target(display: string | undefined): Promise<TextTarget | null> {
  if (display === undefined || display === '') return null;
  const ask = (program: string, args: readonly string[]): Promise<string | null> =>
    new Promise((resolve) => {
      const env = { ...smallEnvironment(), DISPLAY: display, XAUTHORITY: process.env['XAUTHORITY'], LANG: 'C.UTF-8' };
      execFile(program, args, { env, timeout: patienceMs }, (error, out) => {
        resolve(error === null ? out.trim() : null);
      });
    });
  const run = (...args: readonly string[]): Promise<string | null> => ask('xdotool', args);
  if ((await run('version')) === null) return null;

  // `xdotool` tells the class only since 2021, and the title of a terminal says nothing of its kind.
  const nameOf = async (id: string): Promise<string> =>
    /= .*"(.+)"$/.exec((await ask('xprop', ['-id', id, 'WM_CLASS'])) ?? '')?.[1] ??
    ((await run('getwindowclassname', id)) || (await run('getwindowname', id)) || '');

  return {
    async current(): Promise<TargetWindow | null> {
      const id = await run('getactivewindow').then((active) => active ?? run('getwindowfocus'));
      if (id === null || id === '') return null;
      return { id, name: await nameOf(id), title: (await run('getwindowname', id)) ?? '' };
    },
    async layout(): Promise<string | null> {
      const [map, state] = await Promise.all([ask('setxkbmap', ['-query']), ask('xset', ['-q'])]);
      return map === null || state === null ? null : layoutIn(map, state);
    },
    activate: async ({ id }) => (await run('windowactivate', '--sync', id)) !== null,
    pastes: ({ name }) => (oldTerminals.test(name) ? 'selection' : 'clipboard'),
    async paste({ name }) {
      const chord =
        terminals.test(name) && !oldTerminals.test(name) ? [keys.ctrl, keys.shift, keys.v] : [keys.shift, keys.insert];
      return (await run('key', '--clearmodifiers', chord.join('+'))) !== null;
    },
    type: async (text) => (await run('type', '--clearmodifiers', '--delay', '8', '--', text)) !== null,
  };
}

/** The active layout, from the output of `setxkbmap -query` and `xset -q`; null when they leave it open. */
function layoutIn(map: string, state: string): string | null {
  const listOf = (name: string): readonly string[] =>
    (new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(map)?.[1] ?? '').split(',').map((one) => one.trim());
  const layouts = listOf('layout');
  const lights = Number.parseInt(/LED mask:\s*([0-9a-f]+)/i.exec(state)?.[1] ?? '', 16);
  // A single LED distinguishes the first layout from all others; with three or more it does not say which.
  if (Number.isNaN(lights) || layouts.length > 2) return null;
  const at = (lights & otherLayoutLamp) === 0 ? 0 : 1;
  const variant = listOf('variant')[at];
  const layout = layouts[at] ?? '';
  return layout === '' ? null : variant === undefined || variant === '' ? layout : `${layout}(${variant})`;
}
