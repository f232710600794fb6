import { randomBytes } from 'node:crypto';
import { constants, closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { copyFile, link, lstat, mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { safeFileName } from '../../../shared/domain/exports/safe-file-name.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { asUsersFile, setPermissions } from './users-files.ts';
import { systemCode, writeFailure } from './storage-failure.ts';

/** File systems without hard links answer with one of these. */
const hasNoLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EMLINK', 'EACCES', 'EINVAL']);

/** An unused name next to the target for an unfinished file; it shows that the file is ours. */
export const unfinishedBeside = (target: string): string =>
  join(dirname(target), `.ovoz-${process.pid}-${randomBytes(6).toString('hex')}${extname(target)}`);

/** Creates an unfinished file, never through a link that somebody placed under its name. */
export async function openUnfinished(target: string): Promise<{ readonly path: string; readonly file: FileHandle }> {
  const path = unfinishedBeside(target);
  return { path, file: await open(path, 'wx', 0o600) };
}

/** Deletes what killed runs left in a folder. The first group of the pattern of its name is the process it was of. */
export async function sweep(folder: string, left = /^\.ovoz-(\d{1,10})-[0-9a-f]{12}\./): Promise<void> {
  for (const name of await readdir(folder)) {
    const owner = left.exec(name)?.[1];
    if (owner !== undefined && !isRunning(Number(owner)))
      await rm(join(folder, name), { force: true, recursive: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) !== 'ESRCH';
  }
}

/** Whether anything has this name, including a broken link. */
export const isTaken = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** Through links as well; false when nothing is there. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([stat(one).catch(() => null), stat(other).catch(() => null)]);
  return first !== null && second !== null && first.dev === second.dev && first.ino === second.ino;
}

export async function makeFolder(folder: string): Promise<Result<null>> {
  try {
    await mkdir(folder, { recursive: true });
    await sweep(folder).catch(() => undefined);
    return ok(null);
  } catch (error) {
    return err(writeFailure(error));
  }
}

/** Refuses a name that exists, before anything is paid for (name-taken). */
export async function refuseTaken(path: string, overwrites: boolean): Promise<Result<null>> {
  const isRefused = !overwrites && (await isTaken(path));
  return isRefused
    ? err(localFailure('name-taken', { outcome: 'not_sent', params: { name: basename(path) } }))
    : ok(null);
}

/** Without `overwrites` nothing is ever replaced: a file whose name is taken gets a number. */
export async function placeFile(from: string, wanted: string, overwrites: boolean): Promise<Result<string>> {
  try {
    await asUsersFile(from);
    if (overwrites) {
      await rename(from, wanted);
      return ok(wanted);
    }
    for (let number = 1; ; number++) {
      const path = number === 1 ? wanted : numbered(wanted, number);
      if (await claim(from, path)) {
        await rm(from, { force: true });
        return ok(path);
      }
    }
  } catch (error) {
    return err(writeFailure(error));
  }
}

/** False when the name is taken. */
async function claim(from: string, path: string): Promise<boolean> {
  try {
    await link(from, path);
    return true;
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EEXIST') return false;
    if (!hasNoLinks.has(code)) throw error;
  }
  try {
    await copyFile(from, path, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** `speech (2).wav` in the same folder. */
function numbered(path: string, number: number): string {
  const extension = extname(path);
  return join(dirname(path), safeFileName(basename(path, extension), ` (${number})${extension}`));
}

/** Flushes the file, renames it and flushes the folder too (S-39): whole, or unchanged. */
export async function writeWholeFile(path: string, data: string | Uint8Array, mode: number): Promise<Result<null>> {
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

/** Whole, or as it was; whoever must be sure of the name syncs the folder too. */
export function writeWholeNow(path: string, text: string): void {
  writeFileSync(`${path}.part`, text, { mode: 0o600, flush: true });
  renameSync(`${path}.part`, path);
}

export function syncFolderNow(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
