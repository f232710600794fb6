import type Electron from 'electron';
import type { WholeClipboard } from '../../services/dictation/deliver-text.ts';

/** By this format, and this value of it, programs that keep a history of the clipboard know what to leave out. */
const notForHistory = {
  'electron application/osclipboard;format="x-kde-passwordManagerHint"': 'secret',
} as const;

type Parts = Pick<typeof Electron, 'clipboard' | 'ClipboardItem'>;

export function wholeClipboard({ clipboard, ClipboardItem }: Parts): WholeClipboard {
  return {
    save: async () => {
      const items = await clipboard.read();
      // Everything is read now, so that it can be written back completely.
      return Promise.all(
        items.map(async (item) => {
          const kinds = await Promise.all(item.types.map(async (type) => [type, await item.getType(type)] as const));
          return new ClipboardItem(Object.fromEntries(kinds));
        }),
      );
    },
    writeText: (text) => clipboard.write([new ClipboardItem({ 'text/plain': text, ...notForHistory })]),
    holds: async (text) => (await clipboard.readText()) === text,
    restore: async (saved) => {
      const items = saved as Electron.ClipboardItem[];
      if (items.length === 0) clipboard.clear();
      else await clipboard.write(items);
    },
  };
}
