import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { syncFolderNow } from '../platform/node/atomic-file.ts';

const placeName = 'library-place';
/** The folder for takes of dictation, inside that of the library. */
export const takesFolderName = 'dictation';

/**
 * The folder of the service's library: the data folder, or where the user moved it. The path is in a file of its own,
 * so that damaged settings never make a moved library look empty. Content that can't be a path counts as a folder that
 * is missing.
 */
export function libraryRootOf(root: string): string {
  const path = join(root, placeName);
  if (!existsSync(path)) return root;
  const text = readFileSync(path, 'utf8').trim();
  return isAbsolute(text) ? text : join(root, 'library-place-unreadable');
}

/** Stores the folder, durable when this returns; the data folder itself needs no file. */
export function rememberLibraryRoot(root: string, libraryRoot: string): void {
  const path = join(root, placeName);
  if (libraryRoot === root) rmSync(path, { force: true });
  else {
    const beside = `${path}.part`;
    const file = openSync(beside, 'w', 0o600);
    try {
      writeSync(file, libraryRoot);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(beside, path);
  }
  syncFolderNow(root);
}
