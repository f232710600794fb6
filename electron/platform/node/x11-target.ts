import { execFile } from 'node:child_process';
import type { TargetWindow, TextTarget } from '../../services/dictation/deliver-text.ts';
import { smallEnvironment } from './small-environment.ts';

const patienceMs = 5000;
/** Physical keys. Insert is the same in every layout; a V is none where Russian is the only one. */
const keys = { ctrl: '37', shift: '50', v: '55', insert: '118' } as const;
/** Where Shift+Insert puts what was selected last, and not the clipboard. */
const terminals = /term|konsole|alacritty|kitty|tilix|urxvt|foot|wezterm/i;

/** Windows of X11 by `xdotool`, a program of its own that the person installed; null where there is none. */
export async function openX11Target(display: string | undefined): Promise<TextTarget | null> {
  if (display === undefined || display === '') return null;
  const run = (...args: readonly string[]): Promise<string | null> =>
    new Promise((resolve) => {
      const env = { ...smallEnvironment(), DISPLAY: display, XAUTHORITY: process.env['XAUTHORITY'], LANG: 'C.UTF-8' };
      execFile('xdotool', args, { env, timeout: patienceMs }, (error, out) => {
        resolve(error === null ? out.trim() : null);
      });
    });
  if ((await run('version')) === null) return null;

  const nameOf = async (id: string): Promise<string> =>
    (await run('getwindowclassname', id)) || (await run('getwindowname', id)) || '';

  return {
    async current(): Promise<TargetWindow | null> {
      const id = await run('getactivewindow').then((active) => active ?? run('getwindowfocus'));
      return id === null || id === '' ? null : { id, name: await nameOf(id) };
    },
    activate: async ({ id }) => (await run('windowactivate', '--sync', id)) !== null,
    async paste({ name }) {
      const chord = terminals.test(name) ? [keys.ctrl, keys.shift, keys.v] : [keys.shift, keys.insert];
      return (await run('key', '--clearmodifiers', chord.join('+'))) !== null;
    },
    type: async (text) => (await run('type', '--clearmodifiers', '--delay', '8', '--', text)) !== null,
  };
}
