import { open, type FileHandle } from 'node:fs/promises';
import { sniffBytes } from '../../../shared/domain/media/sniff.ts';
import { readFailure } from './storage-failure.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { openFlags } from './hash-file.ts';

export interface Peek {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
  readonly sizeBytes: number;
}

/** The first and the last 32 KiB of a regular file; E-010 when it can't be read. */
export async function peekFile(path: string): Promise<Result<Peek, Failure>> {
  let file: FileHandle | null = null;
  try {
    file = await open(path, openFlags);
    const { size, ...stat } = await file.stat().then((found) => ({ size: found.size, isFile: found.isFile() }));
    if (!stat.isFile) return err(localFailure('E-010', { code: 'not_a_file' }));
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
