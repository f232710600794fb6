import { net, session, powerMonitor } from 'electron';
import type { NetworkStatus, WakeSource } from '../../services/connection/wake-watch.ts';
import { watchAddresses } from '../node/own-addresses.ts';

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
