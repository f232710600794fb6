import electron, { net, session, powerMonitor, clipboard } from 'electron';
import type { NetworkStatus, WakeSource } from '../../services/connection/wake-watch.ts';
import { watchAddresses } from '../node/own-addresses.ts';
import type { WholeClipboard } from '../../services/dictation/deliver-text.ts';

/** Electron tells of the network only when asked, so it is asked now and then. `stop` ends that. */
export function watchNetwork(everyMs = 3000): NetworkStatus & { stop(): void } {
  const listeners = new Set<() => void>();
  const addresses = watchAddresses();
  let isOnline = net.isOnline();
  const timer = setInterval(() => {
    const now = net.isOnline();
    const hasMoved = addresses.haveChanged();
    if (now === isOnline && !hasMoved) return;
    isOnline = now;
    for (const listener of listeners) listener();
  }, everyMs);
  timer.unref();
  return {
    isOnline: () => isOnline,
    addresses: () => addresses.current(),
    onChanged(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    stop: () => clearInterval(timer),
  };
}

/** Takes away what the browser part keeps for our pages. The pages that are open go on. */
export async function clearBrowserData(): Promise<void> {
  await session.defaultSession.clearStorageData();
  await session.defaultSession.clearCache();
}

/** What the system, or the script of its network, says of an address. */
export const systemProxy = async (url: URL): Promise<string> => session.defaultSession.resolveProxy(url.href);

/** What the system itself tells of waking up. */
export const systemWakes: WakeSource = (listener) => {
  powerMonitor.on('resume', listener);
  return () => void powerMonitor.off('resume', listener);
};

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
