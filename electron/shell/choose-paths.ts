import { recordingExtensions } from '../../shared/domain/media/sniff.ts';
import { access } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { app, dialog, shell, type BrowserWindow, type OpenDialogOptions, type SaveDialogOptions } from 'electron';

import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';

export async function choosePaths(
  window: BrowserWindow | undefined,
  options: OpenDialogOptions,
): Promise<readonly string[]> {
  const chosen =
    window === undefined ? await dialog.showOpenDialog(options) : await dialog.showOpenDialog(window, options);
  return chosen.canceled ? [] : chosen.filePaths;
}

/** Where a file was last saved: not every system's dialog remembers it. */
let lastFolder: string | null = null;

/** Suggested where a file was last saved, and at first in the user's documents. */
export async function chooseSavePath(
  window: BrowserWindow | undefined,
  { defaultPath, ...rest }: SaveDialogOptions & { readonly defaultPath: string },
): Promise<string | null> {
  const suggested = isAbsolute(defaultPath) ? defaultPath : join(lastFolder ?? app.getPath('documents'), defaultPath);
  const options = { ...rest, defaultPath: suggested };
  const chosen =
    window === undefined ? await dialog.showSaveDialog(options) : await dialog.showSaveDialog(window, options);
  if (chosen.canceled || chosen.filePath === '') return null;
  lastFolder = dirname(chosen.filePath);
  return chosen.filePath;
}

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

/** Opens the system's file manager at a recording; file-unreadable when it is no longer there. */
export async function showRecording(path: string): Promise<Result<Record<string, never>>> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (!isThere) return err(makeFailure('file-unreadable', { code: 'file_missing', params: { name: basename(path) } }));
  shell.showItemInFolder(path);
  return ok({});
}
