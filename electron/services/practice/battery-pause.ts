import type { SettingsStore } from '../settings/settings-store.ts';

/** What the computer runs on. */
export interface PowerSource {
  isOnBattery(): boolean;
  onChanged(listener: () => void): void;
}

/**
 * Whether recognition on this computer waits because it runs on its battery and the user wants that. `apply` gets every
 * change, and the state at the beginning.
 */
export function createBatteryPause(
  settings: SettingsStore,
  power: PowerSource | null,
  apply: (isPaused: boolean) => void,
): { readonly isPaused: () => boolean } {
  const isPaused = (): boolean => settings.get().pausesOnBattery && power?.isOnBattery() === true;
  let last = false;
  const look = (): void => {
    if (isPaused() === last) return;
    last = !last;
    apply(last);
  };
  settings.onChanged(look);
  power?.onChanged(look);
  look();
  return { isPaused };
}
