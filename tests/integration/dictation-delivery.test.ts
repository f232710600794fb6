import type Electron from 'electron';
import { expect, test } from 'vitest';
import { wholeClipboard } from '../../electron/platform/electron/whole-clipboard.ts';
import {
  createDelivery,
  type TargetWindow,
  type TextTarget,
  type WholeClipboard,
} from '../../electron/services/dictation/deliver-text.ts';
import { clipboard as hostClipboard, ClipboardItem } from '../electron-host/src/api/clipboard.ts';

test('programs that keep a history of the clipboard are told to leave the dictated text out', async () => {
  const written: ClipboardItem[] = [];
  const board = { ...hostClipboard, write: async (items: ClipboardItem[]) => void written.push(...items) };
  await wholeClipboard({ clipboard: board, ClipboardItem } as unknown as typeof Electron).writeText('Salom');
  const [item] = written;
  const textOf = async (type: string) => ((await item?.getType(type)) as Blob | undefined)?.text();
  expect(await textOf('text/plain')).toBe('Salom');
  expect(await textOf('electron application/osclipboard;format="x-kde-passwordManagerHint"')).toBe('secret');
});

/** A fake desktop, whose programs read the clipboard some time after they were told to paste. */
function windows(front: TargetWindow | null, more: Partial<TextTarget> = {}) {
  const done: string[] = [];
  const reads: (() => void)[] = [];
  let held: unknown = 'before';
  const target: TextTarget = {
    current: async () => front,
    pastes: () => 'clipboard',
    activate: async ({ id }) => done.push(`activate ${id}`) > 0,
    paste: async ({ id }) => reads.push(() => done.push(`paste ${String(held)} into ${id}`)) > 0,
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
    delivery: createDelivery({
      target,
      clipboard: board,
      selection: board,
      wait: async (ms) => (ms < 300 ? [] : reads.splice(0)).forEach((read) => read()),
    }),
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
