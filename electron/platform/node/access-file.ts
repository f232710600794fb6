import type { AccessCacheStore } from '../../services/account/access-cache.ts';
import { writeWholeFile } from './atomic-file.ts';
import { readSmallText } from './small-text-file.ts';

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
