import { dirname } from 'node:path';
import { changeChoices } from '../../../shared/domain/exports/exporters.ts';
import type { ExportFormat } from '../../../shared/domain/exports/formats.ts';
import type { GivenOptions } from '../../../shared/domain/exports/options.ts';
import { mostRecentExports } from '../../../shared/domain/settings/settings.ts';
import type { SettingsStore } from '../settings/settings-store.ts';

/** Remembers format, options and place, so that the next export starts from them. */
export function rememberExport(
  settings: Pick<SettingsStore, 'get' | 'update'>,
  path: string,
  { format, options }: { readonly format: ExportFormat; readonly options: GivenOptions },
): void {
  // The chosen part and the second text belong to one recording, so they are not remembered.
  const { second, fromMs: _from, toMs: _to, ...lasting } = options;
  const kept = second === 'letters' ? { ...lasting, second } : lasting;
  const { exportChoices, recentExports } = settings.get();
  const folder = dirname(path);
  const others = recentExports.filter((made) => made.format !== format || made.folder !== folder);
  settings.update({
    exportFolder: folder,
    lastExportFormat: format,
    exportChoices: changeChoices({ ...exportChoices, [format]: {} }, format, kept),
    recentExports: [{ format, options: kept, folder }, ...others].slice(0, mostRecentExports),
  });
}
