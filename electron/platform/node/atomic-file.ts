import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { writeFailure } from './storage-failure.ts';

/**
 * Puts a whole file in place of what was there, or leaves everything as it was: written beside the target under a
 * random name, made durable, renamed, and the folder made durable too (S-39). `mode` is that of the new file.
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
      await file.chmod(mode);
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

/** Names are at most 255 bytes long: the random part must fit too. */
const shortName = (path: string): string => Buffer.from(basename(path)).subarray(0, 100).toString('hex').slice(0, 24);

/** Without this a rename may be forgotten in a power cut. Windows has no such call and needs none. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** As above, for what must be done before the next line: settings are written by a library that leaves this out. */
export function syncFolderNow(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
