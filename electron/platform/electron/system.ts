import { net, session, powerMonitor } from 'electron';
import type { NetworkStatus, WakeSource } from '../../services/connection/wake-watch.ts';
import type { PowerSource } from '../../services/practice/battery-pause.ts';
import { watchAddresses } from '../node/own-addresses.ts';

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

/** What the computer runs on, as reported by the system. */
export const systemPower: PowerSource = {
  isOnBattery: () => powerMonitor.isOnBatteryPower(),
  onChanged(listener) {
    powerMonitor.on('on-battery', listener);
    powerMonitor.on('on-ac', listener);
  },
};
