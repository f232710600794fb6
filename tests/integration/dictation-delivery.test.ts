import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { openX11Target } from '../../electron/platform/node/x11-target.ts';
import {
  createDelivery,
  type TargetWindow,
  type TextTarget,
  type WholeClipboard,
} from '../../electron/services/dictation/deliver-text.ts';

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
const canRun = ['Xvfb', 'xdotool', 'xclip', 'zenity', 'setxkbmap'].every(isThere);

/** The clipboard of the X server; a process of its own provides its content, as for any program. */
const clipboard: WholeClipboard = {
  save: async () =>
    (await run('xclip', ['-selection', 'clipboard', '-o'], { env }).catch(() => ({ stdout: '' }))).stdout,
  writeText: (text) => hold(text),
  holds: async (text) => (await clipboard.save()) === text,
  restore: (saved) => hold(String(saved)),
};
/** How often the present content was read. */
let reads = 0;
async function hold(text: string): Promise<void> {
  const child = spawn('xclip', ['-verbose', '-selection', 'clipboard', '-i'], {
    env,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  child.stdin.end(text);
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
const holders: ChildProcess[] = [];
/** A busy program reads the clipboard late; the former content is restored after that. */
const untilRead = () => expect.poll(() => reads, { timeout: 20_000 }).toBeGreaterThan(0);

describe.runIf(canRun)('text in a real window of X11', () => {
  let server: ChildProcess;
  beforeAll(async () => {
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
  });

  it.each([
    ['us', 'Hello, world; what is it?'],
    ['ru', 'Отправьте, пожалуйста, акт сверки до пятницы. «Да»'],
    ['uz', 'Yigʻilish ertaga soat oʻnda, hujjatlarni olib keling. Ўзбекча ғ.'],
  ])('with the layout %s is the spoken text, and the clipboard is as before', async (layout, text) => {
    await run('setxkbmap', [layout], { env });
    await hold('what the person had copied');
    const window = spawn('zenity', ['--entry', '--text=x'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    let typed = '';
    window.stdout.setEncoding('utf8').on('data', (part: string) => (typed += part));
    const ended = new Promise((resolve) => window.once('exit', resolve));
    const id = (await run('xdotool', ['search', '--sync', '--onlyvisible', '--class', 'zenity'], { env })).stdout
      .trim()
      .split('\n')
      .at(-1);
    await run('xdotool', ['windowfocus', '--sync', id ?? ''], { env });
    const focused = async () => (await run('xdotool', ['getwindowfocus'], { env })).stdout.trim();
    await expect.poll(focused, { timeout: 20_000 }).toBe(id);
    const target = await openX11Target(display);
    if (target === null) throw new Error('xdotool is not there');
    const startedIn = await target.current();
    const { deliver } = createDelivery({ target, clipboard, wait: untilRead });
    const delivered = await deliver(text, startedIn, 'keep');
    expect(delivered.kind).toBe('pasted');
    expect(await clipboard.save()).toBe('what the person had copied');
    await run('xdotool', ['key', 'Return'], { env });
    await ended;
    expect(typed.trim()).toBe(text);
  });
});

/** A fake desktop. */
function windows(front: TargetWindow | null, more: Partial<TextTarget> = {}) {
  const done: string[] = [];
  let held: unknown = 'before';
  const target: TextTarget = {
    current: async () => front,
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
    delivery: createDelivery({ target, clipboard: board, wait: async () => undefined }),
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
