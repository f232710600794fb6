import { accessSync, closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemCode } from './storage-failure.ts';

/** The content of a small file of the user's, or why it was not read. */
export type SmallText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'unreadable' };

/** Reads a UTF-8 text file of at most `maxBytes`. File system errors become values. */
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

/**
 * In a folder without access we can't know whether a file exists; the code that needs the folder itself reports that
 * better.
 */
function mayEnter(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
