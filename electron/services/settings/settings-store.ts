import type { InterfaceLanguage, SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { TranscriptScript } from '../../../shared/domain/transcript/in-script.ts';

/** Everything the settings file holds; the same shape as `settings` in `shared/ipc/schemas.ts`, plus what only main needs. */
export interface StoredSettings {
  readonly interfaceLanguage: InterfaceLanguage;
  readonly appearance: 'system' | 'light' | 'dark';
  readonly serviceAddress: string;
  readonly mode: 'unset' | 'service' | 'practice';
  readonly speechLanguage: SpeechLanguage;
  readonly includeSpeakers: boolean;
  /** Uploads that run at the same time, 1 to 8. */
  readonly uploadsAtOnce: number;
  /** Less motion than the system asks for; `false` follows the system. */
  readonly reducesMotion: boolean;
  /** Of people's words, in CSS pixels, 14 to 24. */
  readonly transcriptSize: number;
  /** Whether the app writes a log of what it did (S-08). */
  readonly transcriptScript: TranscriptScript;
  readonly keepsLog: boolean;
  readonly shortcuts: Readonly<Record<string, string | null>>;
  readonly interfaceZoom: number;
  readonly isRailOpen: boolean;
  readonly isInspectorOpen: boolean;
  readonly recentActions: readonly string[];
  /** Set when a key was put into the keychain: then an empty answer means "locked", not "first run" (T10). */
  readonly keySaved: boolean;
  readonly window: {
    readonly x?: number;
    readonly y?: number;
    readonly width: number;
    readonly height: number;
    readonly isMaximized: boolean;
  };
}

/** Settings on disk. A broken file is kept aside and told of (`wasReset`); reading never throws. */
export interface SettingsStore {
  readonly wasReset: boolean;
  get(): StoredSettings;
  update(change: Partial<StoredSettings>): StoredSettings;
  onChanged(listener: (settings: StoredSettings) => void): () => void;
}
