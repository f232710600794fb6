import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import type { Failure } from '../../../shared/result/failure.ts';

const has = (error: unknown, name: string): error is Record<string, unknown> =>
  typeof error === 'object' && error !== null && name in error;

/** The system's word for what went wrong (`ENOSPC`), or null. */
export const systemCode = (error: unknown): string | null =>
  has(error, 'code') && typeof error['code'] === 'string' ? error['code'] : null;

/** SQLite's primary result code, or null when the error is not SQLite's. */
export const sqliteCode = (error: unknown): number | null =>
  has(error, 'errcode') && typeof error['errcode'] === 'number' ? error['errcode'] & 0xff : null;

/** What a failed read or write of the library means (E-180 to E-185). A stranger is a bug and is thrown on. */
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
  switch (systemCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return localFailure('E-180');
    case 'EIO':
      return localFailure('E-181');
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOENT':
    case 'ENOTDIR':
    case 'EISDIR':
    case 'EEXIST':
      return localFailure('E-185');
    default:
      throw error;
  }
}

/** What a failed write of an export means: no room or no right (E-175), or anything else (E-214). */
export function writeFailure(error: unknown): Failure {
  switch (systemCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOENT':
    case 'ENOTDIR':
      return localFailure('E-175');
    case null:
      throw error;
    default:
      return localFailure('E-214');
  }
}
