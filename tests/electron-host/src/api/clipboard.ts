import { spawn } from 'node:child_process';
import { findOnPath } from '../find-browser.ts';
import type Electron from 'electron';
import { host } from '../state.ts';
import { sayGaps, warnOnce } from '../unsupported.ts';

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

function run([program, ...args]: Tool['writer'], input: string | Uint8Array | null): Promise<Buffer | null> {
  return new Promise((resolve) => {
    // xclip stays behind to serve the selection, so its output must not be waited for.
    const child = spawn(program, args, {
      stdio: [input === null ? 'ignore' : 'pipe', input === null ? 'pipe' : 'ignore', 'ignore'],
    });
    const parts: Buffer[] = [];
    child.stdout?.on('data', (part: Buffer) => void parts.push(part));
    child.stdin?.on('error', () => {}).end(input ?? '');
    child.on('error', () => resolve(null));
    child.on(input === null ? 'close' : 'exit', (code) => resolve(code === 0 ? Buffer.concat(parts) : null));
  });
}

type Payloads = ConstructorParameters<typeof Electron.ClipboardItem>[0];

export class ClipboardItem implements Electron.ClipboardItem {
  readonly #payloads: Payloads;
  constructor(payloads: Payloads) {
    this.#payloads = payloads;
  }
  get types(): string[] {
    return Object.keys(this.#payloads);
  }
  async getType(type: string): Promise<never> {
    const payload = await this.#payloads[type];
    if (payload === undefined) throw new Error(`There is no ${type}.`);
    return (typeof payload === 'string' ? new Blob([payload], { type }) : payload) as never;
  }
}

const textTypes = ['UTF8_STRING', 'STRING', 'TEXT'];
/** What the X server answers about a selection, and what is no content. */
const isContent = (target: string): boolean => target.includes('/') && !target.startsWith('text/plain');

/** The system's clipboard by xclip, wl-clipboard or pbcopy; without a screen, a clipboard of this app alone. */
export const clipboard = sayGaps(
  {
    async writeText(text: string): Promise<void> {
      memory = text;
      const found = tool();
      if (found !== null) await run(found.writer, text);
      else if (!host.headless)
        warnOnce('clipboard.writeText', 'reaches no other program without xclip or wl-clipboard');
    },
    async readText(): Promise<string> {
      const found = tool();
      // Where nobody else could paste it, it was not copied.
      if (found === null) return host.headless ? memory : '';
      return (await run(found.reader, null))?.toString('utf8') ?? '';
    },
    async read(): Promise<ClipboardItem[]> {
      const found = tool();
      if (found?.reader[0] !== 'xclip') {
        const text = await clipboard.readText();
        return text === '' ? [] : [new ClipboardItem({ 'text/plain': text })];
      }
      const targets = (await run([...found.reader, '-t', 'TARGETS'], null))?.toString('utf8').split('\n') ?? [];
      const payloads: Payloads = {};
      for (const type of targets.filter(isContent)) {
        // oxlint-disable-next-line no-await-in-loop -- one owner answers one question after another
        const bytes = await run([...found.reader, '-t', type], null);
        if (bytes !== null) payloads[type] = new Blob([new Uint8Array(bytes)], { type });
      }
      if (targets.some((target) => textTypes.includes(target)) && payloads['text/uri-list'] === undefined)
        payloads['text/plain'] = await clipboard.readText();
      return Object.keys(payloads).length === 0 ? [] : [new ClipboardItem(payloads)];
    },
    async write([item]: Electron.ClipboardItem[]): Promise<void> {
      if (item === undefined) return;
      const [first = ''] = item.types;
      const type = item.types.includes('text/plain') ? 'text/plain' : first;
      // xclip serves one format.
      if (item.types.length > 1) warnOnce('ClipboardItem', `keeps only its ${type} here`);
      const bytes = new Uint8Array(await (await item.getType<'text/plain'>(type as 'text/plain')).arrayBuffer());
      const found = tool();
      if (type === 'text/plain') await clipboard.writeText(Buffer.from(bytes).toString('utf8'));
      else if (found?.writer[0] === 'xclip') await run([...found.writer, '-t', type], bytes);
      else warnOnce('clipboard.write', `takes only text here, not ${type}`);
    },
    clear(): void {
      void clipboard.writeText('');
    },
    has: async (mimetype: string): Promise<boolean> => mimetype === 'text/plain' && (await clipboard.readText()) !== '',
  } satisfies Pick<Electron.Clipboard, 'writeText' | 'readText' | 'read' | 'write' | 'clear' | 'has'>,
  'clipboard',
);
