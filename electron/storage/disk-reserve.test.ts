import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { keepReserve } from './disk-reserve.ts';

const root = mkdtempSync(join(tmpdir(), 'ovoz-reserve-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

afterEach(() => {
  vi.restoreAllMocks();
});

function releasedReserve() {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(20_000);
  const folder = mkdtempSync(join(root, 'library-'));
  const reserve = keepReserve(folder);
  reserve.release();
  const isTaken = () => existsSync(join(folder, 'reserve.bin'));
  expect(isTaken()).toBe(false);
  return { reserve, folder, clock, isTaken };
}

it('the reserve is taken again after a while', () => {
  const { reserve, clock, isTaken } = releasedReserve();
  clock.mockReturnValue(20_000);
  reserve.refill();
  expect(isTaken()).toBe(true);
});

it('not having a place for the reserve is no error', () => {
  const { reserve, folder, clock } = releasedReserve();
  rmSync(folder, { recursive: true });
  clock.mockReturnValue(40_000);
  expect(() => {
    reserve.refill();
  }).not.toThrow();
});
