import { isAbsolute } from 'node:path';
import type { z } from 'zod';
import { defaultSettings, storedSettings, type StoredSettings } from '../../../shared/domain/settings/settings.ts';
import { migrateSettings, settingsVersion } from './settings-migrations.ts';

export { defaultSettings };

/** A folder must be absolute, so that it does not depend on where the app was started. */
const isPlace = (folder: string | null) => folder === null || isAbsolute(folder);

function fieldShapes(): Readonly<Record<string, z.ZodType>> {
  const { shape } = storedSettings();
  return {
    ...shape,
    copyFolder: shape.copyFolder.refine(isPlace),
    exportFolder: shape.exportFolder.refine(isPlace),
    watchFolder: shape.watchFolder.refine(isPlace),
  };
}

/** Size limit of a settings file; a larger one counts as damaged. */
export const maxSettingsBytes = 256 * 1024;

/**
 * The value of a choice that was made and can't be read any more: nothing is written that the user may have refused,
 * every charge is confirmed, no shortcut acts by itself, and no file is overwritten.
 */
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
  /** The version to write into the file. */
  readonly version: number;
  /** The file has an older version: what was read should be written back with the new number. */
  readonly isLegacy: boolean;
  /** A file existed and could not be used; it should be set aside and reported (E-186). */
  readonly isDamaged: boolean;
}

/**
 * Reads the text of a settings file of this version or an older one. Unknown fields are kept for a newer version; a
 * field of the wrong type falls back to its default, or to the strict value where there is one.
 */
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
  return { settings: settings as unknown as StoredSettings, version, isLegacy, isDamaged };
}
