import type { StoredSettings } from '../../../shared/domain/settings/settings.ts';

export type { StoredSettings };

/** Settings on disk. A broken file is set aside and reported (`wasReset`); reading never throws. */
export interface SettingsStore {
  readonly wasReset: boolean;
  /** The current settings; the same object until something changes. */
  get(): StoredSettings;
  /** Stores the given fields and notifies listeners; returns the settings then in effect. */
  update(change: Partial<StoredSettings>): StoredSettings;
  /** Called after each change; the returned function unsubscribes. */
  onChanged(listener: (settings: StoredSettings) => void): () => void;
}
