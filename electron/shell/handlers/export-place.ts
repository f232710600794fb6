import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { BrowserWindow } from 'electron';
import { exporters } from '../../../shared/domain/exports/exporters.ts';
import type { ExportFormat } from '../../../shared/domain/exports/formats.ts';
import { distinctFileName, foldedName } from '../../../shared/domain/exports/safe-file-name.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { StoredSettings } from '../../../shared/domain/settings/settings.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { exportDisk } from '../../platform/node/export-disk.ts';
import { systemCode } from '../../platform/node/storage-failure.ts';
import { dialogWords } from '../words.ts';
import { folderName } from './app-handlers.ts';
import { chooseSavePath } from './choose-paths.ts';
import type { HandlerServices } from './handler-services.ts';

/** A file extension as the system knows it: the last part, without the dot. */
const fileExtension = (format: ExportFormat): string => exporters[format].extension.split('.').at(-1) ?? format;

/** The user chooses, or it is the place of the last export, or of an earlier one by its index in the recent list. */
type ExportPlace = 'ask' | 'last' | { readonly recent: number };

/** `taken`: the path of the file that has the wanted name already. */
interface FoundPlace {
  readonly path: string;
  readonly taken: string | null;
}

/**
 * The path of an exported file: chosen by the user, null if they cancelled, or a free name in the folder of an earlier
 * export. E-214 when there is no such folder any more, or it can't be read.
 */
export async function placeForExport(
  { exportFolder, recentExports, interfaceLanguage }: StoredSettings,
  window: BrowserWindow | undefined,
  name: string,
  format: ExportFormat,
  place: ExportPlace,
): Promise<Result<FoundPlace | null>> {
  const folder = typeof place === 'object' ? (recentExports[place.recent]?.folder ?? exportFolder) : exportFolder;
  const names = folder === null ? null : await readdir(folder).catch(() => null);
  if (place !== 'ask' && folder !== null) {
    if (names === null) return err(await folderFailure(folder));
    const { extension } = exporters[format];
    const free = distinctFileName(name.slice(0, -extension.length), extension, new Set(names.map(foldedName)));
    const other = names.find((one) => foldedName(one) === foldedName(name));
    return ok({ path: join(folder, free), taken: other === undefined ? null : join(folder, other) });
  }
  const path = await chooseSavePath(window, {
    title: dialogWords(interfaceLanguage)('files.saveTranscript'),
    defaultPath: folder === null || names === null ? name : join(folder, name),
    filters: [{ name: format.toUpperCase(), extensions: [fileExtension(format)] }],
  });
  return ok(path === null ? null : { path, taken: null });
}

/** Why nothing can be written into a folder. */
async function folderFailure(folder: string): Promise<Failure> {
  const isGone = await stat(folder).then(
    (found) => !found.isDirectory(),
    (error: unknown) => ['ENOENT', 'ENOTDIR'].includes(systemCode(error)),
  );
  const code = isGone ? 'export_folder_gone' : 'export_folder_not_writable';
  return makeFailure('E-214', { code, params: { name: folderName(folder) } });
}

/** The failure of an export to this path, with the name of what can't be written: the folder, or a file in it. */
export async function placeFailure(failure: Failure, path: string): Promise<Failure> {
  if (failure.row === 'E-175' && failure.code === 'disk_full')
    return makeFailure('E-175', { code: 'export_disk_full', params: { name: folderName(dirname(path)) } });
  if (failure.code !== 'export_not_writable') return failure;
  const isThere = (await stateOf(path)) !== null;
  return isThere
    ? makeFailure('E-214', { code: failure.code, params: { name: basename(path) } })
    : folderFailure(dirname(path));
}

interface OwnFile {
  readonly state: string;
  readonly transcriptId: string;
}

/**
 * The files exported since the app started, as it left them: a later export of the same transcript may replace these
 * and no others.
 */
const ownFiles = new Map<string, OwnFile>();

const stateOf = (path: string): Promise<string | null> =>
  stat(path, { bigint: true }).then(
    (file) => (file.isFile() ? [file.ino, file.size, file.mtimeNs].join(' ') : null),
    () => null,
  );

const noteOwnFile = async (path: string, transcriptId: string): Promise<void> => {
  const state = await stateOf(path);
  if (state !== null) ownFiles.set(path, { state, transcriptId });
};

/** False for the file of another transcript, and once anybody else has changed, moved or removed it. */
const isOwnFile = async (path: string, transcriptId: string): Promise<boolean> => {
  const own = ownFiles.get(path);
  return own?.transcriptId === transcriptId && own.state === (await stateOf(path));
};

/** What the page is told of a saved file. */
export async function savedPlace(
  fileTokens: HandlerServices['window']['fileTokens'],
  windowId: number,
  { path, taken }: FoundPlace,
  transcriptId: string,
) {
  await noteOwnFile(path, transcriptId);
  return {
    savedAs: basename(path),
    revealToken: fileTokens.issue(windowId, path),
    takenToken: taken !== null && (await isOwnFile(taken, transcriptId)) ? fileTokens.issue(windowId, taken) : null,
  };
}

/**
 * Moves an exported file to the path of an earlier one; E-213 when that is no longer as the app left it, or is another
 * transcript's.
 */
export async function replaceExport(from: string, to: string): Promise<Result<null>> {
  const own = ownFiles.get(from);
  if (own === undefined || !(await isOwnFile(to, own.transcriptId))) return err(makeFailure('E-213'));
  const moved = await exportDisk.move(from, to);
  if (!moved.ok) return moved;
  ownFiles.delete(from);
  await noteOwnFile(to, own.transcriptId);
  return ok(null);
}
