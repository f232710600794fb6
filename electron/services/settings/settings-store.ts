import type { StoredSettings } from '../../../shared/domain/settings/settings.ts';

export type { StoredSettings };

/** Settings on disk. A broken file is kept aside and told of (`wasReset`); reading never throws. */
export interface SettingsStore {
  readonly wasReset: boolean;
  /** What is in force now; the same object until something changes. */
  get(): StoredSettings;
  /** Stores the given fields and tells who listens; answers what is in force then. */
  update(change: Partial<StoredSettings>): StoredSettings;
  /** Called after each change; the answer ends it. */
  onChanged(listener: (settings: StoredSettings) => void): () => void;
}
