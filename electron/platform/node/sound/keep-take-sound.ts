import { constants } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ok, type Result } from '../../../../shared/result/result.ts';
import type { FileIdentity } from '../../../services/library/store.ts';
import { hashFile } from '../hash-file.ts';
import { writeFailure } from '../storage-failure.ts';

/** Puts a copy of a take's sound where the library keeps sounds, under the hash of its content. */
export async function keepTakeSound(
  path: string,
  folder: string,
): Promise<Result<FileIdentity & { readonly preparedName: string }>> {
  const content = await hashFile(path, new AbortController().signal);
  if (!content.ok) return content;
  const preparedName = `${content.value.sha256}.wav`;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // The file system shares the bytes where it can.
    await copyFile(path, join(folder, preparedName), constants.COPYFILE_FICLONE);
  } catch (error) {
    return { ok: false, error: writeFailure(error) };
  }
  return ok({ ...content.value, preparedName });
}
