import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { constants } from 'node:fs';
import type { FileIdentity } from '../../services/library/store.ts';
import { readFailure } from './storage-failure.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { sniffBytes } from '../../../shared/domain/media/sniff.ts';

const blockBytes = 256 * 1024;

/** Never blocks on a pipe that was put in place of the file. */
export const openFlags = constants.O_RDONLY | (process.platform === 'win32' ? 0 : constants.O_NONBLOCK);

/** file-unreadable when it can't be read or is no regular file, file-changed when it changed during the read. */
export async function hashFile(path: string, signal: AbortSignal): Promise<Result<FileIdentity>> {
  let file: FileHandle | null = null;
  try {
    file = await open(path, openFlags);
    const before = await file.stat();
    if (!before.isFile()) return err(localFailure('file-unreadable', { code: 'not_a_file' }));
    const hash = createHash('sha256');
    const block = Buffer.allocUnsafe(blockBytes);
    let sizeBytes = 0;
    for (;;) {
      if (signal.aborted) return err(localFailure('file-unreadable', { code: 'cancelled' }));
      const { bytesRead } = await file.read(block, 0, blockBytes, null);
      if (bytesRead === 0) break;
      hash.update(block.subarray(0, bytesRead));
      sizeBytes += bytesRead;
    }
    const after = await file.stat();
    if (after.size !== sizeBytes || after.mtimeMs !== before.mtimeMs) return err(localFailure('file-changed'));
    return ok({ sha256: hash.digest('hex'), sizeBytes, mtimeMs: after.mtimeMs });
  } catch (error) {
    return err(readFailure(error));
  } finally {
    await file?.close();
  }
}

export interface Peek {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
  readonly sizeBytes: number;
}

/** The first and the last 32 KiB of a regular file; file-unreadable when it can't be read. */
export async function peekFile(path: string): Promise<Result<Peek>> {
  let file: FileHandle | null = null;
  try {
    file = await open(path, openFlags);
    const { size, ...stat } = await file.stat().then((found) => ({ size: found.size, isFile: found.isFile() }));
    if (!stat.isFile) return err(localFailure('file-unreadable', { code: 'not_a_file' }));
    const half = sniffBytes / 2;
    const head = await readAt(file, 0, Math.min(half, size));
    const tail = await readAt(file, Math.max(0, size - half), Math.min(half, size));
    return ok({ head, tail, sizeBytes: size });
  } catch (error) {
    return err(readFailure(error));
  } finally {
    await file?.close();
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Uint8Array> {
  const block = Buffer.alloc(length);
  const { bytesRead } = await file.read(block, 0, length, position);
  return block.subarray(0, bytesRead);
}
