import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { setPermissions } from './users-files.ts';
import { writeFailure } from './storage-failure.ts';

/**
 * Replaces a file as a whole or leaves everything unchanged: writes next to the target under a random name, flushes,
 * renames, and flushes the folder too (S-39). `mode` is that of the new file.
 */
export async function writeWholeFile(
  path: string,
  data: string | Uint8Array,
  mode: number,
): Promise<Result<null, Failure>> {
  const folder = dirname(path);
  const temporary = join(folder, `.${shortName(path)}.${randomBytes(6).toString('hex')}.part`);
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(data);
      await setPermissions(file, mode);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    await syncFolder(folder);
    return ok(null);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    return err(writeFailure(error));
  }
}

/** Names are at most 255 bytes long, and the random part must fit too. */
const shortName = (path: string): string => Buffer.from(basename(path)).subarray(0, 100).toString('hex').slice(0, 24);

/** Without this a rename may be lost in a power cut. Windows has no such call and needs none. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The synchronous version, for the settings: the library that writes them does not flush the folder. */
export function syncFolderNow(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
