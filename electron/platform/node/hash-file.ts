import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { constants } from 'node:fs';
import type { FileIdentity } from '../../services/library/store.ts';
import { readFailure } from './storage-failure.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';

const blockBytes = 256 * 1024;

/** Never blocks on a pipe that was put in place of the file. */
export const openFlags = constants.O_RDONLY | (process.platform === 'win32' ? 0 : constants.O_NONBLOCK);

/**
 * SHA-256 of a file in one pass with a single buffer, together with its size and modification time. E-010 when it can't
 * be read or is no regular file, E-011 when it changed during the read.
 */
export async function hashFile(path: string, signal: AbortSignal): Promise<Result<FileIdentity, Failure>> {
  let file: FileHandle | null = null;
  try {
    file = await open(path, openFlags);
    const before = await file.stat();
    if (!before.isFile()) return err(localFailure('E-010', { code: 'not_a_file' }));
    const hash = createHash('sha256');
    const block = Buffer.allocUnsafe(blockBytes);
    let sizeBytes = 0;
    for (;;) {
      if (signal.aborted) return err(localFailure('E-010', { code: 'cancelled' }));
      const { bytesRead } = await file.read(block, 0, blockBytes, null);
      if (bytesRead === 0) break;
      hash.update(block.subarray(0, bytesRead));
      sizeBytes += bytesRead;
    }
    const after = await file.stat();
    if (after.size !== sizeBytes || after.mtimeMs !== before.mtimeMs) return err(localFailure('E-011'));
    return ok({ sha256: hash.digest('hex'), sizeBytes, mtimeMs: after.mtimeMs });
  } catch (error) {
    return err(readFailure(error));
  } finally {
    await file?.close();
  }
}
