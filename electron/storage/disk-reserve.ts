import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const reserveBytes = 2 * 1024 * 1024;

/** Reserved disk space, so that states can still be written when the disk is full (E-180). */
export interface DiskReserve {
  /** Gives the space back to the disk, if it is reserved. */
  release(): void;
  /** Reserves the space again as soon as the disk has several times as much; otherwise does nothing. */
  refill(): void;
}

/** Keeps a file of 2 MiB in the library's folder. Without space for it the library still works. */
export function keepReserve(folder: string): DiskReserve {
  const path = join(folder, 'reserve.bin');
  let isMissing = !existsSync(path);
  let triedAtMs = 0;

  const take = () => {
    try {
      writeFileSync(path, Buffer.alloc(reserveBytes, 1), { mode: 0o600, flush: true });
      isMissing = false;
    } catch {
      rmSync(path, { force: true });
    }
  };
  const hasRoom = () => {
    try {
      const { bavail, bsize } = statfsSync(folder);
      return bavail * bsize > 4 * reserveBytes;
    } catch {
      return false;
    }
  };

  if (isMissing) take();
  return {
    release: () => {
      isMissing = true;
      rmSync(path, { force: true });
    },
    refill: () => {
      const nowMs = performance.now();
      if (!isMissing || nowMs - triedAtMs < 10_000) return;
      triedAtMs = nowMs;
      // Almost full, the disk would be filled by it again, and the next write fail.
      if (hasRoom()) take();
    },
  };
}
