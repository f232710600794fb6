import { accessSync, closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemCode } from './storage-failure.ts';

/** What is in a small file of the person's, or why it was not read. */
export type SmallText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'unreadable' };

/** Reads a file of UTF-8 text of at most `maxBytes`. Never throws for a reason that the disk can give. */
export function readSmallText(path: string, maxBytes: number): SmallText {
  let file: number | null = null;
  try {
    file = openSync(path, 'r');
    const found = fstatSync(file);
    if (!found.isFile()) return { kind: 'unreadable' };
    if (found.size > maxBytes) return { kind: 'too-large' };
    return { kind: 'text', text: readFileSync(file, 'utf8') };
  } catch (error) {
    if (systemCode(error) === '') throw error;
    const isAbsent = ['ENOENT', 'ENOTDIR'].includes(systemCode(error)) || !mayEnter(dirname(path));
    return { kind: isAbsent ? 'absent' : 'unreadable' };
  } finally {
    if (file !== null) closeSync(file);
  }
}

/** In a folder that is closed to us nothing is known of any file; whoever needs the folder itself says so better. */
function mayEnter(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
