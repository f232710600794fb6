import { isAbsolute } from 'node:path';
import type { z } from 'zod';
import { defaultSettings, storedSettings, type StoredSettings } from '../../../shared/domain/settings/settings.ts';

export type { StoredSettings };

/** Settings on disk. A broken file is set aside and reported (`wasReset`); reading never throws. */
export interface SettingsStore {
  readonly wasReset: boolean;
  get(): StoredSettings;
  update(change: Partial<StoredSettings>): StoredSettings;
  onChanged(listener: (settings: StoredSettings) => void): () => void;
}

/** Version 1 had no number; what it always did is stored as chosen. */
const toVersion2 = (fields: Fields): Fields => ({
  keepsLog: true,
  reducesMotion: false,
  transcriptSize: 17,
  ...fields,
});

/** Up to version 2 there was one folder at most. */
const toVersion3 = (fields: Fields): Fields => ({
  watchFolders: typeof fields['watchFolder'] === 'string' ? [fields['watchFolder']] : [],
  ...fields,
});

/** The step at index n migrates version n + 1 to version n + 2. A released step never changes. */
const steps: readonly ((fields: Fields) => Fields)[] = [toVersion2, toVersion3];

export const settingsVersion = steps.length + 1;

export { defaultSettings };

/** A folder must be absolute, so that it does not depend on where the app was started. */
const isPlace = (folder: string | null) => folder === null || isAbsolute(folder);

function fieldShapes(): Readonly<Record<string, z.ZodType>> {
  const { shape } = storedSettings();
  return {
    ...shape,
    copyFolder: shape.copyFolder.refine(isPlace),
    exportFolder: shape.exportFolder.refine(isPlace),
    watchFolders: shape.watchFolders.refine((folders) => folders.every(isPlace)),
  };
}

export const maxSettingsBytes = 256 * 1024;

/** What the user may have refused is not written, charges are confirmed, no file is overwritten. */
const strictSide: Partial<StoredSettings> = {
  keepsLog: false,
  storesNoTakes: true,
  spendLimitMinutes: 0,
  toolRights: 'ask',
  usesLetterKeys: false,
  copyCollision: 'number',
};

export interface ReadSettings {
  readonly settings: StoredSettings;
  readonly version: number;
  /** The file has an older version: what was read should be written back with the new number. */
  readonly isLegacy: boolean;
  /** A file existed and could not be used; it should be set aside and reported (settings-reset). */
  readonly isDamaged: boolean;
}

/** Unknown fields are kept for a newer version; a wrong one falls back to its default. */
export function readStoredSettings(text: string | null, defaults: StoredSettings = defaultSettings): ReadSettings {
  if (text === null) return { settings: defaults, version: settingsVersion, isLegacy: false, isDamaged: false };
  let json: unknown;
  try {
    json = text.length > maxSettingsBytes ? null : JSON.parse(text);
  } catch {
    json = null;
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return { settings: { ...defaults, ...strictSide }, version: settingsVersion, isLegacy: false, isDamaged: true };
  }
  const { fields, version, isLegacy, isDamaged: isNumberDamaged } = migrateSettings(json as Record<string, unknown>);
  const settings: Record<string, unknown> = { ...defaults };
  let isDamaged = isNumberDamaged;
  for (const [name, schema] of Object.entries(fieldShapes())) {
    if (!Object.hasOwn(fields, name)) continue;
    const parsed = schema.safeParse(fields[name]);
    if (parsed.success) settings[name] = parsed.data;
    else {
      isDamaged = true;
      if (name in strictSide) settings[name] = strictSide[name as keyof StoredSettings];
    }
  }
  return { settings: settings as StoredSettings, version, isLegacy, isDamaged };
}

type Fields = Readonly<Record<string, unknown>>;

function migrateSettings(found: Fields) {
  const { version: number = 1, ...fields } = found;
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 1) {
    return { fields, version: settingsVersion, isLegacy: false, isDamaged: true };
  }
  return {
    fields: steps.slice(number - 1).reduce((older, step) => step(older), fields as Fields),
    // Never lower than the one found, so that a newer app recognises its own file.
    version: Math.max(number, settingsVersion),
    isLegacy: number < settingsVersion,
    isDamaged: false,
  };
}
