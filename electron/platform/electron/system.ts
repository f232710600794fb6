import type { SettingsStore } from '../../services/settings/stored-settings.ts';
import { net, session, powerMonitor } from 'electron';
import type { NetworkStatus, WakeSource } from '../../services/connection/wake-watch.ts';
import type { PowerSource } from '../../services/practice/practice-supervisor.ts';
import { networkInterfaces } from 'node:os';
import ElectronStore from 'electron-store';
import {
  createSettingsStore,
  settingsFileOptions,
  settingsName,
  type SettingsStoreOptions,
} from '../node/settings-conf.ts';

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

export const systemProxy = async (url: URL): Promise<string> => session.defaultSession.resolveProxy(url.href);

export const systemWakes: WakeSource = (listener) => {
  powerMonitor.on('resume', listener);
  return () => void powerMonitor.off('resume', listener);
};

export const systemPower: PowerSource = {
  isOnBattery: () => powerMonitor.isOnBatteryPower(),
  onChanged(listener) {
    powerMonitor.on('on-battery', listener);
    powerMonitor.on('on-ac', listener);
  },
};

export interface OwnAddresses {
  current(): ReadonlySet<string>;
  haveChanged(): boolean;
}

/** Every interface that is up, including loopback; read from the system each time. */
export function watchAddresses(): OwnAddresses {
  const current = (): ReadonlySet<string> =>
    new Set(Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []));
  let last = current();
  return {
    current,
    haveChanged() {
      const now = current();
      const isSame = now.size === last.size && now.isSubsetOf(last);
      last = now;
      return !isSame;
    },
  };
}

export const openSettings = (options: SettingsStoreOptions): SettingsStore =>
  createSettingsStore(
    options,
    () => new ElectronStore({ cwd: options.folder, name: settingsName, ...settingsFileOptions }),
  );
