import electron, { net, session, powerMonitor, clipboard } from 'electron';
import type { NetworkStatus, WakeSource } from '../../services/connection/wake-watch.ts';
import { watchAddresses } from '../node/own-addresses.ts';
import type { WholeClipboard } from '../../services/dictation/deliver-text.ts';

/** Electron reports the network only on request, so it is polled. `stop` ends that. */
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

/** Clears what the browser part stores for our pages. Open pages go on. */
export async function clearBrowserData(): Promise<void> {
  await session.defaultSession.clearStorageData();
  await session.defaultSession.clearCache();
}

/** The proxy for an address according to the system or its network script. */
export const systemProxy = async (url: URL): Promise<string> => session.defaultSession.resolveProxy(url.href);

/** Wake-ups as reported by the system. */
export const systemWakes: WakeSource = (listener) => {
  powerMonitor.on('resume', listener);
  return () => void powerMonitor.off('resume', listener);
};

/** The system's clipboard with all its formats: text, rich text, pictures, files. */
export const wholeClipboard: WholeClipboard = {
  save: async () => {
    const items = await clipboard.read();
    // Everything is read now, so that it can be written back completely.
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
