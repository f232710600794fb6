import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { chromium } from '@playwright/test';
import type Electron from 'electron';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { wholeClipboard } from '../../electron/platform/electron/whole-clipboard.ts';
import { openX11Target } from '../../electron/platform/node/x11-target.ts';
import {
  createDelivery,
  type Delivery,
  type TargetWindow,
  type TextTarget,
  type WholeClipboard,
} from '../../electron/services/dictation/deliver-text.ts';
import { clipboard as hostClipboard, ClipboardItem } from '../electron-host/src/api/clipboard.ts';
import { findBrowser } from '../electron-host/src/find-browser.ts';

const display = ':93';
const env = { ...process.env, DISPLAY: display };
const run = promisify(execFile);
const isThere = (program: string): boolean => {
  try {
    execFileSync('which', [program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
const canRun = ['Xvfb', 'xdotool', 'xclip', 'zenity', 'setxkbmap', 'xprop'].every(isThere);

/** What the user has copied: a process of its own provides it, as for any program. */
async function hold(content: string | Buffer, type = 'UTF8_STRING', selection = 'clipboard'): Promise<void> {
  const child = spawn('xclip', ['-verbose', '-selection', selection, '-t', type, '-i'], {
    env,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  child.stdin.end(content);
  reads = 0;
  let told = '';
  await new Promise<void>((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      told += part;
      // It prints which reader it waits for, the first before any.
      const waits = told.match(/request number \d+/g)?.length ?? 0;
      if (waits > 0) resolve();
      reads = Math.max(0, waits - 1);
    });
  });
  holders.push(child);
}
/** How often the present content was read. */
let reads = 0;
const holders: ChildProcess[] = [];
const held = async (type: string, selection = 'clipboard'): Promise<Buffer> =>
  (await run('xclip', ['-selection', selection, '-o', '-t', type], { env, encoding: 'buffer' })).stdout;
/** The app's clipboard; only its own text is provided in a way that tells when it was read. */
const clipboard: WholeClipboard = {
  ...wholeClipboard({ clipboard: hostClipboard, ClipboardItem } as unknown as typeof Electron),
  writeText: (text) => hold(text),
};
/** The text that was marked last. */
const selection: WholeClipboard = {
  save: async () => (await held('UTF8_STRING', 'primary')).toString(),
  writeText: (text) => hold(text, 'UTF8_STRING', 'primary'),
  holds: async (text) => (await selection.save()) === text,
  restore: (saved) => selection.writeText(String(saved)),
};
/** A busy program reads the clipboard late; the former content is restored after that. */
const untilRead = async () => {
  await expect.poll(() => reads, { timeout: 20_000 }).toBeGreaterThan(0);
  // The first question is for the formats.
  await wait(150);
};
const focused = async () => (await run('xdotool', ['getwindowfocus'], { env })).stdout.trim();
/** A window that opens may be replaced by another of its program. */
async function focus(className: string): Promise<void> {
  const tryOnce = async (): Promise<boolean> => {
    const found = await run('xdotool', ['search', '--sync', '--onlyvisible', '--class', className], { env });
    const id = found.stdout.trim().split('\n').at(-1) ?? '';
    await run('xdotool', ['windowfocus', id], { env });
    return (await focused()) === id;
  };
  await expect.poll(() => tryOnce().catch(() => false), { timeout: 20_000 }).toBe(true);
}
/** Delivers a text into the window in front. */
async function deliver(text: string): Promise<Delivery> {
  const target = await openX11Target(display);
  if (target === null) throw new Error('xdotool is not there');
  const startedIn = await target.current();
  return createDelivery({ target, clipboard, selection, wait: untilRead }).deliver(text, startedIn, 'keep');
}

const texts = {
  us: 'Hello, world; what is it?',
  ru: 'Отправьте, пожалуйста, акт сверки до пятницы. «Да»',
  uz: 'Yigʻilish ertaga soat oʻnda, hujjatlarni olib keling. Ўзбекча ғ.',
} as const;
const layouts = ['us', 'ru', 'uz'] as const;
/** A picture, files and a text: whatever was copied is there again. */
const copied = {
  us: { type: 'image/png', content: readFileSync(new URL('../../assets/icons/linux/128x128.png', import.meta.url)) },
  ru: { type: 'text/uri-list', content: Buffer.from('file:///home/a/Akt%20sverki.pdf\r\nfile:///home/a/b.docx\r\n') },
  uz: { type: 'UTF8_STRING', content: Buffer.from('what the person had copied') },
} as const;

describe.runIf(canRun)('text in a real window of X11', () => {
  let server: ChildProcess;
  beforeAll(async () => {
    vi.stubEnv('DISPLAY', display);
    vi.stubEnv('WAYLAND_DISPLAY', undefined);
    server = spawn('Xvfb', [display, '-noreset', '-screen', '0', '800x600x24'], { stdio: 'ignore' });
    for (let left = 100; left > 0; left -= 1) {
      if (
        await run('xdotool', ['getdisplaygeometry'], { env }).then(
          () => true,
          () => false,
        )
      )
        return;
      await wait(50);
    }
  });
  afterAll(() => {
    for (const holder of holders) holder.kill();
    server.kill();
    vi.unstubAllEnvs();
  });

  it.each(layouts)('with the layout %s is the spoken text, and the clipboard is as before', async (layout) => {
    const { type, content } = copied[layout];
    await run('setxkbmap', [layout], { env });
    await hold(content, type);
    const window = spawn('zenity', ['--entry', '--text=x'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    let typed = '';
    window.stdout.setEncoding('utf8').on('data', (part: string) => (typed += part));
    const ended = new Promise((resolve) => window.once('exit', resolve));
    await focus('zenity');
    expect((await deliver(texts[layout])).kind).toBe('pasted');
    expect((await held(type)).equals(content)).toBe(true);
    await run('xdotool', ['key', 'Return'], { env });
    await ended;
    expect(typed.trim()).toBe(texts[layout]);
  });

  it.each(layouts)('with the layout %s it is in a browser’s field', { tags: ['long'] }, async (layout) => {
    const executablePath = findBrowser();
    if (executablePath === null) throw new Error('there is no browser');
    const browser = await chromium.launch({ executablePath, headless: false, env, args: ['--ozone-platform=x11'] });
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    await page.setContent('<textarea autofocus></textarea>');
    await run('setxkbmap', [layout], { env });
    await hold(copied.us.content, copied.us.type);
    await focus('chromium');
    await page.locator('textarea').focus();
    expect((await deliver(texts[layout])).kind).toBe('pasted');
    await expect.poll(() => page.locator('textarea').inputValue()).toBe(texts[layout]);
    expect((await held(copied.us.type)).equals(copied.us.content)).toBe(true);
  });

  it.runIf(isThere('xterm')).each(layouts)(
    'with the layout %s it is in a terminal that pastes what was marked, which is as before too',
    { tags: ['long'] },
    async (layout) => {
      await run('setxkbmap', [layout], { env });
      const out = join(mkdtempSync(join(tmpdir(), 'terminal-')), 'out');
      onTestFinished(() => rmSync(dirname(out), { recursive: true }));
      const shell = `read -r line; printf %s "$line" > ${out}.part; mv ${out}.part ${out}`;
      const window = spawn('xterm', ['-u8', '-e', 'sh', '-c', shell], {
        env: { ...env, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' },
        stdio: 'ignore',
      });
      onTestFinished(() => void window.kill());
      await hold(copied.us.content, copied.us.type);
      await selection.writeText('marked');
      await focus('xterm');
      expect((await deliver(texts[layout])).kind).toBe('pasted');
      expect(await selection.save()).toBe('marked');
      expect((await held(copied.us.type)).equals(copied.us.content)).toBe(true);
      await run('xdotool', ['key', 'Return'], { env });
      await expect.poll(() => existsSync(out), { timeout: 10_000 }).toBe(true);
      expect(readFileSync(out, 'utf8')).toBe(texts[layout]);
    },
  );
});

test('programs that keep a history of the clipboard are told to leave the dictated text out', async () => {
  const written: ClipboardItem[] = [];
  const board = { ...hostClipboard, write: async (items: ClipboardItem[]) => void written.push(...items) };
  await wholeClipboard({ clipboard: board, ClipboardItem } as unknown as typeof Electron).writeText('Salom');
  const [item] = written;
  const textOf = async (type: string) => ((await item?.getType(type)) as Blob | undefined)?.text();
  expect(await textOf('text/plain')).toBe('Salom');
  expect(await textOf('electron application/osclipboard;format="x-kde-passwordManagerHint"')).toBe('secret');
});

/** A fake desktop. */
function windows(front: TargetWindow | null, more: Partial<TextTarget> = {}) {
  const done: string[] = [];
  let held: unknown = 'before';
  const target: TextTarget = {
    current: async () => front,
    pastes: () => 'clipboard',
    activate: async ({ id }) => done.push(`activate ${id}`) > 0,
    paste: async ({ id }) => done.push(`paste ${String(held)} into ${id}`) > 0,
    type: async (text) => done.push(`type ${text}`) > 0,
    layout: async () => null,
    ...more,
  };
  const board: WholeClipboard = {
    save: async () => held,
    writeText: async (text) => void (held = text),
    holds: async (text) => held === text,
    restore: async (saved) => void (held = saved),
  };
  const copy = (value: unknown): void => void (held = value);
  return {
    done,
    held: () => held,
    copy,
    delivery: createDelivery({ target, clipboard: board, selection: board, wait: async () => undefined }),
  };
}
const telegram = { id: '1', name: 'Telegram' };
const word = { id: '2', name: 'Word' };

test('another window in front: the text is stored, goes back to where dictation began, or goes here, as the user chose', async () => {
  const kept = windows(word);
  expect(await kept.delivery.deliver('a', telegram, 'keep')).toEqual({ kind: 'kept', why: 'window-changed' });
  expect(kept.done).toEqual([]);
  expect(await kept.delivery.pasteLast()).toEqual({ kind: 'pasted', into: 'Word' });
  const back = windows(word);
  expect(await back.delivery.deliver('a', telegram, 'return')).toEqual({ kind: 'pasted', into: 'Telegram' });
  expect(back.done).toEqual(['activate 1', 'paste a into 1']);
  const gone = windows(word, { activate: async () => false });
  expect(await gone.delivery.deliver('a', telegram, 'return')).toEqual({ kind: 'kept', why: 'window-changed' });
  expect(await windows(word).delivery.deliver('a', telegram, 'here')).toEqual({ kind: 'pasted', into: 'Word' });
});

test('two takes in a row leave the clipboard as it was; what was copied meanwhile stays', async () => {
  const both = windows(telegram);
  await Promise.all([both.delivery.deliver('a', telegram, 'keep'), both.delivery.deliver('b', telegram, 'keep')]);
  expect(both.done).toEqual(['paste a into 1', 'paste b into 1']);
  expect(both.held()).toBe('before');
  const own = windows(telegram, { paste: async () => (own.copy('copied by hand'), true) });
  await own.delivery.deliver('a', telegram, 'keep');
  expect(own.held()).toBe('copied by hand');
});

test('a program that accepts no paste is typed into, and undelivered text is stored', async () => {
  const typing = windows(telegram, { paste: async () => false });
  expect(await typing.delivery.deliver('a', telegram, 'keep')).toEqual({ kind: 'typed', into: 'Telegram' });
  const refusing = windows(telegram, { paste: async () => false, type: async () => false });
  expect(await refusing.delivery.deliver('a', telegram, 'keep')).toEqual({ kind: 'kept', why: 'refused' });
  expect(await windows(null).delivery.deliver('a', null, 'here')).toEqual({ kind: 'kept', why: 'no-window' });
});

test('a text that is only tried goes nowhere when another window came to the front before its turn', async () => {
  let isFocused = true;
  const busy = windows(telegram, { activate: async () => ((isFocused = false), true) });
  const first = busy.delivery.deliver('a', word, 'return');
  const tried = busy.delivery.tryPaste('b', () => isFocused);
  expect(await first).toEqual({ kind: 'pasted', into: 'Word' });
  expect(await tried).toEqual({ kind: 'kept', why: 'window-changed' });
  isFocused = true;
  expect(await busy.delivery.tryPaste('c', () => isFocused)).toEqual({ kind: 'pasted', into: 'Telegram' });
  expect(busy.done).toEqual(['paste a into 2', 'paste c into 1']);
});
