import { closeSync, existsSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const reserveBytes = 2 * 1024 * 1024;

/** Room that is kept so that states can still be written when the disk is full (E-180). */
export interface DiskReserve {
  /** Gives the room back to the disk; false when there was none left to give. */
  release(): boolean;
  /** Takes the room again after it was given back; does nothing otherwise, and nothing when there is still no room. */
  refill(): void;
}

/** Keeps a file of 2 MiB in the library's folder. Without room for it the library works all the same. */
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
