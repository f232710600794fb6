import type { StoredSettings } from '../../services/settings/settings-store.ts';
import { chmodSync, copyFileSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { readStoredSettings, maxSettingsBytes, type ReadSettings } from '../../services/settings/stored-settings.ts';

/** The name without ending, as electron-store and conf want it. */
export const settingsName = 'settings';

/**
 * Reads the settings file before a library does, because a library would throw at a damaged one. Damaged: a copy is
 * kept beside it and the file is taken away, so that the run starts from the strict defaults (E-186).
 */
export function openSettingsFile(path: string, nowMs: number, defaults: StoredSettings): ReadSettings {
  const read = readStoredSettings(readText(path), defaults);
  if (read.isDamaged) {
    const aside = `${path}.damaged-${nowMs}`;
    copyFileSync(path, aside);
    chmodSync(aside, 0o600);
    rmSync(path);
  }
  return read;
}

function readText(path: string): string | null {
  if (!existsSync(path)) return null;
  return statSync(path).size > maxSettingsBytes ? '' : readFileSync(path, 'utf8');
}
