import { execFile } from 'node:child_process';
import type { TargetWindow, TextTarget } from '../../services/dictation/deliver-text.ts';
import { smallEnvironment } from './small-environment.ts';

const patienceMs = 5000;
/** Physical keys. Insert is the same in every layout; a V is none where Russian is the only one. */
const keys = { ctrl: '37', shift: '50', v: '55', insert: '118' } as const;
/** In the mask of lamps of the keyboard: another layout than the first is in use. */
const otherLayoutLamp = 0x1000;
/** Where Shift+Insert puts what was selected last, and not the clipboard. */
const terminals = /term|konsole|alacritty|kitty|tilix|urxvt|foot|wezterm/i;

/** Windows of X11 by `xdotool`, a program of its own that the person installed; null where there is none. */
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

  const nameOf = async (id: string): Promise<string> =>
    (await run('getwindowclassname', id)) || (await run('getwindowname', id)) || '';

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
    async paste({ name }) {
      const chord = terminals.test(name) ? [keys.ctrl, keys.shift, keys.v] : [keys.shift, keys.insert];
      return (await run('key', '--clearmodifiers', chord.join('+'))) !== null;
    },
    type: async (text) => (await run('type', '--clearmodifiers', '--delay', '8', '--', text)) !== null,
  };
}

/** The layout in use, of what `setxkbmap -query` lists and `xset -q` tells; null when they leave it open. */
function layoutIn(map: string, state: string): string | null {
  const listOf = (name: string): readonly string[] =>
    (new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(map)?.[1] ?? '').split(',').map((one) => one.trim());
  const layouts = listOf('layout');
  const lights = Number.parseInt(/LED mask:\s*([0-9a-f]+)/i.exec(state)?.[1] ?? '', 16);
  // One lamp tells the first layout from all others; which of three or more it is, nobody tells.
  if (Number.isNaN(lights) || layouts.length > 2) return null;
  const at = (lights & otherLayoutLamp) === 0 ? 0 : 1;
  const variant = listOf('variant')[at];
  const layout = layouts[at] ?? '';
  return layout === '' ? null : variant === undefined || variant === '' ? layout : `${layout}(${variant})`;
}
