import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserWindow } from 'electron';
import { exporters } from '../../../shared/domain/exports/exporters.ts';
import type { ExportFormat } from '../../../shared/domain/exports/formats.ts';
import { distinctFileName, foldedName } from '../../../shared/domain/exports/safe-file-name.ts';
import type { StoredSettings } from '../../../shared/domain/settings/settings.ts';
import { dialogWords } from '../words.ts';
import { chooseSavePath } from './choose-paths.ts';

/** A file extension as the system knows it: the last part, without the dot. */
const fileExtension = (format: ExportFormat): string => exporters[format].extension.split('.').at(-1) ?? format;

/** The user chooses, or it is the place of the last export, or of an earlier one by its index in the recent list. */
type ExportPlace = 'ask' | 'last' | { readonly recent: number };

/** The path of an exported file: chosen by the user, or a free name in the folder of the last export. */
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
