import { access } from 'node:fs/promises';
import { basename } from 'node:path';
import { dialog, shell, type BrowserWindow, type OpenDialogOptions, type SaveDialogOptions } from 'electron';

import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';

/** Recording types that the open dialog offers first; a chosen file is judged by content, whatever its name. */
export const recordingExtensions = [
  'wav',
  'mp3',
  'm4a',
  'mp4',
  'aac',
  'ogg',
  'oga',
  'opus',
  'webm',
  'flac',
  'mkv',
  'mov',
  'm4v',
  'avi',
  'ts',
  'mts',
  'amr',
  '3gp',
  'wma',
  'wmv',
  'asf',
];

/** Paths that the user chose in the system's dialog; none when it was cancelled. */
export async function choosePaths(
  window: BrowserWindow | undefined,
  options: OpenDialogOptions,
): Promise<readonly string[]> {
  const chosen =
    window === undefined ? await dialog.showOpenDialog(options) : await dialog.showOpenDialog(window, options);
  return chosen.canceled ? [] : chosen.filePaths;
}

/** The path at which the user wants to save a file, or null when the dialog was cancelled. */
export async function chooseSavePath(
  window: BrowserWindow | undefined,
  options: SaveDialogOptions,
): Promise<string | null> {
  const chosen =
    window === undefined ? await dialog.showSaveDialog(options) : await dialog.showSaveDialog(window, options);
  return chosen.canceled || chosen.filePath === '' ? null : chosen.filePath;
}

/** The one recording that the user chose, or null when the dialog was cancelled. */
export async function chooseRecording(
  window: BrowserWindow | undefined,
  words: { readonly title: string; readonly recordings: string; readonly allFiles: string },
): Promise<string | null> {
  const [path] = await choosePaths(window, {
    title: words.title,
    properties: ['openFile'],
    filters: [
      { name: words.recordings, extensions: recordingExtensions },
      { name: words.allFiles, extensions: ['*'] },
    ],
  });
  return path ?? null;
}

/** Opens the system's file manager at a recording; E-010 when it is no longer there. */
export async function showRecording(path: string): Promise<Result<Record<string, never>>> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (!isThere) return err(makeFailure('E-010', { code: 'file_missing', params: { name: basename(path) } }));
  shell.showItemInFolder(path);
  return ok({});
}
