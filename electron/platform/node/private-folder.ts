import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Makes the folder if it is missing and takes away what others may do in it (S-37): the folder 0700, files directly in
 * it 0600. Links are left alone. On Windows the profile folder's own rights protect it. Throws what the disk says.
 */
export function ensurePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (process.platform === 'win32') return;
  closeToOthers(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isFile()) closeToOthers(join(folder, entry.name), 0o600);
  }
}

function closeToOthers(path: string, mode: number): void {
  if ((lstatSync(path).mode & 0o077) !== 0) chmodSync(path, mode);
}
