import type { AccessCacheStore } from '../../services/account/access-service.ts';
import { accessSync, closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemCode } from './storage-failure.ts';
import { writeWholeFile } from './place-file.ts';

export type SmallText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'unreadable' };

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

const mostBytes = 64 * 1024;

/** Stores what keys may do in a small file of the app; one write at a time, the last one wins. */
export function openAccessFile(path: string): AccessCacheStore {
  let writing: Promise<unknown> = Promise.resolve();
  let latest: string | null = null;
  return {
    read() {
      const found = readSmallText(path, mostBytes);
      return found.kind === 'text' ? found.text : null;
    },
    save(text) {
      const isWaiting = latest !== null;
      latest = text;
      if (isWaiting) return;
      writing = writing.then(async () => {
        const next = latest ?? text;
        latest = null;
        // If this fails, the next start asks the service again.
        await writeWholeFile(path, next, 0o600);
      });
    },
  };
}
