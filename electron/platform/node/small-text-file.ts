import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
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
    return { kind: ['ENOENT', 'ENOTDIR'].includes(systemCode(error)) ? 'absent' : 'unreadable' };
  } finally {
    if (file !== null) closeSync(file);
  }
}
