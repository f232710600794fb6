import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { baseName, foldedName } from '../../../shared/domain/exports/safe-file-name.ts';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { isRecordingName } from '../../../shared/domain/media/recording-name.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { ImportedFile } from '../../services/transcripts/import-transcript.ts';

/** A day of speech with the time of every word is smaller. */
const mostBytes = 64 * 1024 * 1024;

/**
 * A text file, and the recording of the same name next to it. E-010 when it can't be read, E-211 when it is too long.
 */
export async function readTextFile(path: string): Promise<Result<Omit<ImportedFile, 'language'>, Failure>> {
  const name = basename(path);
  try {
    const { size } = await stat(path);
    if (size > mostBytes) return err(localFailure('E-211', { code: 'file_too_large_here', params: { name } }));
    return ok({ path, name, bytes: await readFile(path), mediaPath: await recordingBeside(path) });
  } catch {
    return err(localFailure('E-010', { params: { name } }));
  }
}

/** `suhbat.uz.srt` belongs to `suhbat.mp3` as much as `suhbat.srt` does. */
async function recordingBeside(path: string): Promise<string | null> {
  const folder = dirname(path);
  const own = baseName(basename(path));
  const wanted = new Set([own, baseName(own)].map(foldedName));
  const names = await readdir(folder).catch(() => []);
  const found = names.find((name) => isRecordingName(name) && wanted.has(foldedName(baseName(name))));
  return found === undefined ? null : join(folder, found);
}
