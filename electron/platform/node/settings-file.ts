import type { StoredSettings } from '../../services/settings/settings-store.ts';
import { chmodSync, copyFileSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { readStoredSettings, maxSettingsBytes, type ReadSettings } from '../../services/settings/stored-settings.ts';

/** The name without extension, as electron-store and conf expect it. */
export const settingsName = 'settings';

/**
 * Reads the settings file before the settings library does, because that would throw at a damaged one. A damaged file
 * is copied and removed, so that the run starts with the strict defaults (E-186).
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
