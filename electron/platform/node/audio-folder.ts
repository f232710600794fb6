import { copyFile, mkdir, readdir, rename, rm, stat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { err, ok } from '../../../shared/result/result.ts';
import type { AudioFolder, PeaksStore } from '../../services/media/audio-extractor.ts';
import { writeWholeFile } from './place-file.ts';
import { asUsersFile } from './users-files.ts';

/** A folder that is created with its first file; readable only by its owner. */
export const openAudioFolder = (folder: string): AudioFolder => ({
  pathOf: (fileName) => join(folder, fileName),
  copyTo: (fileName, target) =>
    copyFile(join(folder, fileName), target)
      // A copy would be as private as the original, but it is the user's.
      .then(() => asUsersFile(target))
      .then(
        () => true,
        () => false,
      ),
  async removeAll(name) {
    const names = await readdir(folder).catch((): string[] => []);
    for (const other of names)
      if (other.startsWith(`${name}.`) || other.startsWith(`${name}-`)) await rm(join(folder, other), { force: true });
  },
  async prepare(name) {
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // Includes unfinished downloads, `{name}.{random}.part`.
      const left = (await readdir(folder)).filter((other) => other === name || other.startsWith(`${name}.`));
      for (const other of left) await rm(join(folder, other), { force: true });
      return ok(join(folder, name));
    } catch {
      return err(localFailure('disk-space-short'));
    }
  },
  async find(name) {
    try {
      const fileName = (await readdir(folder)).find(
        (other) =>
          other.startsWith(`${name}.`) && !other.endsWith('.part') && !other.slice(name.length + 1).includes('.'),
      );
      return fileName === undefined ? null : { fileName, sizeBytes: (await stat(join(folder, fileName))).size };
    } catch {
      return null;
    }
  },
  async keep(name, extension) {
    const fileName = `${name}.${extension}`;
    try {
      await rename(join(folder, name), join(folder, fileName));
      return ok(fileName);
    } catch {
      return err(localFailure('disk-space-short'));
    }
  },
});

const hash = /^[0-9a-f]{64}$/;

/** One file per recording in `folder`, named by its content hash and replaced only as a whole. */
export function openPeaksFolder(folder: string): PeaksStore {
  const pathOf = (sha256: string) => (hash.test(sha256) ? join(folder, `${sha256}.peaks`) : null);
  return {
    async read(sha256) {
      const path = pathOf(sha256);
      return path === null ? null : readFile(path).catch(() => null);
    },
    async write(sha256, peaks) {
      const path = pathOf(sha256);
      return path !== null && (await writeWholeFile(path, peaks, 0o600)).ok;
    },
    async remove(sha256) {
      const path = pathOf(sha256);
      if (path !== null) await rm(path, { force: true });
    },
  };
}
