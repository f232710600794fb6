import { closeSync, existsSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const reserveBytes = 2 * 1024 * 1024;

/** Reserved disk space, so that states can still be written when the disk is full (E-180). */
export interface DiskReserve {
  /** Gives the space back to the disk; false when there was none left to give. */
  release(): boolean;
  /** Reserves the space again after it was given back; otherwise, or without enough space, does nothing. */
  refill(): void;
}

/** Keeps a file of 2 MiB in the library's folder. Without space for it the library still works. */
export function keepReserve(folder: string): DiskReserve {
  const path = join(folder, 'reserve.bin');
  let isMissing = !existsSync(path);
  let triedAtMs = 0;

  const take = () => {
    let file: number | null = null;
    try {
      file = openSync(path, 'w', 0o600);
      const block = Buffer.alloc(64 * 1024, 1);
      for (let written = 0; written < reserveBytes; written += block.length) writeSync(file, block);
      fsyncSync(file);
      isMissing = false;
    } catch {
      rmSync(path, { force: true });
    } finally {
      if (file !== null) closeSync(file);
    }
  };

  if (isMissing) take();
  return {
    release: () => {
      if (isMissing) return false;
      isMissing = true;
      rmSync(path, { force: true });
      return true;
    },
    refill: () => {
      const nowMs = performance.now();
      if (!isMissing || nowMs - triedAtMs < 10_000) return;
      triedAtMs = nowMs;
      take();
    },
  };
}
