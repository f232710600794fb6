import type { CopyCollision } from '../../../shared/domain/exports/copy-name.ts';
import type { ExporterId } from '../../../shared/domain/exports/exporters.ts';
import type { InterfaceLanguage, SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { ProxyChoice } from '../../../shared/domain/network/proxy.ts';
import type { SpendLimitMinutes, SpentEntry } from '../../../shared/domain/spend/spend-limit.ts';
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
  /** `high`: stronger lines and text than the system asks for. */
  readonly contrast: 'system' | 'high';
  /** A short sound when all work is done and when some of it failed. */
  readonly playsSounds: boolean;
  /** Whether keys without Ctrl, Alt or ⌘ run actions. */
  readonly usesLetterKeys: boolean;
  /** Of people's words, in CSS pixels, 14 to 24. */
  readonly transcriptSize: number;
  readonly transcriptTypeface: 'serif' | 'sans';
  readonly transcriptScript: TranscriptScript;
  /** Whether the app writes a log of what it did (S-08). */
  readonly keepsLog: boolean;
  readonly notifiesWhenDone: boolean;
  readonly keepsAwake: boolean;
  readonly savesCopies: boolean;
  readonly copyFormats: readonly ExporterId[];
  readonly copyTemplate: string;
  readonly copyCollision: CopyCollision;
  /** Main's own: pages know the last part of it only. */
  readonly copyFolder: string | null;
  /** Copies are made of what was finished after this; Unix milliseconds. */
  readonly copiesSinceMs: number;
  /** Main's own as well; null: nothing is watched. */
  readonly watchFolder: string | null;
  readonly proxy: ProxyChoice;
  /** Above how many minutes of work in an hour a person is asked before it is sent (S-15). */
  readonly spendLimitMinutes: SpendLimitMinutes;
  /** What was let through lately; main's own, so that a restart does not begin a new hour. */
  readonly spentLately: readonly SpentEntry[];
  readonly shortcuts: Readonly<Record<string, string | null>>;
  readonly interfaceZoom: number;
  readonly isRailOpen: boolean;
  readonly isInspectorOpen: boolean;
  /** In CSS pixels; null: as wide as the window suggests. */
  readonly inspectorWidth: number | null;
  readonly recentActions: readonly string[];
  /** Set when a key was put into the keychain: then an empty answer means "locked", not "first run". */
  readonly keySaved: boolean;
  /** The same for the key of the older generation. */
  readonly olderKeySaved: boolean;
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
  /** What is in force now; the same object until something changes. */
  get(): StoredSettings;
  /** Stores the given fields and tells who listens; answers what is in force then. */
  update(change: Partial<StoredSettings>): StoredSettings;
  /** Called after each change; the answer ends it. */
  onChanged(listener: (settings: StoredSettings) => void): () => void;
}
