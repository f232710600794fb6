import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { keepReserve } from './library-folder.ts';

it('the reserve is taken again when ten seconds have passed since the last try, and not before', () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  const folder = mkdtempSync(join(tmpdir(), 'ovoz-reserve-'));
  onTestFinished(() => {
    clock.mockRestore();
    rmSync(folder, { recursive: true, force: true });
  });
  const reserve = keepReserve(folder);
  const isTakenAt = (ms: number) => {
    reserve.release();
    clock.mockReturnValue(ms);
    reserve.refill();
    return existsSync(join(folder, 'reserve.bin'));
  };
  expect([20_000, 29_999, 30_000].map(isTakenAt)).toEqual([true, false, true]);
});
