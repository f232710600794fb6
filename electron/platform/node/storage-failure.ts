import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import type { Failure } from '../../../shared/result/failure.ts';

const has = (error: unknown, name: string): error is Record<string, unknown> =>
  typeof error === 'object' && error !== null && name in error;

/** The system's error code (`ENOSPC`), or an empty string. */
export const systemCode = (error: unknown): string =>
  has(error, 'code') && typeof error['code'] === 'string' ? error['code'] : '';

/** The disk is full, or it can't have a file of that size; or the location can't be written to. */
const fullDisk: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);
const noRoom: ReadonlySet<string> = new Set([...fullDisk, 'EFBIG']);
const noPlace: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EISDIR']);

export const hasNoRoom = (error: unknown): boolean => noRoom.has(systemCode(error));

/** SQLite's primary result code, or 0 when the error is not SQLite's. */
const sqliteCode = (error: unknown): number =>
  has(error, 'errcode') && typeof error['errcode'] === 'number' ? error['errcode'] & 0xff : 0;

/** The failure of a read or write of the library (E-180 to E-185). Any other error is a bug and is rethrown. */
export function libraryFailure(error: unknown): Failure {
  switch (sqliteCode(error)) {
    case 13:
      return localFailure('E-180');
    case 10:
      return localFailure('E-181');
    case 11:
    case 26:
      return localFailure('E-182');
    case 5:
    case 6:
      return localFailure('E-183');
    case 3:
    case 8:
    case 14:
    case 23:
      return localFailure('E-185');
    default:
      break;
  }
  const code = systemCode(error);
  // A late answer wants to write what was closed meanwhile, for instance by a change of mode.
  if (code === 'ERR_INVALID_STATE') return localFailure('E-185', { code: 'library_closed' });
  if (hasNoRoom(error)) return localFailure('E-180');
  if (code === 'EIO') return localFailure('E-181');
  if (noPlace.has(code) || code === 'EEXIST') return localFailure('E-185');
  throw error;
}

/** As `libraryFailure`; a file that lacks our tables or columns when it is opened counts as damaged too. */
export const openingFailure = (error: unknown): Failure =>
  sqliteCode(error) === 1 ? localFailure('E-182') : libraryFailure(error);

/** Why a file or folder of the user can't be read (E-010); the code selects the text. */
export function readFailure(error: unknown, kind: 'file' | 'folder' = 'file'): Failure {
  const code = systemCode(error);
  if (code === '') throw error;
  if (code === 'ENOENT' || code === 'ENOTDIR') return localFailure('E-010', { code: 'file_missing' });
  return localFailure('E-010', { code: kind === 'folder' ? 'folder_unreadable' : 'file_unreadable' });
}

/** The failure of writing an export: disk full (E-175), no permission or no such folder, or anything else (E-214). */
export function writeFailure(error: unknown): Failure {
  const code = systemCode(error);
  if (code === '') throw error;
  if (hasNoRoom(error)) return localFailure('E-175', fullDisk.has(code) ? { code: 'disk_full' } : {});
  return localFailure('E-214', noPlace.has(code) ? { code: 'export_not_writable' } : {});
}
