import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import type { Failure } from '../../../shared/result/failure.ts';

const has = (error: unknown, name: string): error is Record<string, unknown> =>
  typeof error === 'object' && error !== null && name in error;

export const systemCode = (error: unknown): string =>
  has(error, 'code') && typeof error['code'] === 'string' ? error['code'] : '';

/** The disk is full, or it can't have a file of that size; or the location can't be written to. */
const fullDisk: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);
const noRoom: ReadonlySet<string> = new Set([...fullDisk, 'EFBIG']);
const noPlace: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EISDIR']);

export const hasNoRoom = (error: unknown): boolean => noRoom.has(systemCode(error));

const sqliteCode = (error: unknown): number =>
  has(error, 'errcode') && typeof error['errcode'] === 'number' ? error['errcode'] & 0xff : 0;

/** The failure of a read or write of the library. Any other error is a bug and is rethrown. */
export function libraryFailure(error: unknown): Failure {
  switch (sqliteCode(error)) {
    case 13:
      return localFailure('disk-full');
    case 10:
      return localFailure('disk-error');
    case 11:
    case 26:
      return localFailure('library-damaged');
    case 5:
    case 6:
      return localFailure('already-open');
    case 3:
    case 8:
    case 14:
    case 23:
      return localFailure('data-folder-unwritable');
    default:
      break;
  }
  const code = systemCode(error);
  // A late answer wants to write what was closed meanwhile, for instance by a change of mode.
  if (code === 'ERR_INVALID_STATE') return localFailure('data-folder-unwritable', { code: 'library_closed' });
  if (hasNoRoom(error)) return localFailure('disk-full');
  if (code === 'EIO') return localFailure('disk-error');
  if (noPlace.has(code) || code === 'EEXIST') return localFailure('data-folder-unwritable');
  throw error;
}

/** As `libraryFailure`; a file that lacks our tables or columns when it is opened counts as damaged too. */
export const openingFailure = (error: unknown): Failure =>
  sqliteCode(error) === 1 ? localFailure('library-damaged') : libraryFailure(error);

/** Why a file or folder of the user can't be read (file-unreadable); the code selects the text. */
export function readFailure(error: unknown, kind: 'file' | 'folder' = 'file'): Failure {
  const code = systemCode(error);
  if (code === '') throw error;
  if (code === 'ENOENT' || code === 'ENOTDIR') return localFailure('file-unreadable', { code: 'file_missing' });
  return localFailure('file-unreadable', { code: kind === 'folder' ? 'folder_unreadable' : 'file_unreadable' });
}

/** The failure of writing an export: disk-space-short on a full disk, else export-unfinished. */
export function writeFailure(error: unknown): Failure {
  const code = systemCode(error);
  if (code === '') throw error;
  if (hasNoRoom(error)) return localFailure('disk-space-short', fullDisk.has(code) ? { code: 'disk_full' } : {});
  return localFailure('export-unfinished', noPlace.has(code) ? { code: 'export_not_writable' } : {});
}
