import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, copyFile, link, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { localFailure } from '../../shared/domain/jobs/job-failures.ts';
import { safeFileName } from '../../shared/domain/exports/safe-file-name.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import { systemCode, writeFailure } from '../platform/node/storage-failure.ts';

/** The permissions of the person's other files. */
const fileMode = 0o666 & ~process.umask();
/** Systems of files that have no second names answer with one of these. */
const hasNoLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EMLINK', 'EACCES', 'EINVAL']);

/** A name nobody has, beside the target, for what is not whole yet; it tells whose it is. */
export const unfinishedBeside = (target: string): string =>
  join(dirname(target), `.ovoz-${process.pid}-${randomBytes(6).toString('hex')}${extname(target)}`);

/** Takes away what runs that were killed left behind in a folder. */
async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const owner = /^\.ovoz-(\d{1,10})-[0-9a-f]{12}\./.exec(name)?.[1];
    if (owner !== undefined && !isRunning(Number(owner))) await rm(join(folder, name), { force: true });
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

/** Whether there is anything under this name, a broken link too. */
export const isTaken = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** Makes the folder, or says why it can't be (E-214, E-175). What killed runs left in it is taken away. */
export async function makeFolder(folder: string): Promise<Result<null, Failure>> {
  try {
    await mkdir(folder, { recursive: true });
    await sweep(folder).catch(() => undefined);
    return ok(null);
  } catch (error) {
    return err(writeFailure(error));
  }
}

/** Refuses a name that is taken, before anything is paid for (E-213). */
export async function refuseTaken(path: string, overwrites: boolean): Promise<Result<null, Failure>> {
  const isRefused = !overwrites && (await isTaken(path));
  return isRefused ? err(localFailure('E-213', { outcome: 'not_sent', params: { name: basename(path) } })) : ok(null);
}

/**
 * Gives a whole file its name. Without `overwrites` nothing is ever replaced: what was paid for gets a number when
 * somebody was faster. Answers with where it is.
 */
export async function placeFile(from: string, wanted: string, overwrites: boolean): Promise<Result<string, Failure>> {
  try {
    await chmod(from, fileMode);
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
