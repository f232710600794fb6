import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserWindow } from 'electron';
import { exporters } from '../../../shared/domain/exports/exporters.ts';
import type { ExportFormat } from '../../../shared/domain/exports/formats.ts';
import { distinctFileName, foldedName } from '../../../shared/domain/exports/safe-file-name.ts';
import type { StoredSettings } from '../../../shared/domain/settings/settings.ts';
import { dialogWords } from '../words.ts';
import { chooseSavePath } from './choose-paths.ts';

/** What the system knows a file by: the last part, without its full stop. */
const fileExtension = (format: ExportFormat): string => exporters[format].extension.split('.').at(-1) ?? format;

/** The person says it, it is that of the last export, or that of an earlier one by its place among the recent. */
type ExportPlace = 'ask' | 'last' | { readonly recent: number };

/** Where a file goes: the person says it, or the folder of the last export takes it under a free name. */
export async function placeForExport(
  { exportFolder, recentExports, interfaceLanguage }: StoredSettings,
  window: BrowserWindow | undefined,
  name: string,
  format: ExportFormat,
  place: ExportPlace,
): Promise<string | null> {
  const folder = typeof place === 'object' ? (recentExports[place.recent]?.folder ?? exportFolder) : exportFolder;
  if (place !== 'ask' && folder !== null) {
    const names = await readdir(folder).catch(() => null);
    const { extension } = exporters[format];
    const taken = new Set(names?.map(foldedName));
    if (names !== null) return join(folder, distinctFileName(name.slice(0, -extension.length), extension, taken));
  }
  return chooseSavePath(window, {
    title: dialogWords(interfaceLanguage)('files.saveTranscript'),
    defaultPath: folder === null ? name : join(folder, name),
    filters: [{ name: format.toUpperCase(), extensions: [fileExtension(format)] }],
  });
}
