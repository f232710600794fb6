import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PeaksStore } from '../../services/media/audio-folder.ts';
import { writeWholeFile } from './atomic-file.ts';

const hash = /^[0-9a-f]{64}$/;

/** One file per recording in `folder`, named by its content hash, replaced only as a whole. */
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
  };
}
