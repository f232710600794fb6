import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { keepReserve } from './disk-reserve.ts';

const root = mkdtempSync(join(tmpdir(), 'ovoz-reserve-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

it('the reserve is taken again after a while, and not having a place for it is no error', () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(20_000);
  const folder = join(root, 'library');
  mkdirSync(folder);
  const isTaken = () => existsSync(join(folder, 'reserve.bin'));
  const reserve = keepReserve(folder);
  reserve.release();
  expect(isTaken()).toBe(false);
  reserve.refill();
  expect(isTaken()).toBe(true);
  reserve.release();
  rmSync(folder, { recursive: true });
  clock.mockReturnValue(40_000);
  expect(() => {
    reserve.refill();
  }).not.toThrow();
});
