import { chmod, type FileHandle } from 'node:fs/promises';
import { systemCode } from './storage-failure.ts';

/** Read before the entry sets a stricter umask for the app's own files. */
const usersMask = process.umask();
/** The permissions that the user's other files and folders get. */
export const usersFileMode = 0o666 & ~usersMask;
const usersFolderMode = 0o777 & ~usersMask;

type Target = string | Pick<FileHandle, 'chmod'>;

/** A network folder without permissions refuses to change them; what is in it is whole all the same. */
const withoutPermissions = new Set(['ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EPERM']);

/** Changes the permissions of a file or folder where they can be changed. Throws other file system errors. */
export async function setPermissions(target: Target, mode: number): Promise<void> {
  try {
    await (typeof target === 'string' ? chmod(target, mode) : target.chmod(mode));
  } catch (error) {
    if (!withoutPermissions.has(systemCode(error))) throw error;
  }
}

export const asUsersFile = (target: Target): Promise<void> => setPermissions(target, usersFileMode);
export const asUsersFolder = (path: string): Promise<void> => setPermissions(path, usersFolderMode);
