import { net } from 'electron';
import type { NetworkStatus } from '../../services/connection/network-status.ts';
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
