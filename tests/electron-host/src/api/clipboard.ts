import { spawn } from 'node:child_process';
import { findOnPath } from '../find-browser.ts';
import type Electron from 'electron';
import { host } from '../state.ts';
import { sayGaps } from '../unsupported.ts';

interface Tool {
  readonly writer: readonly [program: string, ...args: string[]];
  readonly reader: readonly [program: string, ...args: string[]];
  readonly usable: () => boolean;
}
const tools: readonly Tool[] = [
  { writer: ['pbcopy'], reader: ['pbpaste'], usable: () => process.platform === 'darwin' },
  { writer: ['wl-copy'], reader: ['wl-paste', '--no-newline'], usable: () => Boolean(process.env['WAYLAND_DISPLAY']) },
  {
    writer: ['xclip', '-selection', 'clipboard', '-i'],
    reader: ['xclip', '-selection', 'clipboard', '-o'],
    usable: () => Boolean(process.env['DISPLAY']),
  },
];
let memory = '';

function tool(): Tool | null {
  if (host.headless) return null;
  return tools.find(({ writer, usable }) => usable() && findOnPath(writer[0]) !== null) ?? null;
}

function run([program, ...args]: Tool['writer'], input: string | null): Promise<string | null> {
  return new Promise((resolve) => {
    // xclip stays behind to serve the selection, so its output must not be waited for.
    const child = spawn(program, args, {
      stdio: [input === null ? 'ignore' : 'pipe', input === null ? 'pipe' : 'ignore', 'ignore'],
    });
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (part: string) => (text += part));
    child.stdin?.on('error', () => {}).end(input ?? '');
    child.on('error', () => resolve(null));
    child.on(input === null ? 'close' : 'exit', (code) => resolve(code === 0 ? text : null));
  });
}

/** The system's clipboard by xclip, wl-clipboard or pbcopy; without these, a clipboard of this app alone. */
export const clipboard = sayGaps(
  {
    async writeText(text: string): Promise<void> {
      memory = text;
      const found = tool();
      if (found !== null) await run(found.writer, text);
    },
    async readText(): Promise<string> {
      const found = tool();
      if (found === null) return memory;
      return (await run(found.reader, null)) ?? '';
    },
    clear(): void {
      void clipboard.writeText('');
    },
    has: async (mimetype: string): Promise<boolean> => mimetype === 'text/plain' && (await clipboard.readText()) !== '',
  } satisfies Pick<Electron.Clipboard, 'writeText' | 'readText' | 'clear' | 'has'>,
  'clipboard',
);
