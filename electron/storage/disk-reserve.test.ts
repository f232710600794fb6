import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { keepReserve } from './library-folder.ts';
import { folderOfTest } from '../../tests/support/test-folders.ts';

it('the reserve is taken again when ten seconds have passed since the last try, and not before', () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  const folder = folderOfTest();
  onTestFinished(() => {
    clock.mockRestore();
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
