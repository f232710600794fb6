import electron, { clipboard } from 'electron';
import type { WholeClipboard } from '../../services/dictation/deliver-text.ts';

/** The system's clipboard with every kind of content that it holds: text, formatted text, pictures, files. */
export const wholeClipboard: WholeClipboard = {
  save: async () => {
    const items = await clipboard.read();
    // What is read now is there for sure when it is written back.
    return Promise.all(
      items.map(async (item) => {
        const kinds = await Promise.all(item.types.map(async (type) => [type, await item.getType(type)] as const));
        return new electron.ClipboardItem(Object.fromEntries(kinds));
      }),
    );
  },
  writeText: (text) => clipboard.writeText(text),
  holds: async (text) => (await clipboard.readText()) === text,
  restore: async (saved) => {
    const items = saved as Electron.ClipboardItem[];
    if (items.length === 0) clipboard.clear();
    else await clipboard.write(items);
  },
};
