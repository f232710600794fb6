import { dirname } from 'node:path';
import type { ExportFormat } from '../../../shared/domain/exports/formats.ts';
import type { GivenOptions } from '../../../shared/domain/exports/options.ts';
import { mostRecentExports } from '../../../shared/domain/settings/settings.ts';
import type { SettingsStore } from '../settings/settings-store.ts';

/** What is done once more is done like this and there. */
export function rememberExport(
  settings: Pick<SettingsStore, 'get' | 'update'>,
  path: string,
  { format, options }: { readonly format: ExportFormat; readonly options: GivenOptions },
): void {
  // A part of one recording is no part of the next, and its other text does not belong to the next either.
  const { second, fromMs: _from, toMs: _to, ...lasting } = options;
  const kept = second === 'letters' ? { ...lasting, second } : lasting;
  const { exportChoices, recentExports } = settings.get();
  const folder = dirname(path);
  const others = recentExports.filter((made) => made.format !== format || made.folder !== folder);
  settings.update({
    exportFolder: folder,
    lastExportFormat: format,
    exportChoices: { ...exportChoices, [format]: kept },
    recentExports: [{ format, options: kept, folder }, ...others].slice(0, mostRecentExports),
  });
}
